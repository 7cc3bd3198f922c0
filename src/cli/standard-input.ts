/** yargs drops a bare `-` from a list of files, so it passes through the parser under another name. */
const PLACEHOLDER = '<standard input>';

export function hideDash(argv: readonly string[]): string[] {
  return argv.map((arg) => (arg === '-' ? PLACEHOLDER : arg));
}

export function restoreDash(file: string): string {
  return file === PLACEHOLDER ? '-' : file;
}
