import type { Binding } from '../../map/index.ts';

export function quoted(name: string): string {
  return `"${name}"`;
}

/** Columns that a file lacks, each with the one that may be meant: `"Prise" (did you mean "Price"?)`. */
export function missingWords(
  { missing, meant }: Pick<Binding, 'missing' | 'meant'>,
  shown = quoted,
): string[] {
  return missing.map((name) => {
    const near = meant.get(name);
    return near === undefined ? shown(name) : `${shown(name)} (did you mean ${quoted(near)}?)`;
  });
}
