import type { FileBinding } from '../../map/index.ts';
import {
  cutText,
  isObject,
  type Json,
  ownValue,
  type Row,
  type SourceRecord,
  shownCell,
} from '../../model/index.ts';
import type { UnusedColumn } from '../../report/index.ts';

/** Records that are looked at: a column that is empty in all of them is shown without a cell. */
export const UNUSED_CELLS_WITHIN = 1000;
const MOST_CHARACTERS = 60;

/** A cell of an unused column, shortened, with the number of its record. */
export interface UnusedCell {
  readonly column: string;
  readonly sample: string;
  readonly record: number;
}

/** Collects a cell of each unused column from the first records. */
export function createUnusedCells() {
  const columns = new Set<string>();
  const cells = new Map<string, UnusedCell>();
  let looked = 0;
  return {
    note(records: readonly { readonly record: SourceRecord }[], { unused }: FileBinding): void {
      for (const name of unused) columns.add(name);
      if (looked >= UNUSED_CELLS_WITHIN) return;
      const some = records.slice(0, UNUSED_CELLS_WITHIN - looked);
      for (const column of unused) {
        if (cells.has(column)) continue;
        const found = firstCell(some, column);
        if (!found) continue;
        const sample = shownCell(column, cutText(found.text, MOST_CHARACTERS));
        cells.set(column, { column, sample, record: looked + found.at });
      }
      looked += some.length;
    },
    /** Adds what was found in records that are numbered from `first` on, and from 0 there. */
    merge(found: readonly UnusedCell[], { unused }: FileBinding, first: number): void {
      for (const name of unused) columns.add(name);
      for (const cell of found) {
        const record = first + cell.record;
        if (record < UNUSED_CELLS_WITHIN && !cells.has(cell.column))
          cells.set(cell.column, { ...cell, record });
      }
    },
    found: (): UnusedCell[] => [...cells.values()],
    columns: (): UnusedColumn[] =>
      [...columns].map((column) => ({ column, sample: cells.get(column)?.sample })),
  };
}

function firstCell(
  records: readonly { readonly record: SourceRecord }[],
  name: string,
): { readonly text: string; readonly at: number } | undefined {
  for (const [at, { record }] of records.entries())
    for (const row of record.rows) {
      const text = cellIn(row, name).trim();
      if (text !== '') return { text, at };
    }
  return undefined;
}

/** The text of a column, or of a field of a JSON object by its path. */
function cellIn({ table, cells, value }: Row, name: string): string {
  if (!isObject(value)) return cells[table.header.indexOf(name)] ?? '';
  const found = name
    .split('.')
    .reduce<Json | undefined>(
      (inner, key) =>
        isObject(inner)
          ? ownValue(inner, key.replace(/\[\]$/, ''))
          : Array.isArray(inner)
            ? undefined
            : inner,
      value,
    );
  return found === undefined || found === null
    ? ''
    : typeof found === 'string'
      ? found
      : JSON.stringify(found);
}
