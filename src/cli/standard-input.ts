/** yargs drops a bare `-` from a list of files, so a dash passes through the parser under another name. */
const PLACEHOLDER = '<standard input>';

export function hideDash(argv: readonly string[]): string[] {
  return argv.map((arg) => (arg === '-' ? PLACEHOLDER : arg));
}

/** Puts it back, in a value or in a list of them. */
export function restoreDash(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(restoreDash);
  return value === PLACEHOLDER ? '-' : value;
}
