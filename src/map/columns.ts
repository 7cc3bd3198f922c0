import type { Table } from '../model/index.ts';

/** Headers match after trimming, case folding and Unicode normalisation; runs of blanks count as one. */
export function fold(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** The columns of one file, by the names a mapping uses. */
export interface Columns {
  /** Position of the column called `name` or one of its aliases; undefined where the file lacks it. */
  find(name: string): number | undefined;
  /** Folded names that stand in the header more than once. */
  readonly repeated: ReadonlySet<string>;
}

export function columnsOf(table: Table, aliases: ReadonlyMap<string, readonly string[]>): Columns {
  const positions = new Map<string, number>();
  const repeated = new Set<string>();
  table.header.forEach((name, index) => {
    const folded = fold(name);
    if (folded === '') return;
    if (positions.has(folded)) repeated.add(folded);
    else positions.set(folded, index);
  });
  const otherNames = new Map([...aliases].map(([name, others]) => [fold(name), others]));
  return {
    repeated,
    find(name) {
      const folded = fold(name);
      const candidates = [folded, ...(otherNames.get(folded) ?? []).map(fold)];
      for (const candidate of candidates) {
        const index = positions.get(candidate);
        if (index !== undefined) return index;
      }
      return undefined;
    },
  };
}
