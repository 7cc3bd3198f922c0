import { type Database, inTransaction, openDatabase } from '../../../src/ledger/database/database.ts';
import { endRun, insertRun } from '../../../src/ledger/runs.ts';

/** Records of one run. */
const RUN_RECORDS = 1_000_000;
/** Records of one transaction: some 20 MB of pages. */
const BATCH = 100_000;
/** Top-level fields of a payload, each with 8 characters of digest. */
const FIELDS = [
  'reference',
  'name',
  'html',
  'tags',
  'status',
  'price',
  'quantity',
  'images',
  'options',
  'seo',
];

export const LARGE_STORE = 'https://shop.example';

/** The key of the record number `n`. */
export function keyAt(n: number): string {
  return `SKU-${String(n).padStart(9, '0')}`;
}

/**
 * Fills the ledger under `home` up to that number of products, as imports of a million new products each would leave it.
 * Continues after an earlier call. Writes through the ledger's own schema, log and checksums.
 */
export function buildLedger(home: string, identities: number, onProgress: (built: number) => void): void {
  const database = openDatabase(home);
  try {
    database.prepare('insert or ignore into shape (number, fields) values (1, ?)').run(FIELDS.join(','));
    for (let built = countIn(database); built < identities; ) {
      const records = Math.min(RUN_RECORDS, identities - built);
      addRun(database, built, records);
      built += records;
      onProgress(built);
    }
  } finally {
    database.close();
  }
}

function countIn(database: Database): number {
  const { count } = database
    .prepare(`select coalesce(sum(options ->> 'records'), 0) as count from run where state = 'done'`)
    .get() as { count: number };
  return count;
}

function addRun(database: Database, from: number, records: number): void {
  const run = inTransaction(database, () =>
    insertRun(
      database,
      {
        id: `20260101-000000-${String(from / RUN_RECORDS).padStart(4, '0')}`,
        command: 'import',
        resource: 'products',
        mode: 'upsert',
        store: LARGE_STORE,
        remembered: true,
        mappingName: 'native',
        mappingDigest: '',
        files: [{ file: `products-${from}.csv` }],
        header: ['reference', 'name'],
        options: { records },
        out: `storeport-runs/${from}`,
        version: '0.0.0',
        startedAt: 1_767_225_600_000 + from,
      },
      '.storeport',
    ),
  );
  inTransaction(database, () =>
    database
      .prepare('insert or ignore into target (number, store, resource) values (1, ?, ?)')
      .run(LARGE_STORE, 'products'),
  );
  for (let seq = 0; seq < records; seq += BATCH) {
    const last = Math.min(seq + BATCH, records) - 1;
    inTransaction(database, () => {
      database.prepare(RECORDS).run(seq, last, run, from);
      database.prepare(IDENTITIES).run(seq, last, run, from);
    });
  }
  inTransaction(database, () => {
    endRun(database, run, {
      state: 'done',
      files: [{ file: `products-${from}.csv` }],
      finishedAt: 1_767_225_600_000 + from + 1,
      workedMs: 1000,
    });
    database.prepare('update run set identified = 1 where number = ?').run(run);
  });
}

const NUMBERS = `with recursive seqs (seq) as (select ?1 union all select seq + 1 from seqs where seq < ?2)`;

const RECORDS = `
  insert into record (run, seq, row, key, outcome, id, http_status, attempts, duration_ms, shape, digests)
  ${NUMBERS}
  select ?3, seq, seq + 2, printf('SKU-%09d', ?4 + seq), 'created', lower(hex(randomblob(12))), 201, 1, 20, 1,
    hex(randomblob(${FIELDS.length * 4}))
  from seqs`;

const IDENTITIES = `
  insert into identity (target, key, run, seq)
  ${NUMBERS}
  select 1, printf('SKU-%09d', ?4 + seq), ?3, seq from seqs`;
