/** An option of the command line. */
export interface GivenArgument {
  /** As the user wrote it, such as `--dryRun`. */
  readonly written: string;
  /** Name in kebab case without the dashes, such as `dry-run`; an argument with one dash stays as written. */
  readonly name: string;
  /** Undefined if it has no value, which is valid only for a switch. */
  readonly text: string | undefined;
  /** The argument after an option without a value, for a hint in the error message. */
  readonly next?: string | undefined;
}

export interface CommandLine {
  /** The name of the command and its positional arguments. */
  readonly words: readonly string[];
  readonly given: readonly GivenArgument[];
  readonly help: boolean;
  /** True if the help shows all options; `help` is then true as well. */
  readonly helpAll: boolean;
  readonly version: boolean;
}

/** Returns the kind of an option: a switch needs no value. Undefined for an unknown option. */
export type KindOf = (name: string) => 'switch' | 'value' | undefined;

const HELP: ReadonlySet<string> = new Set(['--help', '-h']);
const HELP_ALL = '--help-all';
const VERSION: ReadonlySet<string> = new Set(['--version', '-v']);

/**
 * Splits arguments into words and options. Refuses nothing, since errors can be found only once the command is known.
 *
 * A value follows `=`, or is the next argument if that does not look like an option. A single dash and negative numbers
 * do not. For a switch the next argument is a value only if it is `true` or `false`, since others may be files.
 */
export function readCommandLine(argv: readonly string[], kindOf: KindOf): CommandLine {
  const end = argv.indexOf('--');
  const left = end === -1 ? [...argv] : argv.slice(0, end);
  const words: string[] = [];
  const given: GivenArgument[] = [];
  let help = false;
  let helpAll = false;
  let version = false;
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    if (HELP.has(arg)) help = true;
    else if (arg === HELP_ALL) helpAll = true;
    else if (VERSION.has(arg)) version = true;
    else if (!isOption(arg)) words.push(arg);
    else given.push(optionIn(arg, left, kindOf));
  }
  const all = [...words, ...(end === -1 ? [] : argv.slice(end + 1))];
  return { words: all, given, help: help || helpAll, helpAll, version };
}

/** Parses an option. Removes its value from `left` if it is the next argument. */
function optionIn(arg: string, left: string[], kindOf: KindOf): GivenArgument {
  const at = arg.indexOf('=');
  const written = at === -1 ? arg : arg.slice(0, at);
  const inline = at === -1 ? undefined : arg.slice(at + 1);
  const name = written.startsWith('--') ? dashed(written.slice(2)) : written;
  const kind = kindOf(name);
  if (
    kind === undefined &&
    inline === undefined &&
    name.startsWith('no-') &&
    kindOf(name.slice(3)) === 'switch'
  )
    return { written, name: name.slice(3), text: 'false' };
  if (inline !== undefined) return { written, name, text: inline };
  const [next] = left;
  const isValue = next !== undefined && (kind === 'switch' ? /^(true|false)$/.test(next) : !isOption(next));
  return isValue ? { written, name, text: left.shift() } : { written, name, text: undefined, next };
}

/** `dryRun` → `dry-run` */
function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function isOption(arg: string): boolean {
  return /^-(?![\d.])./s.test(arg);
}
