import { unseenDamage } from './damage-mark.ts';
import type { Row, SourceRecord } from './row.ts';

/** A source row as reports return it: its number and its original cells. */
export interface KeptRow {
  readonly row: number;
  readonly cells: readonly string[];
  /** The row is part of several records; see `Row.shared`. */
  readonly shared?: true;
  /** See `unseenDamage`. */
  readonly damage?: string;
}

/** `cells` replaces those of the row. */
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
 * Returns a filter for one output file that drops repetitions of a row that several records share. The user then
 * corrects the row once, and importing the file does not find its name twice. Remembers only shared rows.
 */
export function firstOfShared(): (row: KeptRow) => boolean {
  const seen = new Set<string>();
  return ({ row, cells, shared }) => {
    if (!shared) return true;
    // The number alone does not identify a row if the run reads several files.
    const mark = JSON.stringify([row, cells]);
    if (seen.has(mark)) return false;
    seen.add(mark);
    return true;
  };
}
