/**
 * Measures how fast the ledger in Postgres is read, its plans, and its size. Makes a schema of its own with one run of many
 * records, and drops it at the end.
 * `node scripts/postgres-ledger.mjs [records]`, 1,000,000 by itself. STOREPORT_TEST_DATABASE is the address of the database.
 */
import { connect, createRowSeal, migrate, newRowKey, type Sql } from '../../../src/postgres/index.ts';
import { historyIn, lookupAt } from '../../../src/postgres/queries/history.ts';
import { identifyIn } from '../../../src/postgres/queries/identify.ts';
import { createdPages, holdersIn, retryPages } from '../../../src/postgres/queries/records.ts';
import { outcomesIn, runsIn } from '../../../src/postgres/queries/runs.ts';
import { endingsPages, settledPages } from '../../../src/postgres/queries/settled.ts';

const ADDRESS = process.env.STOREPORT_TEST_DATABASE ?? 'postgres://postgres@127.0.0.1:5432/test';
const RECORDS = Number(process.argv[2] ?? 1_000_000);
const TARGET = { store: 'https://shop.example', resource: 'products' };
const RUN = 1;
const SCHEMA = `bench_${process.pid}`;
const LOOKUP_MS = 5000;
const BATCH = 500;

const sql = connect(ADDRESS, { schema: SCHEMA, poolSize: 1, application: 'storeport bench' });
try {
  await migrate(sql);
  await timed('write the records, by Postgres itself', RECORDS, () => fill(sql));
  await timed('index the keys', RECORDS, () => sql.transaction((inside) => identifyIn(inside, RUN)));
  await measure('without statistics');
  await sql.script('vacuum analyze');
  await measure('after vacuum analyze');
  for (const mode of ['force_custom_plan', 'force_generic_plan']) await explain(mode);
  await showSizes();
} finally {
  await sql.script(`drop schema ${SCHEMA} cascade`);
  await sql.close();
}

/** One record in twenty failed, and has its rows. */
async function fill(sql: Sql): Promise<void> {
  await sql.script(`
    insert into run (id, state, command, resource, mode, store, remembered, mapping_name, mapping_digest, files, header,
      options, out, version, started_at)
    values ('bench', 'done', 'import', '${TARGET.resource}', 'upsert', '${TARGET.store}', true, 'native', 'd',
      '[{"file":"a.csv"}]', '["name"]', '{}', '/out', '0', 1);
    insert into shape (fields) values ('sku,name,price,description,images,categories,stock,weight');
    insert into record
      (run, seq, row, key, outcome, id, http_status, attempts, duration_ms, shape, digests, code, message)
    select ${RUN}, n, n + 2, 'SKU-' || lpad(((n::bigint * 7919) % ${RECORDS})::text, 8, '0'),
      case when n % 20 = 0 then 'failed' else 'created' end,
      case when n % 20 = 0 then null else substr(md5(n::text), 1, 24) end,
      case when n % 20 = 0 then 500 else 201 end, 1, 80, 1, md5(n::text) || md5((n + 1)::text),
      case when n % 20 = 0 then 'server-error' end, case when n % 20 = 0 then 'the store answered with 500' end
    from generate_series(0, ${RECORDS} - 1) as n;
    insert into kept (run, seq, rows)
    select run, seq, '[[' || row || ',["' || repeat(md5(seq::text), 8) || '"]]]' from record where outcome = 'failed';`);
}

const SEAL = createRowSeal({ current: newRowKey() });

async function measure(when: string): Promise<void> {
  console.log(`\n${when}`);
  await lookUp();
  const { length } = await history();
  console.log(`  history opened, ${length} identifiers`);
  await read('settled', settledPages(sql, RUN, SEAL));
  await read('endings', endingsPages(sql, RUN));
  await read('to retry', retryPages(sql, RUN, { outcomes: ['failed'], seal: SEAL }));
  await read('created', createdPages(sql, RUN));
  await timed('outcomes', RECORDS, () => outcomesIn(sql, RUN));
  await timed('holders of one identifier', RECORDS, () => holdersIn(sql, TARGET, ['none']));
}

async function history(): Promise<readonly string[]> {
  return (await historyIn(sql, TARGET, { seal: SEAL, lookupIn: (other) => lookupAt(sql, other) })).ids;
}

async function lookUp(): Promise<void> {
  const lookup = await lookupAt(sql, TARGET);
  const began = performance.now();
  const cpu = process.cpuUsage();
  let asked = 0;
  let found = 0;
  while (performance.now() - began < LOOKUP_MS) {
    const keys = Array.from(
      { length: BATCH },
      () => `SKU-${String(Math.floor(Math.random() * RECORDS)).padStart(8, '0')}`,
    );
    found += (await lookup?.(keys))?.size ?? 0;
    asked += BATCH;
  }
  show('lookups, 500 at a time', asked, performance.now() - began);
  const { user, system } = process.cpuUsage(cpu);
  console.log(`    ${found} found, ${((user + system) / asked).toFixed(1)} µs of this process a key`);
}

async function read(what: string, pages: AsyncIterable<readonly unknown[]>): Promise<void> {
  const began = performance.now();
  let records = 0;
  let count = 0;
  for await (const page of pages) {
    records += page.length;
    count++;
  }
  show(`${what}, ${count} pages`, records, performance.now() - began);
}

async function timed(what: string, records: number, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await work();
  show(what, records, performance.now() - began);
}

function show(what: string, records: number, ms: number): void {
  const rate = Math.round((records / ms) * 1000).toLocaleString('en');
  console.log(`  ${what}: ${records.toLocaleString('en')} in ${(ms / 1000).toFixed(2)} s, ${rate}/s`);
}

/** Lists the tables that each statement reads as a whole. */
async function explain(mode: string): Promise<void> {
  console.log(`\nplans with ${mode}`);
  await sql.script(`set plan_cache_mode = ${mode}`);
  const seen = new Set<string>();
  const explaining: Sql = {
    ...sql,
    async query(text, values) {
      if (!seen.has(text)) {
        seen.add(text);
        const plan = await sql.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
        const scans = plan.map((line) => line['QUERY PLAN']).filter((line) => line.includes('Seq Scan'));
        console.log(
          `  ${text.trim().replace(/\s+/g, ' ').slice(0, 70)}…: ${scans.map((scan) => scan.trim()).join('; ') || 'by indexes'}`,
        );
      }
      return sql.query(text, values);
    },
  };
  const known = await historyIn(explaining, TARGET, {
    seal: SEAL,
    lookupIn: (other) => lookupAt(explaining, other),
  });
  await known.lookup?.(['SKU-1']);
  await known.sourcesOf([[RUN, 1]]);
  await known.findEarlier([
    { run: 'bench', row: 2, cells: [] },
    { run: 'bench', row: 3, cells: [] },
  ]);
  await runsIn(explaining, {});
  await outcomesIn(explaining, RUN);
  for (const pages of [
    settledPages(explaining, RUN, SEAL),
    endingsPages(explaining, RUN),
    retryPages(explaining, RUN, { outcomes: ['failed'], seal: SEAL }),
    createdPages(explaining, RUN),
  ])
    for await (const _ of pages) break;
  await holdersIn(explaining, TARGET, ['none']);
}

async function showSizes(): Promise<void> {
  const sizes = await sql.query<{ name: string; table_mb: number; index_mb: number }>(`
    select relname as name, pg_table_size(oid) / 1e6 as table_mb, pg_indexes_size(oid) / 1e6 as index_mb
    from pg_class where relnamespace = '${SCHEMA}'::regnamespace and relkind = 'r' and pg_total_relation_size(oid) > 1e6
    order by pg_total_relation_size(oid) desc`);
  console.log('\nsizes in MB');
  for (const { name, table_mb, index_mb } of sizes)
    console.log(`  ${name}: table ${Number(table_mb).toFixed(0)}, indexes ${Number(index_mb).toFixed(0)}`);
}
