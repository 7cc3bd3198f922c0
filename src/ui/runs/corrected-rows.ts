import { isCorrected } from './corrections.ts';
import type { FixSession } from './fix-session.ts';
import type { CheckedRow } from './row-check.ts';
import type { IndexedRow } from './row-index.ts';

/** A row to send: its place among all returned rows, and its cells with the corrections. */
export interface RowToSend extends CheckedRow {
  readonly cells: readonly string[];
}

/**
 * All rows of records with a correction: an import needs a record whole, and one without a correction would
 * fail again. Dropped rows are left out.
 */
export async function* correctedRows(session: FixSession): AsyncGenerator<RowToSend> {
  const { index, correct } = session;
  const needed = index.hasShared ? await sharedRowsToSend(session) : new Set<number>();
  for await (const record of recordsOf(session)) {
    const isSent = record.isEdited;
    for (const [at, row] of record.rows) {
      const { cells, isDropped } = correct(at, row);
      if (!isDropped && (isSent || needed.has(at))) yield { index: at, row: row.row, cells };
    }
  }
}

interface RecordRows {
  readonly rows: readonly (readonly [index: number, row: IndexedRow])[];
  /** One of its rows has a correction and can be sent. */
  readonly isEdited: boolean;
}

/** The rows of each record, which are side by side. A row that is shared counts for all records that have it. */
async function* recordsOf({ index, correct }: FixSession): AsyncGenerator<RecordRows> {
  /** Rows with corrections, of runs whose records share rows. */
  const editedRows = new Set<number>();
  let rows: (readonly [number, IndexedRow])[] = [];
  const take = (): RecordRows => {
    const own = rows.filter(([at, row]) => {
      const isEdited = isCorrected(correct(at, row));
      if (isEdited && index.hasShared) editedRows.add(at);
      return isEdited;
    });
    const isEdited = own.length > 0 || (rows[0]?.[1].x ?? []).some((at) => editedRows.has(at));
    return { rows, isEdited };
  };
  for await (const pair of index.all()) {
    if (rows.length > 0 && rows[0]?.[1].f !== pair[1].f) {
      yield take();
      rows = [];
    }
    rows.push(pair);
  }
  if (rows.length > 0) yield take();
}

/** Indexes of rows that a record to send shares with an earlier one. Only shared rows are remembered. */
async function sharedRowsToSend(session: FixSession): Promise<ReadonlySet<number>> {
  const needed = new Set<number>();
  for await (const { rows, isEdited } of recordsOf(session))
    if (isEdited) for (const at of rows[0]?.[1].x ?? []) needed.add(at);
  return needed;
}
