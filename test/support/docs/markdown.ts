export function code(text: string): string {
  return `\`${text}\``;
}

/** A code of an issue with a link to its entry. */
export function codeLink(word: string): string {
  return `[${code(word)}](troubleshooting.md#${word})`;
}

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), `|${'---|'.repeat(header.length)}`, ...rows.map(line)].join('\n');
}
