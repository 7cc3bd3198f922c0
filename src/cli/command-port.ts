import { asDamage, type JsonObject, shellWord } from '../model/index.ts';
import { createMask } from '../store/mask/mask.ts';
import type { CommandEnd, CommandPort, CommandWatch, StoreView } from '../ui/index.ts';
import { type CommandContext, version } from './context.ts';
import { EXIT_CODES, exitCodeOf, exitCodeOfError } from './exit-codes.ts';
import { resourcesFor } from './options/api.ts';
import { COMMON_OPTIONS } from './options/options.ts';
import { storeAddress } from './options/settings.ts';
import { SILENT } from './output/logger.ts';
import type { Terminal } from './output/terminal.ts';

const PROFILE = 'profile:';

/** Runs commands for `storeport ui`, in this process, with its settings. */
export function createCommandPort(context: CommandContext, home: string): CommandPort {
  /** Secrets that were entered on the page, by the question. They are kept in memory, and asked for once. */
  const secrets = new Map<string, string>();

  async function run(words: readonly string[], watch: CommandWatch): Promise<CommandEnd> {
    const results: string[] = [];
    const terminal = terminalFor(watch, results, secrets);
    try {
      const command = await context.commandOf([...words, '--home', home, '--json']);
      const exitCode = await command({
        ...{ ...context, terminal, watch, log: SILENT, json: true },
        onInterrupt: () => watch.stopped,
      });
      return { exitCode, result: resultIn(results) };
    } catch (thrown) {
      return failureOf(asDamage(thrown, home) ?? thrown, { context, terminal, results });
    }
  }

  return {
    run,
    version: version(),
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

/** A terminal whose output goes to the page. `results`: texts of standard output. */
function terminalFor(watch: CommandWatch, results: string[], secrets: Map<string, string>): Terminal {
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
    },
    outColumns: () => undefined,
    publish: (text) => void results.push(text),
    async askSecret(question) {
      const known = secrets.get(question);
      if (known !== undefined) return known;
      const entered = await watch.askSecret?.(question);
      if (entered !== undefined && entered !== '') secrets.set(question, entered);
      return entered;
    },
  };
}

const WARNING = 'Warning: ';

/** The JSON that a command printed; undefined if it printed none. */
function resultIn(results: readonly string[]): JsonObject | undefined {
  const last = results.at(-1);
  return last === undefined ? undefined : (JSON.parse(last) as JsonObject);
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
  if (code === undefined)
    context.terminal.error(`This is a bug in storeport: ${(error as Error).stack ?? error}`);
  const { mask } = terminal;
  return {
    exitCode: code ?? EXIT_CODES.stopped.code,
    result: resultIn(results),
    failure: {
      message: mask(code === undefined ? `This is a bug in storeport: ${message}` : message),
      hints: hints.map((hint) => mask(hint)),
    },
  };
}
