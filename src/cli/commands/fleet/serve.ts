import { join } from 'node:path';
import { readFile } from '../../../model/files/fs.ts';
import { ConfigError } from '../../../model/index.ts';
import { type ValueSyntax, WEB_ADDRESS, wholeNumber } from '../../../options/index.ts';
import { type CommandContext, version, warn, whenInterrupted } from '../../context.ts';
import type { Command } from '../command.ts';
import { DATABASE_OPTIONS, type DatabaseArguments } from './database.ts';
import { withFleet } from './open-fleet.ts';
import { FILES_OPTION, reopenedFiles } from './place.ts';
import { executorParts, READER_OF_SHELL } from './worker.ts';

interface FleetServeArguments extends DatabaseArguments {
  readonly host: string;
  readonly port: number;
  readonly operatorToken?: string | undefined;
  readonly viewerToken?: string | undefined;
  readonly publicUrl?: string | undefined;
  readonly artifacts?: string | undefined;
}

const MOST_PORT = 65_535;

const TOKEN_PLACE: ValueSyntax = {
  words: 'env:NAME or file:/path, where the token is; never the token itself, which others would see',
  read: (text) => (/^(?:env:[A-Za-z_]\w*|file:.+)$/.test(text.trim()) ? text.trim() : undefined),
};

export const fleetServeCommand: Command<FleetServeArguments> = {
  usage: 'serve',
  summary: 'Serve a page and an API for all tasks of the fleet, and metrics',
  options: {
    host: { topic: 'serving', default: '127.0.0.1', describe: 'Address to listen on' },
    port: {
      topic: 'serving',
      type: 'number',
      syntax: wholeNumber(0, MOST_PORT),
      default: 0,
      describe: 'Port on 127.0.0.1; 0 is any free one',
    },
    'operator-token': {
      topic: 'serving',
      syntax: TOKEN_PLACE,
      describe: 'Where the token is that lets people stop, resume and retry: env:NAME or file:/path',
      isSecret: true,
      emptyIsNone: true,
    },
    'viewer-token': {
      topic: 'serving',
      syntax: TOKEN_PLACE,
      describe: 'Where the token of people is who only look: env:NAME or file:/path',
      isSecret: true,
      emptyIsNone: true,
    },
    'public-url': {
      topic: 'serving',
      syntax: WEB_ADDRESS,
      describe: 'Address that people open, if a proxy is in front',
      emptyIsNone: true,
    },
    ...FILES_OPTION,
    ...DATABASE_OPTIONS,
  },
  examples: [
    ['$0 fleet serve', 'Prints the address of the page, for this machine only'],
    [
      '$0 fleet serve --host 0.0.0.0 --port 8080 --operator-token env:FLEET_TOKEN',
      'For others, with a token',
    ],
  ],
  async run(args, context) {
    const { terminal, log } = context;
    const tokens = {
      operator: await tokenIn('--operator-token', args.operatorToken, context),
      viewer: await tokenIn('--viewer-token', args.viewerToken, context),
    };
    const interrupted = context.onInterrupt();
    return withFleet(args, context, async (fleet, sql) => {
      const files = reopenedFiles({ fleet, sql }, args, context);
      try {
        await files.open('read').catch((error: Error) => {
          // Without --artifacts, nothing is wrong yet: the first worker may name the place later.
          if (args.artifacts !== undefined || !(error instanceof ConfigError)) throw error;
          warn(context, `files of tasks cannot be opened now: ${[error.message, ...error.hints].join(' ')}`);
        });
        const server = await fleet.startFleetServer({
          ...{ sql, files: files.open, tokens, host: args.host, port: args.port, publicUrl: args.publicUrl },
          version: version(),
          mask: terminal.mask,
          executor: { ...executorParts(sql, context, READER_OF_SHELL), scratch: join(args.home, 'worker') },
          onBug: (text) => terminal.error(`This is a bug in storeport: ${text}`),
          onTrouble: (text) => {
            log.warn({}, text);
            if (!log.hasInfo) terminal.error(`Warning: ${text}`);
          },
          onAction: (text) => {
            log.info({}, text);
            if (!log.hasInfo) terminal.error(text);
          },
        });
        showAddress(server.link, tokens.operator === undefined && tokens.viewer === undefined, context);
        await new Promise<void>((resolve) => whenInterrupted(interrupted, resolve));
        await server.close();
        return 0;
      } finally {
        await files.close();
      }
    });
  },
};

/** Prints the address. Without tokens it has a key, which the mask would hide and is meant to be copied. */
function showAddress(link: string, hasKey: boolean, { terminal, json }: CommandContext): void {
  if (json) terminal.publish(JSON.stringify({ url: link }));
  else
    terminal.publish(
      [
        hasKey
          ? 'Open this address in your browser. Its key is for you alone:'
          : 'The page of the fleet is served at this address. Sign in with a token:',
        '',
        `  ${link}`,
        '',
        'Press Ctrl-C to stop.',
      ].join('\n'),
    );
}

/** Reads a token from its place, and hides it in all output. Throws ConfigError if it is not there. */
async function tokenIn(
  option: string,
  place: string | undefined,
  { environment, terminal }: CommandContext,
): Promise<string | undefined> {
  if (place === undefined) return undefined;
  const [, kind, name = ''] = /^(env|file):(.+)$/.exec(place) ?? [];
  const token = kind === 'env' ? environment[name] : await readToken(option, name);
  const value = token?.trim() ?? '';
  if (value === '')
    throw new ConfigError(
      kind === 'env'
        ? `${option} names the variable ${name}, which is not set.`
        : `The file of ${option} is empty: ${name}.`,
      ['Make a token, for example with: openssl rand -hex 32'],
    );
  terminal.hide(value);
  return value;
}

async function readToken(option: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new ConfigError(`The file of ${option} cannot be read: ${error.message}.`);
  });
}
