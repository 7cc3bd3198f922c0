import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from './files/fs.ts';
import { shellWord } from './text/shell-word.ts';

// Composes every command line that a message, a report or a page prints, so that it runs as it is printed.

/** Options by name: `true` for a switch, a list for an option that is repeated, undefined to leave the option out. */
export type PrintedOptions = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** The command line that is running, for the commands that it prints. */
export interface RunningLine {
  /** Name of its command, such as `run resume`. */
  readonly command: string;
  /** The words after the name. */
  readonly words: readonly string[];
  /** Its options as they were given, without secrets. `home` only if it is not the default. */
  readonly options: PrintedOptions;
  /** Names of all options that its command has. */
  readonly takes: readonly string[];
  /** True if a person typed it; false if a page runs it. */
  readonly isTyped: boolean;
}

const runningLines = new AsyncLocalStorage<RunningLine>();
/** The command line of a thread or process that serves only one. */
let threadLine: RunningLine | undefined;

/** Runs a command: all that `run` starts prints commands that go with this one. */
export function inCommandLine<Result>(line: RunningLine, run: () => Result): Result {
  return runningLines.run(line, run);
}

/** The running command line, to pass it to a thread; undefined if there is none, as in the library. */
export function runningLine(): RunningLine | undefined {
  return runningLines.getStore() ?? threadLine;
}

/**
 * Sets the command line of a whole thread, for signals and other threads, which `inCommandLine` does not reach. A process
 * with one command line needs no more: an AsyncLocalStorage costs time at each promise.
 */
export function setThreadLine(line: RunningLine | undefined): void {
  threadLine = line;
}

const FORMAT_WORDS = [
  ...['format', 'encoding', 'delimiter', 'quote', 'sheet', 'skip-lines', 'no-header', 'pad-rows'],
  ...['rows', 'skip-rows', 'until-blank-row'],
] as const;
const RECORD_WORDS = ['mapping', 'allow-lookup', 'mode', 'set', 'image-base', 'country'] as const;
const STORE_WORDS = ['profile', 'base-url', 'client-id', 'store-id'] as const;
const SEND_WORDS = ['rate', 'concurrency', 'timeout', 'give-up-after'] as const;
const RUN_WORDS = [...STORE_WORDS, ...SEND_WORDS, 'in-doubt'] as const;
const REPORT_WORDS = ['errors-as', 'report-without-rows', 'out-delimiter', 'out-bom'] as const;

/** Options of the running command that the next one about the same file or the same run needs too, by its name. */
export const CARRIED_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  import: [...FORMAT_WORDS, ...RECORD_WORDS, ...STORE_WORDS, 'sandbox', 'mask-contacts'],
  validate: [...FORMAT_WORDS, ...RECORD_WORDS, 'profile', 'mask-contacts'],
  'mapping suggest': [...FORMAT_WORDS, 'profile'],
  export: [...STORE_WORDS, 'sandbox'],
  migrate: [...STORE_WORDS, ...SEND_WORDS, ...REPORT_WORDS, 'sandbox', 'mask-contacts'],
  'run resume': RUN_WORDS,
  'run retry': RUN_WORDS,
  'run resolve': RUN_WORDS,
  'run undo': RUN_WORDS,
};

/** Options that say where the database of a fleet is. */
const DATABASE_WORDS = ['database', 'database-schema', 'profile'] as const;

/** Composes a command, with the place of the ledger that the running command uses: a folder, or the database of a fleet. */
export function printedCommand(
  command: string,
  words: readonly string[] = [],
  options: PrintedOptions = {},
): string {
  const place = picked(command.startsWith('fleet ') ? DATABASE_WORDS : ['home']);
  return composed(command, words, { ...options, ...place });
}

/** Composes a command about the file that the running command reads: it reads the file in the same way. */
export function fileCommand(command: string, words: readonly string[], options: PrintedOptions = {}): string {
  return printedCommand(command, words, { ...carriedTo(command), ...options });
}

/**
 * Composes a command about a run. A run keeps the options of its import, so only those that were given to another command
 * about runs are added.
 */
export function runCommand(command: string, run: string, options: PrintedOptions = {}): string {
  const carried = runningLine()?.command.startsWith('run ') ? carriedTo(command) : {};
  return printedCommand(command, [run], { ...carried, ...options });
}

/** Composes `mapping suggest` for a file, with a name for the mapping that no file has. */
export function suggestCommand(resource: string, file: string): string {
  return fileCommand('mapping suggest', [resource, file], { out: freeMappingName(resource) });
}

/** A name for the file of a mapping that no file of the working directory has. */
export function freeMappingName(base: string): string {
  for (let count = 1; ; count++) {
    const name = `${base}${count === 1 ? '' : `-${count}`}.yaml`;
    if (!existsSync(name)) return name;
  }
}

/** Another resource in place of the one that the running command names. */
interface OtherResource {
  readonly from: string;
  readonly to: string;
}

/**
 * Composes the running command line with other options, or for another resource. Undefined if that is not a command to give: it
 * reads standard input, it does not have such an option, nobody typed it, or there is none.
 */
export function commandAgain(changes: PrintedOptions, other?: OtherResource): string | undefined {
  const line = runningLine();
  if (!line?.isTyped || line.words.includes('-')) return undefined;
  if (!Object.keys(changes).every((name) => line.takes.includes(name))) return undefined;
  const [first, ...rest] = line.words;
  if (other !== undefined && first !== other.from) return undefined;
  const words = other === undefined ? line.words : [other.to, ...rest];
  return composed(line.command, words, { ...line.options, ...changes });
}

/** The running command line with other options, as a hint of its own; no hint if it cannot be given again. */
export function againHint(changes: PrintedOptions, other?: OtherResource): string[] {
  const again = commandAgain(changes, other);
  return again === undefined ? [] : [`The whole command: ${again}`];
}

function carriedTo(command: string): PrintedOptions {
  return picked(CARRIED_OPTIONS[command] ?? []);
}

/** Returns the named options that the running command was given. */
function picked(names: readonly string[]): PrintedOptions {
  const { options = {} } = runningLine() ?? {};
  return Object.fromEntries(Object.entries(options).filter(([name]) => names.includes(name)));
}

function composed(command: string, words: readonly string[], options: PrintedOptions): string {
  return ['storeport', ...command.split(' '), ...argumentWords(words, options)].map(shellWord).join(' ');
}

/**
 * The words of a command line after the name of its command, as a program passes them. `areJoined`: an option and its value are
 * one word.
 */
export function argumentWords(
  words: readonly string[],
  options: PrintedOptions,
  { areJoined = false }: { readonly areJoined?: boolean } = {},
): string[] {
  const given = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (value === true) return [`--${name}`];
    if (value === false) return [name.startsWith('no-') ? `--${name}=false` : `--no-${name}`];
    const texts = typeof value === 'object' ? value : [String(value)];
    // A text such as `-5` would be another option if it were a word of its own.
    return texts.flatMap((text) =>
      areJoined || text.startsWith('-') ? [`--${name}=${text}`] : [`--${name}`, text],
    );
  });
  const isLikeOption = words.some((word) => word.startsWith('-') && word !== '-');
  return isLikeOption ? [...given, '--', ...words] : [...words, ...given];
}
