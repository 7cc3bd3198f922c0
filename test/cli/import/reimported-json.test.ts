import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { httpStore } from '../../support/http-store.ts';
import { booksOf, readReports, readTable, storeport } from '../../support/run.ts';

// Objects have no header. The first objects of a file decide which fields are used; an errors.csv may lack
// these objects.

const cli = cliForEachTest();

const { run } = cli;

const importing = (file: string, out: string, ...more: string[]) =>
  run('import', 'products', file, '--out', out, ...more);

const write = (file: string, objects: readonly JsonObject[]) =>
  writeFileSync(join(cli.cwd, file), JSON.stringify(objects));

const product = (reference: string, more: JsonObject = {}): JsonObject => ({
  ...{ name: `Product ${reference}`, reference },
  ...more,
});

/** More than the number of objects that are read to recognise a file. */
const LONG = 'x'.repeat(20_000);

/** Changes the objects of an errors.csv. */
function edit(file: string, change: (object: JsonObject) => JsonObject): void {
  const rows = readTable(join(cli.cwd, file)).map((row) => ({
    ...row,
    json: JSON.stringify(change(JSON.parse(row.json ?? '') as JsonObject)),
  }));
  writeFileSync(join(cli.cwd, file), stringify(rows, { header: true }));
}

const priced = (object: JsonObject): JsonObject => ({ ...object, price: { salePrice: 1 } });
const UNPRICED = { price: { salePrice: 'abc' } };

const inStore = (reference: string) => cli.products().find((each) => each.reference === reference);

describe('errors.csv of native objects', () => {
  test('a reimported errors.csv of native objects omits the fields left out of its file', async () => {
    write('in.json', [
      product('a', { legacy: 1 }),
      product('b', UNPRICED),
      product('d', { ...UNPRICED, html: LONG }),
      product('c', { ...UNPRICED, legacy: 1 }),
    ]);
    expect((await importing('in.json', 'one')).stderr).toContain('Not used by the mapping: "legacy".');
    edit('one/errors.csv', priced);
    const again = await importing('one/errors.csv', 'two');
    expect(again.code).toBe(0);
    expect(readReports(join(cli.cwd, 'two')).results.map(({ outcome }) => outcome)).toEqual([
      ...['created', 'created', 'created'],
    ]);
    expect(inStore('c')).not.toHaveProperty('legacy');
  });

  test('a reimported errors.csv of native objects still reports unknown fields of its first objects', async () => {
    write('in.json', [product('a'), product('long', { html: LONG }), product('b', { colour: 'red' })]);
    await importing('in.json', 'one');
    const again = await importing('one/errors.csv', 'two');
    expect(again.code).toBe(1);
    expect(readReports(join(cli.cwd, 'two')).errors).toMatchObject([{ storeport_code: 'unknown-field' }]);
    expect(again.stderr).not.toContain('Not used');
    edit('two/errors.csv', ({ colour: _, ...rest }) => rest);
    expect((await importing('two/errors.csv', 'three')).code).toBe(0);
  });

  test('validate of a reimported errors.csv of native objects omits the same fields', async () => {
    write('in.json', [product('a'), product('long', { html: LONG }), product('b', { colour: 'red' })]);
    await importing('in.json', 'one');
    expect((await run('validate', 'products', 'one/errors.csv', '--out', 'two')).code).toBe(1);
  });
});

/** A product in the JSON of Shopify. */
const shopify = (handle: string, more: JsonObject = {}): JsonObject => ({
  ...{ handle, title: `Product ${handle}`, product_type: 'Notebook', vendor: 'A' },
  ...{ options: [{ name: 'Title', values: ['Default'] }], variants: [{ option1: 'Default', price: '1.00' }] },
  ...more,
});

describe('errors.csv of objects of a preset', () => {
  test('a reimported errors.csv uses the preset of its file, even if its objects do not identify it', async () => {
    const { options: _, ...bare } = shopify('b', { title: '' });
    write('in.json', [shopify('a'), bare]);
    await importing('in.json', 'one');
    expect(readReports(join(cli.cwd, 'one')).errors).toHaveLength(1);
    edit('one/errors.csv', (object) => ({ ...object, title: 'B' }));
    const again = await importing('one/errors.csv', 'two');
    expect(again.code).toBe(0);
    expect(again.stderr).toContain('Mapping: shopify-products-json');
    // The file had options; that these objects have none is no contradiction.
    expect(again.stderr).not.toContain('lack');
    expect(inStore('b')).toMatchObject({ name: 'B' });
  });
});

describe('retry of objects', () => {
  /** A store that refuses some of them the first time. */
  async function refusing(isRefused: (reference: string) => boolean, objects: readonly JsonObject[]) {
    const made: JsonObject[] = [];
    let isFirst = true;
    const store = await httpStore(({ body }) => {
      if (isFirst && isRefused(String(body.reference)))
        return { status: 422, body: { status: 'error', message: 'not today' } };
      made.push(body);
      return { status: 'success', data: { _id: `id-${body.reference}` } };
    });
    write('in.json', objects);
    const going = (...args: string[]) => storeport(args, { cwd: cli.cwd, env: store.environment });
    await going('import', 'products', 'in.json', '--out', 'out', '--max-errors', '100%');
    isFirst = false;
    const { code } = await going('run', 'retry', '--rejected');
    return { code, made, outcomes: readReports(join(cli.cwd, 'out')).summary.outcomes };
  }

  test('retry uses the mapping that recognised the file', async () => {
    const { options: _, ...bare } = shopify('b');
    const ended = await refusing((reference) => reference === 'b', [shopify('a'), bare]);
    expect(ended).toMatchObject({ code: 0, outcomes: { created: 2 } });
    expect(ended.made[1]).toMatchObject({ name: 'Product b' });
  });

  test('retry omits the fields left out of the file, even if its first objects lack them', async () => {
    const objects = Array.from({ length: 500 }, (_, n) =>
      product(`r${n}`, n === 0 || n === 499 ? { legacy: 1 } : {}),
    );
    const ended = await refusing((reference) => reference !== 'r0', objects);
    expect(ended).toMatchObject({ code: 0, outcomes: { created: 500 } });
    expect(ended.made.find(({ reference }) => reference === 'r499')).not.toHaveProperty('legacy');
  });
});

test.each(['errors.csv', 'in.json'])(
  'a resumed run of %s uses the decisions from its first objects',
  async (file) => {
    // The run has a checkpoint after 1,000 records, from where it is resumed.
    const objects = Array.from({ length: 1600 }, (_, n) =>
      product(`r${n}`, n === 0 || n === 1550 ? { legacy: 1 } : n === 1500 || n === 1501 ? UNPRICED : {}),
    );
    write('in.json', objects);
    const rows = objects.map((object, n) => ({ json: JSON.stringify(object), storeport_row: n + 1 }));
    writeFileSync(join(cli.cwd, 'errors.csv'), stringify(rows, { header: true }));
    expect((await importing(file, 'one', '--max-errors', '1')).code).toBe(3);
    const again = await run('run', 'resume');
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('Not used by the mapping: "legacy".');
    const reports = readReports(join(cli.cwd, 'one'));
    expect(booksOf(reports).balanced).toBe(true);
    expect(reports.summary.outcomes).toEqual({ created: 1598, invalid: 2 });
    expect(readFileSync(join(cli.cwd, 'one/errors.csv'), 'utf8').split('\n')).toHaveLength(4);
  },
);
