/** How cells hold several values: as JSON, or with a delimiter between them. */
export type CellList = { readonly json: true } | { readonly by: string };

/** Delimiters of lists; those that are rare in plain text first. */
const DELIMITERS = ['|', '\n', ';', ','] as const;

/**
 * Finds how cells list web addresses and files. A delimiter counts if nearly all of its parts are addresses: a comma inside
 * an address leaves a part that is none. undefined if the cells are no lists.
 */
export function listOfAddresses(cells: readonly string[]): CellList | undefined {
  if (cells.length === 0) return undefined;
  if (cells.every((cell) => cell.startsWith('['))) return { json: true };
  const isPart = (part: string) => /^((https?:)?\/\/|[^\s,;|]+\.(jpe?g|png|gif|webp|avif|svg)\b)/i.test(part);
  for (const by of [...DELIMITERS, ' ']) {
    const several = cells.filter((cell) => cell.includes(by));
    if (several.length === 0) continue;
    const parts = several
      .flatMap((cell) => cell.split(by).map((part) => part.trim()))
      .filter((part) => part !== '');
    if (parts.filter(isPart).length >= 0.95 * parts.length && parts.length > several.length) return { by };
  }
  return undefined;
}

/**
 * Finds how cells list words, such as tags. A delimiter counts if 2 % of the cells have it and its parts are short; `&` and
 * blanks are parts of words. undefined if the cells are no lists.
 */
export function listOfWords(cells: readonly string[]): CellList | undefined {
  if (cells.length === 0) return undefined;
  if (cells.every((cell) => cell.startsWith('['))) return { json: true };
  const counted = DELIMITERS.map((by) => {
    const several = cells.filter((cell) => partsOf(cell, by).length > 1);
    const parts = several.flatMap((cell) => partsOf(cell, by));
    const long = parts.filter((part) => part.length > 60 || part.split(/\s+/).length > 8).length;
    return { by, several: several.length, isShort: long <= parts.length * 0.1 };
  });
  return counted.find(({ several, isShort }) => isShort && several >= Math.max(1, cells.length * 0.02));
}

function partsOf(cell: string, by: string): string[] {
  return cell
    .split(by)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
