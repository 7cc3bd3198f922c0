import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, expectTypeOf, test } from 'vitest';
import {
  ConfigError,
  importRecords,
  type Product,
  type RecordProblems,
  type RecordsEvent,
  validateRecords,
} from '../../src/library/index.ts';
import { scaledRuns } from '../support/property-tests.ts';
import { booksOf, environmentOf, readReports, storeport } from '../support/run.ts';
import { libraryForEachTest } from './fixture.ts';

const library = libraryForEachTest();

const out = () => join(library.folder, 'out');

async function recordsOf(run: AsyncIterable<RecordsEvent>) {
  const records: (readonly unknown[])[] = [];
  for await (const event of run)
    if (event.type === 'record') {
      const { row, key, outcome, code = '', field = '', message = '' } = event.record;
      records.push([row, key, outcome, code, field, message]);
    }
  return records.sort(([a], [b]) => Number(a) - Number(b));
}

const stored = () =>
  (library.sandbox.records('products') as { reference: string; name: string }[]).map(
    ({ reference, name }) => `${reference} ${name}`,
  );

const product = (reference: string, salePrice: number) => ({
  reference,
  name: `No. ${reference}`,
  price: { salePrice },
});

test('check keeps records back with its messages, fields and columns, in the reports and the books', async () => {
  const input = [product('A', 5), product('B', 0), product('C', 1), product('D', 9), { reference: 'E' }];
  const check = async ({ reference, price }: Partial<Product>): Promise<RecordProblems> => {
    if (reference === 'B') return { field: 'price.salePrice', message: 'this price is a gift' };
    if (reference === 'C') return ['first', undefined, { message: 'second', field: 'name' }];
    if (reference === 'D' && price?.salePrice === 9) return 'nine is unlucky';
    return undefined;
  };
  const run = importRecords(input, { ...library.options(), out: out(), check });
  expect(await recordsOf(run)).toEqual([
    [1, 'A', 'created', '', '', ''],
    [
      2,
      'B',
      'invalid',
      'check-failed',
      'price.salePrice',
      'row 2, column "price.salePrice": this price is a gift',
    ],
    [3, 'C', 'invalid', 'check-failed', '', 'row 3: first; row 3, column "name": second'],
    [4, 'D', 'invalid', 'check-failed', '', 'row 4: nine is unlucky'],
    [5, 'E', 'invalid', 'required', 'name', expect.stringContaining('name is missing')],
  ]);
  const reports = readReports(out());
  expect(booksOf(reports)).toMatchObject({ balanced: true });
  expect(reports.errors.map(({ storeport_code }) => storeport_code)).toEqual([
    'check-failed',
    'check-failed',
    'check-failed',
    'required',
  ]);
  expect((await run.summary()).exit_code).toBe(1);
  expect(stored()).toEqual(['A No. A']);
});

test('transform changes payloads before they are validated, and keys are those of its result', async () => {
  const input = [
    { reference: 'a ', name: 'x' },
    { reference: 'b', name: '' },
    { reference: 'a', name: 'y' },
  ];
  const transform = (record: Partial<Product>): Partial<Product> => {
    const reference = (record.reference ?? '').trim().toUpperCase();
    record.name = 'changed in place, which changes nothing';
    return { ...record, reference, name: `Made ${reference}` };
  };
  const options = { ...library.options(), transform, out: out() };
  expect(await recordsOf(importRecords(input, options))).toEqual([
    [1, 'A', 'created', '', '', ''],
    [2, 'B', 'created', '', '', ''],
    [3, 'A', 'duplicate', 'duplicate-key', '', expect.any(String)],
  ]);
  expect(stored().sort()).toEqual(['A Made A', 'B Made B']);
  const again = await importRecords(input, options).summary();
  expect(again.outcomes).toEqual({ unchanged: 2, duplicate: 1 });
  const planned = await validateRecords(input, {
    ...library.options(),
    baseUrl: library.sandbox.url,
    transform: (record) =>
      record.reference === 'b' ? { ...transform(record), model: 'M' } : transform(record),
  }).summary();
  expect(planned).toMatchObject({ plan: { actions: { unchanged: 1, update: 1, duplicate: 1 } } });
  expect(library.sandbox.count('products')).toBe(2);
});

test('undefined leaves a record out: it is counted, claims no key, and does not make the run incomplete', async () => {
  const input = [product('A', 0), product('A', 5), product('B', 0)];
  const transform = async (record: Partial<Product>) => (record.price?.salePrice ? record : undefined);
  const options = { ...library.options(), out: out(), transform };
  const words = 'left out by the transform of the program';
  const left = (row: number, key: string) => [row, key, 'unchanged', 'left-out', '', words];
  expect(await recordsOf(validateRecords(input, options))).toEqual([
    left(1, 'A'),
    [2, 'A', 'planned', '', '', ''],
    left(3, 'B'),
  ]);
  expect(await recordsOf(importRecords(input, options))).toEqual([
    left(1, 'A'),
    [2, 'A', 'created', '', '', ''],
    left(3, 'B'),
  ]);
  const reports = readReports(out());
  expect(booksOf(reports)).toMatchObject({ balanced: true });
  expect(reports.summary).toMatchObject({
    exit_code: 0,
    outcomes: { created: 1, unchanged: 2 },
    problems: [{ outcome: 'unchanged', code: 'left-out', count: 2 }],
  });
  expect(readFileSync(join(out(), 'report.html'), 'utf8')).toMatch(
    /1 of 1 products arrived in [\d.:]+; 2 records were left out/,
  );
  // The record that was left out is new to the store.
  expect(await recordsOf(importRecords([product('B', 7)], options))).toEqual([
    [1, 'B', 'created', '', '', ''],
  ]);
  // It is left out also if the store has it.
  expect(await recordsOf(importRecords([product('B', 0)], options))).toEqual([left(1, 'B')]);
  expect(
    await recordsOf(validateRecords([product('B', 0)], { ...options, baseUrl: library.sandbox.url })),
  ).toEqual([left(1, 'B')]);
});

const error = new Error('no stock data');
const circular: Partial<Product> & { self?: unknown } = {};
circular.self = circular;

test.each<[string, (record: Partial<Product>) => unknown, string]>([
  [
    'throws',
    () => {
      throw error;
    },
    'transform threw: no stock data',
  ],
  ['rejects', async () => Promise.reject(error), 'transform threw: no stock data'],
  [
    'throws a value without text',
    () => {
      throw Object.create(null);
    },
    'transform threw: a value that is not text',
  ],
  ['returns null', () => null, 'transform returned null: return the record, or undefined to leave it out'],
  ['returns a list', () => [1], 'transform returned [1]: return'],
  ['returns a circle', () => circular, 'transform returned a record that JSON cannot hold: '],
])('a transform that %s makes the record invalid and stops no other', async (_, fault, message) => {
  const transform = (record: Partial<Product>) => (record.reference === 'B' ? fault(record) : record);
  const options = {
    ...library.options(),
    transform: transform as (record: Partial<Product>) => Partial<Product>,
  };
  expect(
    await recordsOf(importRecords([product('A', 1), product('B', 1), product('C', 1)], options)),
  ).toEqual([
    [1, 'A', 'created', '', '', ''],
    [2, 'B', 'invalid', 'program-error', '', expect.stringContaining(`row 2: ${message}`)],
    [3, 'C', 'created', '', '', ''],
  ]);
});

test.each<[string, (record: Partial<Product>) => unknown, string, string]>([
  [
    'throws',
    () => {
      throw error;
    },
    'program-error',
    'check threw: no stock data',
  ],
  ['rejects', async () => Promise.reject(error), 'program-error', 'check threw: no stock data'],
  [
    'returns true',
    () => true,
    'program-error',
    'check returned true: return undefined if the record is fine',
  ],
  [
    'returns a number for the message',
    () => ({ message: 5 }),
    'program-error',
    'check returned {"message":5}',
  ],
  ['returns an empty text', () => '', 'check-failed', 'a check of the program does not hold'],
])('a check that %s makes the record invalid and stops no other', async (_, fault, code, message) => {
  const check = ({ reference }: Partial<Product>) => (reference === 'B' ? fault({}) : undefined);
  const options = { ...library.options(), check: check as () => undefined };
  expect(await recordsOf(importRecords([product('A', 1), product('B', 1)], options))).toEqual([
    [1, 'A', 'created', '', '', ''],
    [2, 'B', 'invalid', code, '', expect.stringContaining(`row 2: ${message}`)],
  ]);
});

test('checks of the mapping see what transform made, and a record that check refuses has no warnings', async () => {
  writeFileSync(
    join(library.folder, 'shop.yaml'),
    `resource: products
fields: { reference: SKU, name: Title, price.salePrice: { from: Price, number: true } }
checks:
  - { that: "price.salePrice > 10", message: "Too cheap" }
  - { that: "name != 'x'", warn: "This name is odd." }
`,
  );
  const input = [
    { SKU: 'A', Title: 'x', Price: '6' },
    { SKU: 'B', Title: 'x', Price: '2' },
    { SKU: 'C', Title: 'x', Price: '7' },
  ];
  const run = importRecords(input, {
    ...library.options(),
    mapping: join(library.folder, 'shop.yaml'),
    transform: (record) => ({ ...record, price: { salePrice: (record.price?.salePrice ?? 0) * 2 } }),
    check: ({ reference }) => (reference === 'C' ? 'no more of this' : undefined),
  });
  expect(await recordsOf(run)).toEqual([
    [1, 'A', 'created', '', '', ''],
    [
      2,
      'B',
      'invalid',
      'check-failed',
      'price.salePrice',
      'row 2, column "Price": Too cheap: price.salePrice is 4',
    ],
    [3, 'C', 'invalid', 'check-failed', '', 'row 3: no more of this'],
  ]);
  const { files } = (await run.summary()) as unknown as { files: { warnings: { count: number }[] }[] };
  expect(files[0]?.warnings).toMatchObject([{ message: 'This name is odd.', count: 1 }]);
});

test('contacts that transform adds are masked, and check sees them as they are', async () => {
  const seen: unknown[] = [];
  const customer = { firstname: 'Ann', lastname: 'Lee', password: 'secret-1', email: 'ann@shop.example' };
  const summary = await importRecords([customer], {
    ...library.options(),
    resource: 'customers',
    maskContacts: true,
    transform: (record) => ({ ...record, email: 'eve@shop.example' }),
    check: ({ email }) => void seen.push(email),
  }).summary();
  expect(summary.outcomes).toEqual({ created: 1 });
  expect(seen).toEqual(['eve@shop.example']);
  expect(library.sandbox.records('customers')).not.toContainEqual(
    expect.objectContaining({ email: expect.stringContaining('shop.example') }),
  );
});

test('the functions get copies', async () => {
  const change = (record: Partial<Product>): undefined => {
    record.reference = 'Z';
    if (record.price) record.price.salePrice = 99;
  };
  const left = { ...library.options(), transform: change };
  expect(await recordsOf(validateRecords([product('A', 1)], left))).toEqual([
    [1, 'A', 'unchanged', 'left-out', '', expect.any(String)],
  ]);
  const checked = { ...library.options(), check: change };
  expect(await recordsOf(importRecords([product('A', 1)], checked))).toEqual([
    [1, 'A', 'created', '', '', ''],
  ]);
  expect(library.sandbox.records('products')).toMatchObject([{ reference: 'A', price: { salePrice: 1 } }]);
});

test('an update clears a field whose cell is empty, unless transform fills it', async () => {
  writeFileSync(
    join(library.folder, 'shop.yaml'),
    `resource: products
fields:
  reference: SKU
  name: Title
  model: { from: Model, blank: clear }
  source: { from: Source, blank: clear }
`,
  );
  const options = { ...library.options(), mapping: join(library.folder, 'shop.yaml') };
  const row = { SKU: 'A', Title: 'Pen', Model: 'M', Source: 'S' };
  await importRecords([row], options).summary();
  const transform = (record: Partial<Product>) => ({ ...record, model: record.model ?? 'filled' });
  await importRecords([{ ...row, Model: '', Source: '' }], { ...options, transform }).summary();
  expect(library.sandbox.records('products')).toMatchObject([{ model: 'filled', source: '' }]);
});

test('rows that contradict each other are not reported for a record that is left out', async () => {
  writeFileSync(
    join(library.folder, 'shop.yaml'),
    'resource: products\ngroup: { by: SKU }\nfields: { reference: SKU, name: Title, model: Model }\n',
  );
  const rows = (SKU: string) => [
    { SKU, Title: 'Pen', Model: 'first' },
    { SKU, Title: 'Pen', Model: 'second' },
  ];
  const warningsOf = async (skip: string) => {
    const { files } = await validateRecords([...rows('A'), ...rows('B')], {
      ...library.options(),
      mapping: join(library.folder, 'shop.yaml'),
      transform: (record) => (record.reference === skip ? undefined : record),
    }).summary();
    return (files as unknown as { warnings?: { records: { key: string }[] }[] }[]).flatMap(
      ({ warnings = [] }) => warnings.flatMap(({ records }) => records.map(({ key }) => key)),
    );
  };
  expect(await warningsOf('none')).toEqual(['A', 'B']);
  expect(await warningsOf('A')).toEqual(['B']);
});

test.each([
  ['import', importRecords],
  ['check', validateRecords],
] as const)('an interrupted %s does not wait for a function that does not end', async (_, begin) => {
  const stop = new AbortController();
  const run = begin([product('A', 1), product('B', 1)], {
    ...library.options(),
    signal: stop.signal,
    check() {
      setTimeout(() => stop.abort(), 20);
      return new Promise<undefined>(() => {});
    },
  });
  expect((await run.summary()).stopped).toMatchObject({ reason: 'interrupted' });
  expect(library.sandbox.count('products')).toBe(0);
});

test('a run with functions is not resumed or retried without them, and its report says what to do', async () => {
  const file = join(library.folder, 'shop.csv');
  writeFileSync(
    file,
    `reference,name\n${Array.from({ length: 40 }, (_, n) => `P-${n},Product`).join('\n')}\n`,
  );
  const options = { ...library.options(), out: out() };
  const stop = new AbortController();
  const check = ({ reference }: Partial<Product>): undefined => {
    if (reference === 'P-20') stop.abort();
  };
  const interrupted = importRecords({ files: [file] }, { ...options, check, signal: stop.signal });
  const { run: stopped } = await interrupted.summary();
  expect(readFileSync(join(out(), 'report.html'), 'utf8')).toContain('Run the import of your program again.');
  const { run: whole } = await importRecords({ files: [file] }, { ...options, check: () => 'no' }).summary();
  expect(readFileSync(join(out(), 'report.html'), 'utf8')).not.toContain('storeport import');
  for (const words of [
    ['run', 'resume', stopped],
    ['run', 'retry', whole],
  ]) {
    const { code, stderr } = await storeport([...words, '--home', options.home], {
      cwd: library.folder,
      env: environmentOf(library.sandbox),
    });
    expect({ words, code, stderr }).toEqual({
      words,
      code: 2,
      stderr: expect.stringContaining(
        'by a program with its own transform or check, which only that program has',
      ),
    });
  }
});

test('the functions have the types of the resource, and nothing else is taken', async () => {
  validateRecords([], {
    resource: 'orders',
    home: library.folder,
    check: (order) => {
      expectTypeOf(order.details).toMatchTypeOf<readonly unknown[] | undefined>();
      // @ts-expect-error orders have no reference
      return order.reference;
    },
  });
  for (const wrong of [{ check: 'x' }, { transform: 5 }])
    await expect(
      validateRecords([], { ...library.options(), ...(wrong as object) }).summary(),
    ).rejects.toThrow(ConfigError);
});

test('exactly the records that JavaScript refuses are invalid, whatever the functions return', async () => {
  const price = fc.integer({ min: 0, max: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(price, { maxLength: 30 }), async (prices) => {
      const summary = await validateRecords(
        prices.map((each, n) => product(String(n), each)),
        {
          ...library.options(),
          transform: (record) => (record.price?.salePrice === 0 ? undefined : record),
          check: async ({ price: { salePrice = 0 } = {} }) => (salePrice % 2 === 0 ? 'even' : undefined),
        },
      ).summary();
      const number = (test: (price: number) => boolean) => prices.filter(test).length;
      expect({ unchanged: 0, invalid: 0, planned: 0, ...summary.outcomes }).toEqual({
        unchanged: number((each) => each === 0),
        invalid: number((each) => each > 0 && each % 2 === 0),
        planned: number((each) => each % 2 === 1),
      });
    }),
    { numRuns: scaledRuns(40) },
  );
});
