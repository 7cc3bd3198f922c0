import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, importRecords, type RecordsEvent } from '../../src/library/index.ts';
import { testProxy } from '../support/store/proxy-server.ts';
import { libraryForEachTest } from './fixture.ts';

const library = libraryForEachTest();

async function* products(count: number) {
  for (let n = 1; n <= count; n++)
    yield { name: `Product ${n}`, reference: `P-${n}`, price: { salePrice: n } };
}

async function all<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  const found: Event[] = [];
  for await (const event of events) found.push(event);
  return found;
}

const recordsIn = (events: readonly RecordsEvent[]) =>
  events.flatMap((event) => (event.type === 'record' ? [event.record] : []));

test('imports objects, and reports each record with its place, key, outcome and identifier', async () => {
  const events = await all(importRecords(products(3), library.options()));
  expect(events.map(({ type }) => type)).toEqual(['opened', 'began', 'record', 'record', 'record', 'end']);
  const records = recordsIn(events).sort((a, b) => a.row - b.row);
  expect(records.map(({ row, key, outcome }) => [row, key, outcome])).toEqual([
    [1, 'P-1', 'created'],
    [2, 'P-2', 'created'],
    [3, 'P-3', 'created'],
  ]);
  const stored = library.sandbox.records('products') as { _id: string; price: object }[];
  expect(records.map(({ id }) => id).sort()).toEqual(stored.map(({ _id }) => _id).sort());
  expect(stored).toContainEqual(expect.objectContaining({ reference: 'P-2', price: { salePrice: 2 } }));
});

test('a second import of the same objects sends nothing', async () => {
  await importRecords(products(20), library.options()).summary();
  const summary = await importRecords(products(20), library.options()).summary();
  expect(summary.outcomes).toEqual({ unchanged: 20 });
  expect(library.sandbox.count('products')).toBe(20);
});

test('a record that is wrong is reported with field and message, and the others are sent', async () => {
  const input = [{ name: 'A', reference: 'A' }, { reference: 'B' }, 'C', { name: 'D', reference: 'D' }];
  const events = await all(importRecords(input as object[], library.options()));
  const wrong = recordsIn(events).filter(({ outcome }) => outcome === 'invalid');
  expect(wrong).toMatchObject([
    { row: 2, key: 'B', code: 'required', field: 'name', message: expect.stringContaining('name') },
    { row: 3 },
  ]);
  expect(library.sandbox.count('products')).toBe(2);
});

test('the proxy of the options is used', async () => {
  await using proxy = await testProxy({ to: Number(new URL(library.sandbox.url).port) });
  const { store, ...options } = library.options();
  const through = { ...store, baseUrl: 'http://shop.example', proxy: proxy.url };
  await importRecords(products(1), { ...options, store: through }).summary();
  expect(proxy.asked).toContain('POST http://shop.example/api/products/create');
  expect(library.sandbox.count('products')).toBe(1);
});

test('the id of the store is the one of the options', async () => {
  const { store, ...options } = library.options();
  const customer = { firstname: 'Ann', lastname: 'Lee', password: 'secret-1', email: 'ann@example.com' };
  const into = (storeId: string) =>
    all(importRecords([customer], { ...options, resource: 'customers', store: { ...store, storeId } }));
  expect(recordsIn(await into('S-9'))).toMatchObject([
    { outcome: 'rejected', message: expect.stringContaining('storeId must be') },
  ]);
  expect(recordsIn(await into(library.sandbox.storeId))).toMatchObject([{ outcome: 'created' }]);
});

test('numbers that are none, and values that JSON cannot hold, are wrong in their record and stop no other', async () => {
  const price = (salePrice: unknown) => ({ price: { salePrice } });
  const circular: { self?: object } = {};
  circular.self = circular;
  const odd: [string, unknown][] = [
    ['N', Number.NaN],
    ['I', Number.POSITIVE_INFINITY],
    ['B', 12n],
  ];
  const records = odd.map(([key, value]) => ({ name: key, reference: key, ...price(value) }));
  const fine = { name: 'Id', reference: 9_007_199_254_740_993n };
  const events = await all(
    importRecords([...records, circular, fine, { name: 'Ok', reference: 'O' }], library.options()),
  );
  expect(recordsIn(events).map(({ row, outcome, field }) => [row, outcome, field])).toEqual(
    expect.arrayContaining([
      [1, 'invalid', 'price.salePrice'],
      [2, 'invalid', 'price.salePrice'],
      [3, 'invalid', 'price.salePrice'],
      [4, 'invalid', undefined],
      [5, 'created', undefined],
      [6, 'created', undefined],
    ]),
  );
  const references = (library.sandbox.records('products') as { reference: string }[]).map(
    (each) => each.reference,
  );
  expect(references.sort()).toEqual(['9007199254740993', 'O']);
});

test.each([3, 2000])(
  'of an iterable that throws after %i records, these are accounted for and the error is kept',
  async (count) => {
    const error = new Error('the database is gone');
    async function* failing() {
      yield* products(count);
      throw error;
    }
    const summary = await importRecords(failing(), library.options()).summary();
    expect(summary.stopped).toMatchObject({ reason: 'source-failed', cause: error });
    const { created = 0, unsent = 0 } = summary.outcomes;
    expect(summary.records).toBe(count);
    expect(created + unsent).toBe(count);
    expect(library.sandbox.count('products')).toBe(created);
  },
);

test('files are read as the command reads them', async () => {
  const file = join(library.folder, 'shop.csv');
  writeFileSync(file, 'name;reference;price.salePrice\nTee;T-1;9,5\nCap;C-1;4\n');
  const summary = await importRecords({ files: [file], delimiter: ';' }, library.options()).summary();
  expect(summary.outcomes).toEqual({ created: 1, invalid: 1 });
});

test('wrong options are refused before anything is sent', async () => {
  const options = library.options();
  const wrong: [object, RegExp][] = [
    [{ ...options, resource: 'produkts' }, /no resource "produkts".*products/],
    [{ ...options, store: { ...options.store, baseUrl: '' } }, /store\.baseUrl/],
    [{ ...options, store: { ...options.store, rate: -1 } }, /store\.rate.*-1/],
    [{ ...options, store: { ...options.store, concurrency: 0.5 } }, /store\.concurrency.*0\.5/],
    [{ ...options, home: '' }, /home/],
    [{ ...options, mapping: 'nothing.yaml' }, /no mapping file nothing\.yaml/],
  ];
  for (const [given, message] of wrong) {
    const run = importRecords(products(1), given as Parameters<typeof importRecords>[1]);
    const error = await run.summary().catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toMatch(message);
  }
  expect(library.sandbox.journal).toEqual([]);
});
