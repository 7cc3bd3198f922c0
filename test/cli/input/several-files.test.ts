import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { beforeEach, describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { type HttpStore, httpStore } from '../../support/http-store.ts';
import {
  booksOf,
  environmentOf,
  readReports,
  readTable,
  storeport,
  storeportProcess,
  temporaryFolder,
} from '../../support/run.ts';

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
});

function write(file: string, references: readonly string[]): void {
  const rows = references.map((reference) => `Product,${reference}`);
  writeFileSync(join(cwd, file), `name,reference\n${rows.join('\n')}\n`);
}

describe('rows of several files', () => {
  /** A store that loses the answers for some products. */
  const doubtful = (...references: string[]): Promise<HttpStore> =>
    httpStore(({ body }) =>
      references.includes(String(body.reference))
        ? { status: 500, body: { message: 'oops' } }
        : { status: 'success', data: { _id: `id-${body.reference}` } },
    );
  const runAt =
    ({ environment: env }: HttpStore) =>
    (...args: string[]) =>
      storeport(args, { cwd, env });

  beforeEach(() => {
    write('a.csv', ['a1', 'a2']);
    write('b.csv', ['b1', 'b2', 'b3']);
  });

  test('the canary names rows with their file', async () => {
    const run = runAt(await doubtful());
    const { stderr } = await run('import', 'products', 'a.csv', 'b.csv', '--canary', '3', '--yes');
    expect(stderr).toContain('  "a.csv", row 2, a1: created id-a1\n');
    expect(stderr).toContain('  "b.csv", row 2, b1: created id-b1\n');
    const alone = await run('import', 'products', 'b.csv', '--canary', '1', '--yes', '--home', 'other');
    expect(alone.stderr).toContain('  row 2, b1: created id-b1\n');
  });

  test('undo names rows with their file', async () => {
    const run = runAt(await doubtful());
    await run('import', 'products', 'a.csv', 'b.csv');
    expect((await run('run', 'undo')).stderr).toContain('  "b.csv", row 3, b2: id-b2\n');
    await run('import', 'products', 'a.csv', '--home', 'other');
    expect((await run('run', 'undo', '--home', 'other')).stderr).toContain('  row 3, a2: id-a2\n');
  });

  test('resolve names rows with their file and does not confuse them', async () => {
    const run = runAt(await doubtful('a2', 'b2', 'b3'));
    await run('import', 'products', 'a.csv', 'b.csv', '--out', 'out');
    const listed = await run('run', 'resolve');
    expect(listed.stdout).toMatch(/^ {2}"a\.csv", row 3, "a2": \S+\n {2}"b\.csv", row 3, "b2": \S+$/m);
    expect(JSON.parse((await run('run', 'resolve', '--json')).stdout).in_doubt[1]).toMatchObject({
      ...{ row: 3, file: 'b.csv', key: 'b2' },
    });
    const unclear = await run('run', 'resolve', '--row', '3', '--not-there');
    expect(unclear.code).toBe(2);
    expect(unclear.stderr).toContain(
      'There is more than one row 3 in doubt: "a.csv", row 3 and "b.csv", row 3.',
    );
    expect((await run('run', 'resolve', '--row', '4', '--there', 'x')).code).toBe(1);
    expect((await run('run', 'resolve', '--key', 'b2', '--there', 'y')).code).toBe(1);
    const books = readReports(join(cwd, 'out'));
    expect(booksOf(books).balanced).toBe(true);
    expect(books.inDoubt.map(({ reference }) => reference)).toEqual(['a2']);
  });

  test.each([
    ['a2', 'b2'],
    ['b2', 'a2'],
  ])('an answer in in-doubt.csv about %s is identified by its cells', async (asked, other) => {
    const run = runAt(await doubtful('a2', 'b2'));
    await run('import', 'products', 'a.csv', 'b.csv', '--out', 'out');
    const report = join(cwd, 'out/in-doubt.csv');
    const found = readTable(report).map((row) => ({
      ...row,
      storeport_found: row.reference === asked ? '66c0ffee01' : '',
    }));
    writeFileSync(report, stringify(found, { header: true }));
    expect((await run('run', 'resolve', '--from', 'out/in-doubt.csv')).code).toBe(1);
    expect(readReports(join(cwd, 'out')).inDoubt.map(({ reference }) => reference)).toEqual([other]);
  });

  test.each(['a1', 'b1'])(
    'a reimported row %s in errors.csv is identified by its cells',
    async (corrected) => {
      const run = runAt(await doubtful());
      writeFileSync(join(cwd, 'a.csv'), 'name,reference,price.salePrice\nA,a1,abc\n');
      writeFileSync(join(cwd, 'b.csv'), 'name,reference,price.salePrice\nB,b1,abc\n');
      await run('import', 'products', 'a.csv', 'b.csv', '--out', 'out');
      const file = join(cwd, 'out/errors.csv');
      const rows = readTable(file).map((row) =>
        row.reference === corrected ? { ...row, 'price.salePrice': '7' } : row,
      );
      writeFileSync(file, stringify(rows, { header: true }));
      expect((await run('import', 'products', 'out/errors.csv', '--out', 'again')).code).toBe(1);
      const [, first] = JSON.parse((await run('run', 'list', '--json')).stdout);
      await run('run', 'report', first.run);
      const told = readReports(join(cwd, 'out')).results.map(({ key, outcome }) => [key, outcome]);
      expect(told).toEqual([
        ['a1', corrected === 'a1' ? 'created' : 'invalid'],
        ['b1', corrected === 'b1' ? 'created' : 'invalid'],
      ]);
    },
  );

  test('rows are named with their file after a crash and after a retry', async () => {
    let kill = () => {};
    let isAway = true;
    const { environment: env } = await httpStore(({ body }) => {
      if (isAway && body.reference === 'b2') {
        kill();
        return new Promise(() => {});
      }
      return { status: 'success', data: { _id: `id-${body.reference}` } };
    });
    const run = (...args: string[]) => storeport(args, { cwd, env });
    await storeportProcess(['import', 'products', 'a.csv', 'b.csv', '--concurrency', '1', '--out', 'out'], {
      ...{ cwd, env },
      onStart: (child) => {
        kill = () => void child.kill('SIGKILL');
      },
    });
    isAway = false;
    await run('run', 'resume');
    expect((await run('run', 'resolve')).stdout).toContain('  "b.csv", row 3, "b2": crash\n');
    await run('run', 'resolve', '--all', '--not-there');
    expect((await run('run', 'retry')).code).toBe(0);
    expect((await run('run', 'undo')).stderr).toContain('  "b.csv", row 3, b2: id-b2\n');
  });
});

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `r${n}`);
const FILES: readonly [readonly string[], string][] = [
  [['a.csv', 'b.csv'], '"a.csv", row 7'],
  [['b.csv'], 'row 7'],
];

test.each(FILES)(
  'a resumed run of %j names the file of duplicates of earlier records',
  async (files, before) => {
    const sandbox = await startSandbox();
    try {
      const env = environmentOf(sandbox);
      // Two invalid records after a checkpoint: the run stops there.
      const first = numbered(1300).map((reference, n) => (n === 1200 || n === 1201 ? '' : reference));
      const second = ['new', 'r5', 'r5', 'r1250'];
      if (files.length > 1) write('a.csv', first);
      write('b.csv', files.length > 1 ? second : [...first, ...second]);
      const args = ['import', 'products', ...files, '--out', 'out', '--max-errors', '1'];
      expect((await storeport(args, { cwd, env })).code).toBe(3);
      expect((await storeport(['run', 'resume'], { cwd, env })).code).toBe(1);
      const books = readReports(join(cwd, 'out'));
      expect(booksOf(books).balanced).toBe(true);
      expect(books.summary.outcomes).toEqual({ created: 1299, invalid: 2, duplicate: 3 });
      const told = books.results.filter(({ outcome }) => outcome === 'duplicate');
      expect(told.map(({ key }) => key)).toEqual(['r5', 'r5', 'r1250']);
      expect(told[0]?.message).toBe(`"r5" is already in ${before}; that row was used`);
      expect(sandbox.count('products')).toBe(1299);
    } finally {
      await sandbox.close();
    }
  },
);
