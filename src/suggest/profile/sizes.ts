import { isFew } from '../evidence.ts';

/** Sizes in letters, as clothes have them: `S`, `XXL`, `3XL`. */
const IN_LETTERS = /^(\d?x{0,4}[sl]|m|xs\/s|s\/m|m\/l|l\/xl)$/i;
/** Sizes of shoes and clothes. */
const IN_FIGURES = /^[2-6]\d([.,]5)?$/;

/** True if a text is a size in letters. */
export function isSize(text: string): boolean {
  return IN_LETTERS.test(text.trim());
}

/** True if names are nothing but sizes: all in letters, or all in figures that grow. */
export function areSizeNames(names: readonly string[]): boolean {
  const figures = names.map((name) =>
    IN_FIGURES.test(name.trim()) ? Number(name.replace(',', '.')) : Number.NaN,
  );
  return names.every(isSize) || figures.every((size, n) => size > (figures[n - 1] ?? 0));
}

/** Marks between values. A slash may be part of one: `S/M`. */
const MARKS = ['|', ';', '\n', ','] as const;
const MAX_LENGTH = 20;

/**
 * The mark between the values of an option that cells list, such as `S|M|L`. Most cells must have several, and cells must have values in
 * common. undefined if the cells are no such lists for certain.
 */
export function valueListMark(cells: readonly string[]): string | undefined {
  for (const by of MARKS) {
    const lists = cells.map((cell) => cell.split(by).map((part) => part.trim()));
    const several = lists.filter(({ length }) => length > 1);
    if (several.length <= 0.5 * cells.length) continue;
    const isPlain = lists
      .flat()
      .every((part) => part !== '' && part.length <= MAX_LENGTH && !/[%:=]|\d\s*[x×*]\s*\d/i.test(part));
    const isDecimal = by === ',' && cells.some((cell) => /\d,\d/.test(cell));
    const doubled = lists.filter((parts) => new Set(parts).size < parts.length).length;
    const haveCommon = new Set(lists.flat()).size < lists.flat().length - doubled;
    return isPlain && !isDecimal && isFew(doubled, lists.length) && haveCommon ? by : undefined;
  }
  return undefined;
}

/** A value with a figure: `S:4`, `Size=M:2`. */
const WITH_FIGURE = /^([^:=]+=)?[^:=]+[:=]\s*[+-]?\d+([.,]\d+)?$/;

/** True if most cells list values with a figure for each, such as the stock of each size. */
export function areFigureLists(cells: readonly string[]): boolean {
  const lists = cells.filter((cell) => {
    const parts = cell.split(/[|;\n,]/).map((part) => part.trim());
    return parts.length > 1 && parts.every((part) => WITH_FIGURE.test(part));
  });
  return lists.length > 0.5 * cells.length;
}
