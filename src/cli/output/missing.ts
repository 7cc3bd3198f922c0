import type { FileBinding } from '../../map/index.ts';

export function quotedNames(name: string): string {
  return `"${name}"`;
}

/** Columns that a file lacks, each with the one that may be meant: `"Prise" (did you mean "Price"?)`. */
export function missingWords(
  { missing, meant }: Pick<FileBinding, 'missing' | 'meant'>,
  shown = quotedNames,
): string[] {
  return missing.map((name) => {
    const near = meant.get(name);
    return near === undefined ? shown(name) : `${shown(name)} (did you mean ${quotedNames(near)}?)`;
  });
}
