import { setImmediate } from 'node:timers/promises';
import type { Row, RowLinks, SourceRecord } from '../model/index.ts';
import { withLead } from './lead.ts';
import { openRowTables, type RowTables } from './row-tables.ts';

/** How rows that need not stand together become records. */
export interface Gathering {
  /** Rows with the same text are one record; '' is a record of its own. */
  readonly keyOf?: ((row: Row) => string) | undefined;
  /** Or rows name each other. */
  readonly linksOf?: ((row: Row) => RowLinks) | undefined;
  /** A row may be part of several others, and is then in the record of each. */
  readonly sharesParts?: boolean | undefined;
  /** Of rows with one key, the one that leads; else it is the first. */
  readonly isLead?: ((row: Row) => boolean) | undefined;
}

export interface GatherOptions {
  /** Where the rows lie meanwhile. */
  readonly folder: string;
  /** Told how much of what was read is given out, 0 to 1. */
  readonly onGiven?: ((part: number) => void) | undefined;
}

/** Rows of records that are given out together: few, see the invariant on memory in ARCHITECTURE.md. */
const BATCH_ROWS = 50;

/**
 * Rows → records, wherever the rows of a record stand. All are read before the first record comes, and lie on disk
 * until then; memory holds one record's rows. Records come in the order of their first rows, and their rows in that of
 * the files, but for the lead row, which stands first.
 *
 * While it reads it yields empty batches, so that whoever waits can stop it. While it gives them out the event loop has its
 * turn before each batch: nothing else makes it turn where no record is sent, and outcomes that a ledger is to write would pile
 * up, and an interrupt go unheard.
 */
export async function* gather(
  batches: AsyncIterable<readonly Row[]>,
  gathering: Gathering,
  { folder, onGiven }: GatherOptions,
): AsyncGenerator<SourceRecord[]> {
  const tables = openRowTables(folder, gathering.sharesParts);
  try {
    const take = taker(tables, gathering);
    for await (const rows of batches) {
      for (const row of rows) take(row);
      yield [];
    }
    for (const records of inBatches(tables, gathering, onGiven)) {
      await setImmediate();
      yield records;
    }
  } finally {
    tables.close();
  }
}

function* inBatches(
  tables: RowTables,
  { isLead }: Gathering,
  onGiven: GatherOptions['onGiven'],
): Generator<SourceRecord[]> {
  let seq = 0;
  let given = 0;
  let rowsInBatch = 0;
  let batch: SourceRecord[] = [];
  for (const { rows, lead, issues } of tables.records()) {
    const inOrder = withLead(rows, lead ? (row) => row === lead : isLead);
    batch.push({ seq: seq++, rows: inOrder, ...(issues.length > 0 ? { issues } : {}) });
    rowsInBatch += rows.length;
    if (rowsInBatch < BATCH_ROWS) continue;
    given += rowsInBatch;
    // Rows in several records are given out more than once.
    onGiven?.(Math.min(1, given / tables.count));
    yield batch;
    batch = [];
    rowsInBatch = 0;
  }
  onGiven?.(1);
  if (batch.length > 0) yield batch;
}

function taker(tables: RowTables, { keyOf, linksOf }: Gathering): (row: Row) => void {
  if (linksOf) return (row) => tables.addLinks(row, linksOf(row));
  if (!keyOf) throw new Error('rows are gathered by a key or by what they say of each other');
  // A damaged row whose key cannot be read belongs to the record around it, as where rows stand together.
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
