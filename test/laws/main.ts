import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changesOf, LAWS, type Law } from './laws.ts';
import { harmIn, type Made, makeOf } from './made.ts';
import { readTable, type Table } from './tables.ts';

const { values: given } = parseArgs({
  options: { law: { type: 'string' }, file: { type: 'string' } },
});
const data = process.env.STOREPORT_TEST_DATA;
if (!data) {
  console.error(
    'Set STOREPORT_TEST_DATA to a folder with the files of test/suggest/truth/public-files.json.',
  );
  process.exit(2);
}
const truth = JSON.parse(readFileSync('test/suggest/truth/public-files.json', 'utf8')) as Record<
  string,
  { readonly resource: string }
>;
const work = mkdtempSync(join(tmpdir(), 'storeport-laws-'));
const files = Object.entries(truth).filter(
  ([file]) => existsSync(join(data, file)) && (given.file === undefined || file.includes(given.file)),
);
const laws = LAWS.filter(({ name }) => given.law === undefined || name.includes(given.law));
const counts = new Map(laws.map(({ name }) => [name, { files: 0, harmed: 0, refused: 0, open: 0 }]));
try {
  for (const [file, { resource }] of files) {
    const table = await readTable(join(data, file)).catch(() => undefined);
    const made = table && (await makeOf(table, { resource, work }));
    if (!table || !made || typeof made === 'string' || made.records.size === 0) continue;
    for (const law of laws) await tryLaw(law, { file, resource, table, made });
  }
} finally {
  rmSync(work, { recursive: true });
}
console.log('\nlaw | files | harmed | refused | without a say');
for (const [name, { files: all, harmed, refused, open }] of counts)
  console.log(`${name} | ${all} | ${harmed} | ${refused} | ${open}`);
process.exitCode = [...counts.values()].some(({ harmed }) => harmed > 0) ? 1 : 0;

interface Subject {
  readonly file: string;
  readonly resource: string;
  readonly table: Table;
  readonly made: Made;
}

async function tryLaw(law: Law, { file, resource, table, made }: Subject): Promise<void> {
  const count = counts.get(law.name);
  if (!count) return;
  const changes = changesOf(law, table, made.bearing);
  if (typeof changes === 'string') {
    count.open++;
    return;
  }
  count.files++;
  let harm: string | undefined;
  let refusal: string | undefined;
  for (const { table: changed, touched, about } of changes) {
    const after = await makeOf(changed, { resource, work });
    if (typeof after === 'string') {
      refusal ??= after;
      continue;
    }
    const found = harmIn(made, after, touched);
    harm ??= found && about ? `${about}: ${found}` : found;
  }
  if (refusal !== undefined) {
    // Nothing is made, and the message says why.
    count.refused++;
    console.log(`${law.name} | ${file} | refused: ${refusal.replaceAll(work, '').slice(0, 200)}`);
  }
  if (harm === undefined) return;
  count.harmed++;
  console.log(`${law.name} | ${file} | ${harm.slice(0, 300)}`);
}
