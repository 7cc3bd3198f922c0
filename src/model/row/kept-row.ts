import { unseenDamage } from './damage-mark.ts';
import type { Row, SourceRecord } from './row.ts';

/** A source row as reports give it back: its number and its cells as they were. */
export interface KeptRow {
  readonly row: number;
  readonly cells: readonly string[];
  /** It is in several records; see `Row.shared`. */
  readonly shared?: true;
  /** See `unseenDamage`. */
  readonly damage?: string;
}

/** `cells`: others than those of the row. */
export function keptRow(row: Row, cells = row.cells): KeptRow {
  const { row: number, shared } = row;
  if (!shared && !row.issues) return { row: number, cells };
  const damage = unseenDamage(row);
  return { row: number, cells, ...(shared ? { shared } : {}), ...(damage === undefined ? {} : { damage }) };
}

export function keptRows(record: SourceRecord): KeptRow[] {
  return record.rows.map((row) => keptRow(row));
}

/**
 * Returns a test for one output file: false for a row that is in several records and was written before. Such a row is then
 * corrected in one place, and is no second row of its name when the file is imported. Remembers only shared rows.
 */
export function firstOfShared(): (row: KeptRow) => boolean {
  const seen = new Set<string>();
  return ({ row, cells, shared }) => {
    if (!shared) return true;
    // The number alone does not identify a row where the run reads several files.
    const mark = JSON.stringify([row, cells]);
    if (seen.has(mark)) return false;
    seen.add(mark);
    return true;
  };
}
