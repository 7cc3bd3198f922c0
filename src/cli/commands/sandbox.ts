import { resolve } from '../../model/files/fs.ts';
import { ConfigError, shownWord } from '../../model/index.ts';
import { wholeNumber } from '../../options/index.ts';
// Only the table of faults: the help must not load the whole sandbox.
import { FAULTS } from '../../sandbox/misbehave/faults.ts';
import { type NamedFile, refuseOverwriting } from '../../write/index.ts';
import { READ_ONLY_TEXT } from '../output/resource-names.ts';
import type { Command } from './command.ts';

interface SandboxArguments {
  readonly port: number;
  readonly seed: number;
  readonly tokenLife: number;
  readonly data?: string | undefined;
  readonly fault: readonly string[];
  readonly control: boolean;
  readonly journal?: string | undefined;
}

export const sandboxCommand: Command<SandboxArguments> = {
  usage: 'sandbox',
  summary: 'A complete store on this machine, for trying things out and for tests',
  options: {
    port: {
      topic: 'serving',
      type: 'number',
      syntax: wholeNumber(0, 65_535),
      default: 4010,
      describe: 'Port; 0 is any free one',
    },
    seed: {
      topic: 'serving',
      type: 'number',
      syntax: wholeNumber(0),
      default: 0,
      describe: `How many ${READ_ONLY_TEXT} it holds`,
    },
    'token-life': {
      topic: 'serving',
      type: 'number',
      syntax: wholeNumber(1),
      default: 3600,
      describe: 'Life of an access token, seconds',
    },
    fault: {
      topic: 'serving',
      array: true,
      default: [] as string[],
      describe: 'name=value: misbehave in this way; may be repeated, with other names',
      completes: Object.keys(FAULTS).map((name) => `${name}=`),
    },
    data: {
      topic: 'serving',
      describe: 'File that keeps what is created, over restarts (default: memory)',
      completes: 'file',
    },
    control: {
      topic: 'serving',
      type: 'boolean',
      default: false,
      describe: 'Serve /sandbox/..., by which faults are changed and the journal is read while it runs',
    },
    journal: {
      topic: 'serving',
      describe: 'File to which every request is appended, and what it really did, as NDJSON',
      completes: 'file',
    },
  },
  examples: [
    ['$0 sandbox --seed 500', `A store with 500 ${READ_ONLY_TEXT}`],
    [
      '$0 sandbox --fault rate=20 --fault late-reset=1%@create',
      'One that admits 20 requests a second and loses answers',
    ],
  ],
  epilogue: faultHelp,
  async run(args, { terminal, json, commandFiles, onInterrupt }) {
    refuseOverwriting([...ownFiles(args), ...commandFiles.written], commandFiles.read, commandFiles.home);
    const interrupted = onInterrupt();
    const { DataFileError, FaultError, startSandbox } = await import('../../sandbox/index.ts');
    const sandbox = await startSandbox({
      port: args.port,
      seed: args.seed,
      tokenLifeSeconds: args.tokenLife,
      journal: args.control || args.journal !== undefined,
      journalFile: args.journal,
      data: args.data,
      control: args.control,
      faults: faultsIn(args.fault),
    }).catch((error: Error) => {
      if (error instanceof DataFileError)
        throw new ConfigError(error.message, [], error.inUse ? 'in-use' : undefined);
      if (error instanceof FaultError) throw new ConfigError('--fault is not right.', error.problems);
      if (args.journal !== undefined && isErrorOf(error, args.journal))
        throw new ConfigError(`The journal cannot be written: ${error.message}.`);
      throw new ConfigError(`The sandbox cannot listen on port ${args.port}: ${error.message}.`, [
        'Choose another with --port; 0 is any free one.',
      ]);
    });
    const { url, clientId, clientSecret, storeId, notice } = sandbox;
    if (notice) terminal.note(`Warning: ${notice}`);
    // These credentials are public, valid only here, and meant to be copied, so they bypass the mask.
    if (json) terminal.publish(JSON.stringify({ url, clientId, clientSecret, storeId }));
    else
      terminal.publish(
        [
          `The sandbox store listens on ${url} until you press Ctrl-C. To use it, in another terminal:`,
          '',
          `  ${setVariable('STOREPORT_BASE_URL', url)}`,
          `  ${setVariable('STOREPORT_CLIENT_ID', clientId)}`,
          `  ${setVariable('STOREPORT_CLIENT_SECRET', clientSecret)}`,
          '',
          `Its contract: ${url}/openapi.json`,
          ...(args.control ? [`Faults and journal: ${url}/sandbox/faults, ${url}/sandbox/journal`] : []),
        ].join('\n'),
      );
    await new Promise((resolve) => interrupted.addEventListener('abort', resolve));
    await sandbox.close();
    return 0;
  },
};

/** True for an error of the system about this file. */
function isErrorOf(error: Error, file: string): boolean {
  const { path } = error as NodeJS.ErrnoException;
  return path !== undefined && resolve(path) === resolve(file);
}

/** The command that sets a variable for those after it. The values are plain words. */
function setVariable(name: string, value: string): string {
  return process.platform === 'win32' ? `$env:${name} = '${value}'` : `export ${name}=${value}`;
}

/** Returns the files that the sandbox writes. */
function ownFiles({ data, journal }: SandboxArguments): NamedFile[] {
  return Object.entries({ data, journal }).flatMap(([option, path]) =>
    path === undefined ? [] : [{ path, says: `--${option} ${path}` }],
  );
}

/** `["rate=20", …]` → `{ rate: "20" }`. Throws ConfigError. */
function faultsIn(texts: readonly string[]): Record<string, string> {
  const faults = new Map<string, string>();
  for (const text of texts) {
    const at = text.indexOf('=');
    if (at < 1)
      throw new ConfigError(`--fault takes name=value, such as rate=20; found "${shownWord(text)}".`);
    const name = text.slice(0, at);
    if (faults.has(name))
      throw new ConfigError(`--fault ${name} is given twice.`, [
        'Where a fault is to strike at several places, put commas between them: reset=#1,#4.',
      ]);
    faults.set(name, text.slice(at + 1));
  }
  return Object.fromEntries(faults);
}

const HELP_WIDTH = 96;
const INDENT = 12;

/** Lists every fault with an example, by group, for the end of `storeport sandbox --help`. */
function faultHelp(): string {
  const faults = Object.entries(FAULTS);
  const groups = new Set(faults.map(([, { group }]) => group));
  const blocks = [...groups].map((group) => {
    const examples = faults
      .filter(([, fault]) => fault.group === group)
      .map(([name, { example }]) => `${name}=${example}`);
    return `  ${group.padEnd(INDENT - 2)}${filledLines(examples).join(`\n${' '.repeat(INDENT)}`)}`;
  });
  return ['Faults, each with an example of its value (docs/sandbox.md says what they do):', ...blocks].join(
    '\n',
  );
}

/** Fills lines with words, separated by two spaces. */
function filledLines(words: readonly string[]): string[] {
  const [first = '', ...others] = words;
  const filled = [first];
  for (const word of others) {
    const line = `${filled.at(-1)}  ${word}`;
    if (line.length <= HELP_WIDTH - INDENT) filled[filled.length - 1] = line;
    else filled.push(word);
  }
  return filled;
}
