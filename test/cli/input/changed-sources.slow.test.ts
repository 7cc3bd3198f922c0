import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, renameSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { httpStore } from '../../support/http-store.ts';
import { booksOf, readReports, storeport, temporaryFolder } from '../../support/run.ts';

const RECORDS = 700;
const HEADER = 'name,reference,price.salePrice\n';
/** Compresses badly, so that gzip data takes several reads too. */
const noise = (n: number) => createHash('shake256', { outputLength: 110 }).update(String(n)).digest('hex');
const lineOf = (n: number, name = 'Product') => `${name} ${noise(n)},ref-${n},${n}.50\n`;
const csv = (name?: string) => HEADER + Array.from({ length: RECORDS }, (_, n) => lineOf(n, name)).join('');
const ndjson = (name = 'Product') =>
  Array.from(
    { length: RECORDS },
    (_, n) => `${JSON.stringify({ name: `${name} ${noise(n)}`, reference: `ref-${n}` })}\n`,
  ).join('');

/** A store that calls `change` before it answers the first create, when little of a file has been read. */
function storeThat(change: () => void) {
  let isChanged = false;
  return httpStore(({ body }) => {
    if (!isChanged) change();
    isChanged = true;
    return { data: { ...body, _id: '0'.repeat(24 - String(body.reference).length) + body.reference } };
  });
}

const importing = (...files: string[]) => [
  'import',
  'products',
  ...files,
  '--out',
  'out',
  '--concurrency',
  '4',
];

const CHANGES: readonly [string, string, () => string | Buffer, (file: string) => void][] = [
  ['cut off in the middle of a row', 'in.csv', csv, (file) => truncateSync(file, 120_011)],
  ['emptied', 'in.csv', csv, (file) => truncateSync(file, 0)],
  ['appended to', 'in.csv', csv, (file) => appendFileSync(file, lineOf(RECORDS))],
  ['overwritten by rows of the same length', 'in.csv', csv, (file) => writeFileSync(file, csv('Changed'))],
  [
    'overwritten by objects of the same length',
    'in.ndjson',
    ndjson,
    (file) => writeFileSync(file, ndjson('Changed')),
  ],
  ['cut off in its gzip data', 'in.csv.gz', () => gzipSync(csv()), (file) => truncateSync(file, 75_000)],
];

test.each(CHANGES)(
  'a file that is %s while it is read stops the run',
  async (_how, name, content, change) => {
    const cwd = temporaryFolder();
    const file = join(cwd, name);
    const before = content();
    writeFileSync(file, before);
    const store = await storeThat(() => change(file));
    const { code, stdout, stderr } = await storeport(importing(name), { cwd, env: store.environment });
    expect([code, stdout + stderr]).toEqual([
      3,
      expect.stringContaining(`${name} was changed while it was read: `),
    ]);
    expect(stdout + stderr).toContain('import the same files again when nothing writes to them');
    const reports = readReports(join(cwd, 'out'));
    expect(reports.summary).toMatchObject({ stopped: { reason: 'source-changed' }, not_read: null });
    expect(booksOf(reports).balanced).toBe(true);
    // Records that were sent are those of the original file, without a partial row and without new content.
    const known = new Set(Array.from({ length: RECORDS }, (_, n) => `ref-${n}`));
    for (const { body } of store.requests) {
      expect(known.has(String(body.reference))).toBe(true);
      expect(String(body.name)).not.toContain('Changed');
    }
    expect(reports.summary.outcomes.created).toBe(store.requests.length);

    const resumed = await storeport(['run', 'resume'], { cwd, env: store.environment });
    expect([resumed.code, resumed.stderr]).toEqual([
      2,
      expect.stringContaining(`${name} has changed since the run`),
    ]);

    // A new import sends the missing records, and none twice.
    writeFileSync(file, before);
    const sent = store.requests.length;
    const again = await storeport(importing(name), { cwd, env: store.environment });
    expect(again.code).toBe(0);
    expect(store.requests.length).toBe(RECORDS);
    expect(readReports(join(cwd, 'out')).summary.outcomes).toEqual({
      created: RECORDS - sent,
      unchanged: sent,
    });
  },
);

test('a file that is touched or replaced while it is read is read to its end', async () => {
  for (const change of [
    (file: string) => utimesSync(file, new Date(), new Date()),
    (file: string) => {
      writeFileSync(`${file}.new`, csv('Changed'));
      renameSync(`${file}.new`, file);
    },
  ]) {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'in.csv'), csv());
    const store = await storeThat(() => change(join(cwd, 'in.csv')));
    const { code, stderr } = await storeport(importing('in.csv'), { cwd, env: store.environment });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('changed')]);
    expect(store.requests.filter(({ body }) => String(body.name).startsWith('Product'))).toHaveLength(
      RECORDS,
    );
  }
});

test('a later file of the run is checked from the moment it was opened', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'a.csv'), csv());
  writeFileSync(join(cwd, 'b.csv'), HEADER + lineOf(RECORDS));
  writeFileSync(join(cwd, 'c.csv'), csv().replaceAll('ref-', 'c-'));
  const store = await storeThat(() => {
    // Short enough to be read whole when it is opened, so the records are those of that moment.
    appendFileSync(join(cwd, 'b.csv'), lineOf(RECORDS + 1));
    appendFileSync(join(cwd, 'c.csv'), lineOf(RECORDS + 2));
  });
  const args = importing('a.csv', 'b.csv', 'c.csv');
  const { code, stdout } = await storeport(args, { cwd, env: store.environment });
  expect([code, stdout]).toEqual([3, expect.stringContaining('c.csv was changed while it was read')]);
  const { summary } = readReports(join(cwd, 'out'));
  expect(summary.outcomes.created).toBeGreaterThan(RECORDS);
});

const MAPPING = 'resource: products\nfields:\n  name: name\n  reference: reference\n';

test.each([
  ['validate', ['--out', 'out']],
  ['clean', ['--out', 'clean.csv', '--rejects', 'rejects.csv']],
])('%s fails if its file is truncated while it is read', async (command, more) => {
  const cwd = temporaryFolder();
  const file = join(cwd, 'in.csv');
  writeFileSync(file, csv());
  writeFileSync(join(cwd, 'map.yaml'), MAPPING);
  // The second file is requested after the first was opened.
  execFileSync('mkfifo', [join(cwd, 'next.csv')]);
  const words = [command, 'products', 'in.csv', 'next.csv', '--mapping', './map.yaml', ...more];
  const ending = storeport(words, { cwd });
  const pipe = await open(join(cwd, 'next.csv'), 'w');
  truncateSync(file, 120_011);
  await pipe.writeFile(HEADER + lineOf(RECORDS));
  await pipe.close();
  const { code, stdout, stderr } = await ending;
  const size = csv().length;
  expect([code, stdout + stderr]).toEqual([
    3,
    expect.stringContaining(
      `in.csv was changed while it was read: it had ${size} bytes when it was opened, and has 120011 now.`,
    ),
  ]);
  if (command === 'validate')
    expect(readReports(join(cwd, 'out')).summary.stopped.reason).toBe('source-changed');
  else
    expect([existsSync(join(cwd, 'clean.csv')), existsSync(join(cwd, 'rejects.csv'))]).toEqual([
      false,
      false,
    ]);
});
