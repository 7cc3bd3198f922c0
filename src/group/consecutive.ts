import type { Issue, Row, SourceRecord } from '../model/index.ts';
import { createRecordSize } from './record-limit.ts';

/** How consecutive rows become records. */
export interface Grouping {
  /** Consecutive rows with the same text are one record. Undefined: each row is one. */
  readonly keyOf?: ((row: Row) => string) | undefined;
  /** The first row for which it returns true, if any, is moved before the others of its record. */
  readonly isLead?: ((row: Row) => boolean) | undefined;
  /** A row without a key continues the record above, if that has a key; otherwise it is a record of its own. */
  readonly emptyContinues?: boolean | undefined;
  /**
   * Called with the rows of each record before it is passed on, since more of its rows may be elsewhere in the files.
   */
  readonly completed?: Completed | undefined;
}

/** Returns all rows of the record that these consecutive rows belong to; undefined if its first rows are further up. */
export type Completed = (key: string, rows: readonly Row[]) => Completion | undefined;

export interface Completion {
  readonly rows: readonly Row[];
  readonly issues?: readonly Issue[];
  readonly warnings?: readonly string[];
}

/**
 * Groups rows into records, in order. Holds no more than the rows of one record. `firstSeq` is the index of the first
 * record. Throws RunStopped at a record that is too large to hold.
 *
 * A damaged row whose key could not be read belongs to the record around it if the next row has the same key; so a
 * product is not sent without one of its rows. Otherwise it is a record of its own, which its issues make invalid.
 */
export async function* group(
  batches: AsyncIterable<readonly Row[]>,
  { keyOf, isLead, emptyContinues, completed }: Grouping,
  firstSeq = 0,
): AsyncGenerator<SourceRecord[]> {
  let seq = firstSeq;
  if (keyOf === undefined) {
    // No row waits for the next one: if that cannot be read, this one still counts.
    for await (const rows of batches)
      if (rows.length > 0) yield rows.map((row) => ({ seq: seq++, rows: [row] }));
    return;
  }
  let open: Row[] = [];
  let openKey = '';
  let damaged: Row[] = [];
  let records: SourceRecord[] = [];
  const size = createRecordSize();

  const close = () => {
    if (open.length > 0) {
      const whole = completed ? completed(openKey, open) : { rows: open };
      if (whole) records.push({ seq: seq++, ...whole, rows: withLead(whole.rows, isLead) });
    }
    for (const row of damaged) records.push({ seq: seq++, rows: [row] });
    open = [];
    damaged = [];
  };

  const add = (row: Row, key: string) => {
    const isDamaged = key === '' && row.issues !== undefined;
    if (key === '' && openKey !== '' && (emptyContinues || isDamaged)) {
      size.add(row);
      (emptyContinues ? open : damaged).push(row);
      return;
    }
    if (key === '' || key !== openKey) close();
    if (open.length === 0) size.begin(row);
    else size.add(row);
    for (const each of damaged) open.push(each);
    open.push(row);
    damaged = [];
    openKey = key;
  };

  for await (const rows of batches) {
    try {
      for (const row of rows) add(row, keyOf(row));
    } catch (error) {
      // The records before are whole.
      if (records.length > 0) yield records;
      throw error;
    }
    if (records.length > 0) yield records;
    records = [];
  }
  close();
  if (records.length > 0) yield records;
}

/** Moves the lead of a record to the front: the first row for which `isLead` returns true, otherwise the first row. */
export function withLead(rows: readonly Row[], isLead: ((row: Row) => boolean) | undefined): readonly Row[] {
  const place = isLead ? rows.findIndex(isLead) : 0;
  if (place <= 0) return rows;
  return [rows[place] as Row, ...rows.slice(0, place), ...rows.slice(place + 1)];
}
