import { says } from '../names/read-name.ts';
import type { ReadColumn } from '../sample.ts';
import type { Concept } from '../words/concepts.ts';

/** How the rows of a file become records. */
export type GroupingGuess =
  | { readonly kind: 'rows' }
  /** Rows with the same text in the column are one record; with `continues`, rows without a text belong to the one above. */
  | {
      readonly kind: 'key';
      readonly key: ReadColumn;
      readonly continues: boolean;
      /** True if rows below the first have further values of its columns, such as categories, and are no variants. */
      readonly hasValuesBelow?: boolean;
      /** Tells the row of a product from those of its variants; undefined if each row is of a variant. */
      readonly lead?: LeadRow | undefined;
    }
  /** Rows name the row that they are part of, with `prefix` before the name: `id:17`. */
  | {
      readonly kind: 'parent';
      readonly name: ReadColumn;
      readonly parent: ReadColumn;
      readonly prefix: string;
    }
  /** Rows list the rows of their variants. `above`: the row that lists a row, by indexes in the sample. */
  | {
      readonly kind: 'parts';
      readonly name: ReadColumn;
      readonly parts: ListedParts;
      readonly above: ReadonlyMap<number, number>;
    };

/** Cells that list the keys of other rows: `A-S|A-M`, or with the pair `sku` also `sku=A-S,size=S|sku=A-M,size=M`. */
export interface ListedParts {
  readonly column: ReadColumn;
  readonly between: string;
  readonly pair: string | undefined;
  /** The most pairs beside the key that an entry has: each is an option. */
  readonly options: number;
}

/** The row that is the product itself: its column holds this text. */
export interface LeadRow {
  readonly column: string;
  readonly text: string;
}

/** The rows of variants, as `each` of a mapping names them: all, or all but the row of the product itself. */
export function variantRows(grouping: GroupingGuess): 'row' | 'child' {
  return grouping.kind === 'parent' || grouping.kind === 'parts' || (grouping.kind === 'key' && grouping.lead)
    ? 'child'
    : 'row';
}

/** True if the cell of a parent says that the row has none. */
export function isNoParent(text: string): boolean {
  return /^0?$/.test(text.trim());
}

/** The rows of each record, as indexes in the sample. A row without a key is a record of its own, as in an import. */
export function recordsOf(grouping: GroupingGuess, count: number): number[][] {
  if (grouping.kind === 'rows') return Array.from({ length: count }, (_, row) => [row]);
  if (grouping.kind === 'parent') {
    const { name, parent, prefix } = grouping;
    const names = name.cells.map((cell, row) => {
      const above = parent.cells[row]?.trim() ?? '';
      return isNoParent(above) ? `${prefix}${cell.trim()}` : above;
    });
    return [...groupRows(names).values()];
  }
  if (grouping.kind === 'parts') {
    const { name, above } = grouping;
    const leads = [...name.cells.keys()].filter((row) => !above.has(row));
    const parts = new Map(leads.map((row) => [row, [row]]));
    for (const [part, row] of above) parts.get(row)?.push(part);
    return [...parts.values()];
  }
  const { key, continues } = grouping;
  let above = '';
  const keys = key.cells.map((cell) => {
    if (cell.trim() !== '' || !continues) above = cell.trim();
    return above;
  });
  const groups = groupRows(keys);
  const alone = groups.get('') ?? [];
  groups.delete('');
  return [...groups.values(), ...alone.map((row) => [row])];
}

/** The rows below the row of their product. */
export function rowsBelow(grouping: GroupingGuess): number[] {
  if (grouping.kind === 'rows') return [];
  if (grouping.kind === 'parent')
    return grouping.parent.cells.flatMap((cell, row) => (isNoParent(cell) ? [] : [row]));
  if (grouping.kind === 'parts') return [...grouping.above.keys()];
  const { key, continues } = grouping;
  if (continues) return [...key.cells.keys()].filter((row) => (key.cells[row] ?? '').trim() === '');
  const groups = groupRows(key.cells);
  groups.delete('');
  return [...groups.values()].flatMap((rows) => rows.slice(1));
}

/** Rows by the text of their cells. */
export function groupRows(cells: readonly string[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [row, cell] of cells.entries()) {
    const rows = groups.get(cell.trim());
    if (rows) rows.push(row);
    else groups.set(cell.trim(), [row]);
  }
  return groups;
}

/** True if rows of one record differ in these cells: they are an option, not a property of the product. */
export function differsIn(records: readonly (readonly number[])[], cells: readonly string[]): boolean {
  return records.some(
    (rows) => new Set(rows.map((row) => cells[row]?.trim() ?? '').filter((cell) => cell !== '')).size > 1,
  );
}

/** Concepts of columns that identify a row. */
const NAMES_OF_ROWS: readonly Concept[] = ['sku', 'id', 'code', 'reference', 'number', 'slug', 'name'];

/** True if other rows can name a row by this column. */
export function isKeyOfRows({ reading, profile }: ReadColumn): boolean {
  return (
    !says(reading, 'parent') &&
    profile.distinctRate > 0.95 &&
    reading.unknown.length === 0 &&
    NAMES_OF_ROWS.some((concept) => says(reading, concept))
  );
}
