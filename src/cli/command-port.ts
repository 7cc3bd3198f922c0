import { asDamage, type JsonObject, shellWord } from '../model/index.ts';
import { COMMON_OPTIONS } from '../options/index.ts';
import { createMask } from '../store/mask/mask.ts';
import type { CommandEnd, CommandPort, CommandWatch, StoreView } from '../ui/index.ts';
import { type CommandContext, version } from './context.ts';
import { EXIT_CODES, exitCodeOf, exitCodeOfError } from './exit-codes.ts';
import { withNearestName } from './nearest-name.ts';
import { resourcesFor } from './options/api.ts';
import { storeAddress } from './options/settings.ts';
import { SILENT } from './output/logger.ts';
import type { Terminal } from './output/terminal.ts';

const PROFILE = 'profile:';

/** Runs commands for `storeport ui`, in this process, with its settings. */
export function createCommandPort(context: CommandContext, home: string): CommandPort {
  const secrets = createSecrets();

  async function run(words: readonly string[], watch: CommandWatch): Promise<CommandEnd> {
    const asked = secrets.forCommand(watch.askSecret);
    const end = await runCommand(words, watch, asked.askSecret);
    asked.ended(end.exitCode);
    return end;
  }

  async function runCommand(
    words: readonly string[],
    watch: CommandWatch,
    askSecret: Terminal['askSecret'],
  ): Promise<CommandEnd> {
    const results: string[] = [];
    const terminal = terminalFor(watch, { results, askSecret, server: context.terminal });
    try {
      const command = await context.commandOf([...words, '--home', home, '--json']);
      const exitCode = await command({
        ...{ ...context, terminal, watch, log: SILENT, json: true },
        onInterrupt: () => watch.stopped,
      });
      return { exitCode, result: resultIn(results) };
    } catch (thrown) {
      return failureOf(await withNearestName(asDamage(thrown, home) ?? thrown), {
        context,
        terminal,
        results,
      });
    }
  }

  return {
    run,
    version: version(),
    mask: context.terminal.mask,
    exitCodeOf,
    commandLine: (words) => ['storeport', ...words, ...homeWords(home)].map(shellWord).join(' '),
    meaningOf: (code) => Object.values(EXIT_CODES).find((each) => each.code === code)?.meaning ?? '',
    storeWords: async (id) =>
      id === 'sandbox'
        ? ['--sandbox']
        : id.startsWith(PROFILE)
          ? ['--profile', id.slice(PROFILE.length)]
          : [],
    resources: (id = 'environment') =>
      resourcesFor({ profile: profileIn(id), sandbox: id === 'sandbox' }, quiet(context)),
    stores: () => storesIn(context, home),
  };
}

function homeWords(home: string): string[] {
  return home === COMMON_OPTIONS.home.default ? [] : ['--home', home];
}

/** Messages about settings were printed when the server was started. */
function quiet(context: CommandContext): CommandContext {
  return { ...context, terminal: { ...context.terminal, note: () => {} } };
}

function profileIn(id: string): string | undefined {
  return id.startsWith(PROFILE) ? id.slice(PROFILE.length) : undefined;
}

/** The sandbox, the store of the environment if there is one, and the profiles. */
async function storesIn(context: CommandContext, home: string): Promise<StoreView[]> {
  const { profileNames } = await import('./options/config.ts');
  const sandbox = { id: 'sandbox', title: 'a sandbox', address: null };
  const own = await storeView('environment', 'the store of the environment', context, home);
  const named = await Promise.all(
    profileNames().map((name) => storeView(`${PROFILE}${name}`, name, context, home)),
  );
  return [sandbox, ...(own.address === null ? [] : [own]), ...named];
}

async function storeView(
  id: string,
  title: string,
  { environment }: CommandContext,
  home: string,
): Promise<StoreView> {
  try {
    const address = await storeAddress({ profile: profileIn(id) }, environment);
    const { readLearnedRate, recalledRate } = await import('../store/index.ts');
    const learned = readLearnedRate(home, address);
    const rate = learned && (recalledRate(learned) ?? learned.rate);
    return { id, title, address, ...(rate === undefined ? {} : { rate }) };
  } catch (error) {
    return { id, title, address: null, problem: (error as Error).message };
  }
}

interface TerminalParts {
  /** Receives the texts of standard output. */
  readonly results: string[];
  readonly askSecret: Terminal['askSecret'];
  /** The terminal that storeport ui runs in. */
  readonly server: Terminal;
}

/** A terminal whose output goes to the page. */
function terminalFor(watch: CommandWatch, { results, askSecret, server }: TerminalParts): Terminal {
  const mask = createMask([]);
  const message = (kind: 'note' | 'warning' | 'error', text: string) => watch.message?.(kind, mask(text));
  return {
    mask,
    live: false,
    out: (text) => void results.push(mask(text)),
    note: (text) =>
      text.startsWith(WARNING) ? message('warning', text.slice(WARNING.length)) : message('note', text),
    error: (text) => message('error', text),
    status: () => {},
    hide: (...texts) => {
      for (const text of texts) mask.add(text);
      // A bug of the server may name them too.
      server.hide(...texts);
    },
    outColumns: () => undefined,
    publish: (text) => void results.push(text),
    ...(askSecret && { askSecret }),
  };
}

/**
 * Secrets that were entered on the page, by the question. They are kept in memory, and asked for once, unless a command
 * ends in a way that may be due to a wrong one.
 */
function createSecrets() {
  const known = new Map<string, string>();
  return {
    forCommand(ask: CommandWatch['askSecret']) {
      const used = new Set<string>();
      const entered = new Set<string>();
      return {
        async askSecret(question: string): Promise<string | undefined> {
          used.add(question);
          const before = known.get(question);
          if (before !== undefined) return before;
          const secret = await ask?.(question);
          if (secret === undefined || secret === '') return secret;
          known.set(question, secret);
          entered.add(question);
          return secret;
        },
        ended(exitCode: number): void {
          // A command that is wrong has sent nothing, so it says nothing about a secret of an earlier one.
          const doubtful =
            exitCode === EXIT_CODES.stopped.code ? used : exitCode === EXIT_CODES.wrong.code ? entered : [];
          for (const question of doubtful) known.delete(question);
        },
      };
    },
  };
}

const WARNING = 'Warning: ';

/** The JSON that a command printed; undefined if it printed none, or if the mask has hidden all of it. */
function resultIn(results: readonly string[]): JsonObject | undefined {
  const last = results.at(-1);
  if (last === undefined) return undefined;
  try {
    return JSON.parse(last) as JsonObject;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function failureOf(
  error: unknown,
  {
    context,
    terminal,
    results,
  }: { readonly context: CommandContext; readonly terminal: Terminal; readonly results: readonly string[] },
): CommandEnd {
  const code = exitCodeOfError(error);
  const { message, hints = [] } = error as Error & { hints?: readonly string[] };
  const { mask } = terminal;
  // The server's own mask does not know the tokens of the command.
  if (code === undefined)
    context.terminal.error(mask(`This is a bug in storeport: ${(error as Error).stack ?? error}`));
  return {
    exitCode: code ?? EXIT_CODES.stopped.code,
    result: resultIn(results),
    failure: {
      message: mask(code === undefined ? `This is a bug in storeport: ${message}` : message),
      hints: hints.map((hint) => mask(hint)),
    },
  };
}
