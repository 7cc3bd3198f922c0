import { isOwnColumn, type Row, type Table } from '../model/index.ts';
import type { Completion } from './consecutive.ts';
import { openRowTables } from './row-tables.ts';

/** Records whose rows are not consecutive. Keeps all their rows on disk until the first of them is reached again. */
export interface SpilledParts {
  /** Adds consecutive rows of a record, in the order of the files. */
  add(key: string, rows: readonly Row[]): void;
  /**
   * Returns all rows of the record that begins with these rows; undefined if its first rows are further up. To be
   * called in the order of the files, after the last `add`. Throws RunStopped if the disk cannot be read.
   */
  completed(together: readonly Row[]): CompletedParts | undefined;
  close(): void;
}

export interface CompletedParts extends Completion {
  /** True if some of its rows were elsewhere. */
  readonly isApart: boolean;
  /** True if some of these were left out, since a row further up has the same cells. */
  readonly hasRepeated: boolean;
}

/** `tables` are those of the files, in their order; each row belongs to one of them. */
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
      // A resumed run that starts further down in the file does not reach the first rows of some records.
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
 * Leaves out rows of later parts that repeat an earlier row: if a part is in a file twice, the product would get two
 * of each variant. The same part in errors.csv of two runs is a repetition too, although the tool's own columns
 * differ. `first` is the number of rows of the first part, which are kept.
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
