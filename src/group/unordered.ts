import { setImmediate } from 'node:timers/promises';
import type { Row, RowLinks, SourceRecord } from '../model/index.ts';
import { withLead } from './consecutive.ts';
import { openRowTables, type RowTables } from './row-tables.ts';

/** How rows become records if they need not be consecutive. */
export interface UnorderedGrouping {
  /** Rows with the same text are one record; '' is a record of its own. */
  readonly keyOf?: ((row: Row) => string) | undefined;
  /** Used instead of keys if rows refer to each other by name. */
  readonly linksOf?: ((row: Row) => RowLinks) | undefined;
  /** True if a row may be part of several others, and is then in the record of each. */
  readonly sharesParts?: boolean | undefined;
  /** Selects the lead among rows with one key. Default: the first row. */
  readonly isLead?: ((row: Row) => boolean) | undefined;
}

export interface UnorderedOptions {
  /** Folder of the temporary file for the rows. */
  readonly folder: string;
  /** Called with the share of rows that were passed on, from 0 to 1, for progress. */
  readonly onDrained?: ((part: number) => void) | undefined;
}

/** Rows in a batch of records: few, see the invariant on memory in ARCHITECTURE.md. */
const BATCH_ROWS = 50;

/**
 * Groups rows into records, wherever the rows of a record are. All rows are read, and kept on disk, before the first
 * record is returned; memory holds the rows of one record. Records are in the order of their first rows. The rows of a
 * record are in the order of the files, except that the lead is first.
 *
 * Yields empty batches while it reads, so that the caller can stop it. Lets the event loop turn before each batch of
 * records. If no record is sent, nothing else would: outcomes for the ledger would pile up, and an interrupt would not
 * be handled.
 */
export async function* groupUnordered(
  batches: AsyncIterable<readonly Row[]>,
  grouping: UnorderedGrouping,
  { folder, onDrained }: UnorderedOptions,
): AsyncGenerator<SourceRecord[]> {
  const tables = openRowTables(folder, grouping.sharesParts);
  try {
    const addRow = rowAdder(tables, grouping);
    for await (const rows of batches) {
      for (const row of rows) addRow(row);
      yield [];
    }
    for (const records of inBatches(tables, grouping, onDrained)) {
      await setImmediate();
      yield records;
    }
  } finally {
    tables.close();
  }
}

function* inBatches(
  tables: RowTables,
  { isLead }: UnorderedGrouping,
  onDrained: UnorderedOptions['onDrained'],
): Generator<SourceRecord[]> {
  let seq = 0;
  let emitted = 0;
  let rowsInBatch = 0;
  let batch: SourceRecord[] = [];
  try {
    for (const { rows, lead, issues } of tables.records()) {
      const inOrder = withLead(rows, lead ? (row) => row === lead : isLead);
      batch.push({ seq: seq++, rows: inOrder, ...(issues.length > 0 ? { issues } : {}) });
      rowsInBatch += rows.length;
      if (rowsInBatch < BATCH_ROWS) continue;
      emitted += rowsInBatch;
      // Rows in several records are passed on more than once.
      onDrained?.(Math.min(1, emitted / tables.count));
      yield batch;
      batch = [];
      rowsInBatch = 0;
    }
  } catch (error) {
    // The records before are whole.
    if (batch.length > 0) yield batch;
    throw error;
  }
  onDrained?.(1);
  if (batch.length > 0) yield batch;
}

function rowAdder(tables: RowTables, { keyOf, linksOf }: UnorderedGrouping): (row: Row) => void {
  if (linksOf) return (row) => tables.addLinks(row, linksOf(row));
  if (!keyOf) throw new Error('unordered rows are grouped by a key or by links');
  // A damaged row whose key cannot be read belongs to the record around it, as in `consecutive.ts`.
  let openKey = '';
  let damaged = 0;
  return (row) => {
    const key = keyOf(row);
    tables.add(row, key === '' ? undefined : key);
    if (key === '' && row.issues && openKey !== '') {
      damaged++;
      return;
    }
    if (damaged > 0 && key !== '' && key === openKey) tables.joinLast(damaged, key);
    damaged = 0;
    openKey = key;
  };
}
