import { isOwnColumn, type Row, type Table } from '../model/index.ts';
import type { Completion } from './consecutive.ts';
import { openRowTables } from './row-tables.ts';

/** Records whose rows stand apart: all of these rows, on disk, until the first of them is met again. */
export interface SpilledParts {
  /** Takes some rows of a record, in the order of the files. */
  add(key: string, rows: readonly Row[]): void;
  /**
   * All rows of the record that these are the first of; undefined where its first ones stand further up. To be asked in
   * the order of the files, once nothing is added any more. Throws RunStopped where the disk cannot be read.
   */
  completed(together: readonly Row[]): CompletedParts | undefined;
  close(): void;
}

export interface CompletedParts extends Completion {
  /** Some of its rows stood elsewhere. */
  readonly isApart: boolean;
  /** Some of these were left out, since a row further up is the same cell by cell. */
  readonly hasRepeated: boolean;
}

/** `tables`: of the files, in their order; rows belong to one of them. */
export function openParts(folder: string, tables: readonly Table[]): SpilledParts {
  const kept = openRowTables(folder);
  let records: Iterator<Completion> | undefined;
  let next: Completion | undefined;

  function isBefore(a: Row, b: Row): boolean {
    return a.table === b.table ? a.row < b.row : tables.indexOf(a.table) < tables.indexOf(b.table);
  }

  function advance(): void {
    records ??= kept.records();
    const { value, done } = records.next();
    next = done ? undefined : value;
  }

  return {
    add(key, rows) {
      for (const row of rows) kept.add(row, key);
    },
    completed(together) {
      const [first] = together;
      if (records === undefined) advance();
      if (first === undefined) return undefined;
      // A run that goes on further down in the file does not meet the first of them.
      while (next?.rows[0] && isBefore(next.rows[0], first)) advance();
      const [lead] = next?.rows ?? [];
      if (!lead || lead.table !== first.table || lead.row !== first.row) return undefined;
      const all = next?.rows ?? [];
      const rows = withoutRepeated(all, together.length);
      return { rows, isApart: all.length > together.length, hasRepeated: all.length > rows.length };
    },
    close: kept.close,
  };
}

/**
 * A part that is in a file twice would make a product with each of its variants twice. It is the same part in errors.csv of
 * two runs, whose own columns differ. `first`: the rows of the first part.
 */
function withoutRepeated(rows: readonly Row[], first: number): readonly Row[] {
  const seen = new Set<string>();
  return rows.filter(({ cells, issues, table: { header } }, index) => {
    const text = JSON.stringify(cells.filter((_cell, column) => !isOwnColumn(header[column] ?? '')));
    const isNew = index < first || issues !== undefined || !seen.has(text);
    seen.add(text);
    return isNew;
  });
}
