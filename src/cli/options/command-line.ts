/** An option as it was given. */
export interface GivenArgument {
  /** As the user wrote it, such as `--dryRun`. */
  readonly written: string;
  /** As the tables of options have it, such as `dry-run`; of one that no table has, as it was written. */
  readonly name: string;
  /** Undefined: it has no value, which only a switch can do without. */
  readonly text: string | undefined;
  /** The argument behind an option without a value. */
  readonly next?: string | undefined;
}

export interface CommandLine {
  /** Everything that is no option and no value of one. */
  readonly words: readonly string[];
  readonly given: readonly GivenArgument[];
  readonly help: boolean;
  readonly version: boolean;
}

/** Whether an option of that name is a switch, which needs no value, or has a value; undefined for an unknown one. */
export type KindOf = (name: string) => 'switch' | 'value' | undefined;

const HELP: ReadonlySet<string> = new Set(['--help', '-h']);
const VERSION: ReadonlySet<string> = new Set(['--version', '-v']);

/**
 * Arguments as words and options. Nothing is refused here: what is wrong is known once the command is.
 *
 * A value stands behind `=` or is the next argument, if that does not look like an option: a dash alone and negative
 * numbers do not. Of a switch only `true` and `false` are a value in the next argument, since others may be files.
 */
export function readCommandLine(argv: readonly string[], kindOf: KindOf): CommandLine {
  const end = argv.indexOf('--');
  const left = end === -1 ? [...argv] : argv.slice(0, end);
  const words: string[] = [];
  const given: GivenArgument[] = [];
  let help = false;
  let version = false;
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    if (HELP.has(arg)) help = true;
    else if (VERSION.has(arg)) version = true;
    else if (!isOption(arg)) words.push(arg);
    else given.push(optionIn(arg, left, kindOf));
  }
  return { words: [...words, ...(end === -1 ? [] : argv.slice(end + 1))], given, help, version };
}

/** Takes the value from what is left, if it stands there. */
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
