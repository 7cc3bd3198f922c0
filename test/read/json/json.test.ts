import { gzipSync } from 'node:zlib';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Row } from '../../../src/model/index.ts';
import { readSource } from '../../../src/read/open-source.ts';
import { settingsOf } from '../../../src/read/options.ts';
import { scaledRuns } from '../../support/property-tests.ts';
import { chunked, issuesOf, placesOf, readText } from '../../support/read-text.ts';

const ITEMS = [
  { name: 'Mug "large"', price: 12.5, tags: ['a]', '}b', '\\'] },
  { name: 'Größe\n😀', options: [{ n: [] }, {}], ok: true, no: null },
  {},
];

const WAYS: readonly [string, string, object][] = [
  ['a compact list', JSON.stringify(ITEMS), { format: 'json' }],
  ['a pretty list', JSON.stringify(ITEMS, null, 2), { format: 'json' }],
  ['a list in an object', JSON.stringify({ products: ITEMS }), { format: 'json', list: 'products' }],
  [
    'a list deep in an object, with others around',
    JSON.stringify({ data: { total: 3, items: ITEMS, next: null }, meta: {} }, null, 1),
    { format: 'json', list: 'data.items' },
  ],
  [
    'a list with a usual name after numbers',
    JSON.stringify({ count: 3, ids: [1, 2], results: ITEMS }),
    { format: 'json', list: 'results' },
  ],
  ['NDJSON', ITEMS.map((item) => `${JSON.stringify(item)}\n`).join(''), { format: 'ndjson' }],
  [
    'NDJSON with CR LF and blank lines',
    ITEMS.map((item) => `${JSON.stringify(item)}\r\n\r\n`).join(''),
    { format: 'ndjson' },
  ],
  [
    'objects one after another',
    ITEMS.map((item) => JSON.stringify(item, null, 2)).join('\n'),
    { format: 'json' },
  ],
];

describe.each(WAYS)('%s', (_, text, reading) => {
  test.each([1, 2, 7, Number.POSITIVE_INFINITY])('in chunks of %d', async (size) => {
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\uFEFF${text}`),
      gzipSync(text),
      Buffer.from(`\uFEFF${text}`, 'utf16le'),
    ]) {
      const { rows, source, header, warnings } = await readText(bytes, {}, size);
      expect(rows.map(({ value }) => value)).toEqual(ITEMS);
      expect(rows.map(({ row }) => row)).toEqual([1, 2, 3]);
      expect(issuesOf(rows)).toEqual([]);
      expect(source.reading()).toMatchObject(reading);
      expect(header).toEqual(['json']);
      expect(ITEMS).toEqual(expect.arrayContaining([...(source.table.items ?? [])]));
      expect(source.table.items?.[0]).toEqual(ITEMS[0]);
      expect(warnings).toEqual([]);
    }
  });
});

test('the cell keeps the original text of the item, with numbers that JavaScript would round', async () => {
  const { cells, rows } = await readText(
    '[\n {"id": 12345678901234567890, "a":1.0 },\n\n{"__proto__": {"x": 1}}]',
  );
  expect(cells).toEqual([['{"id": 12345678901234567890, "a":1.0 }'], ['{"__proto__": {"x": 1}}']]);
  expect(placesOf(rows)).toEqual([
    [1, 2],
    [2, 4],
  ]);
  expect(Object.keys(rows[1]?.value ?? {})).toEqual(['__proto__']);
  expect(rows[1]?.value).not.toHaveProperty('x');
});

test.each([
  ['12345678901234567890', '12345678901234567890'],
  ['-9007199254740993', '-9007199254740993'],
  ['9007199254740993.5', '9007199254740993.5'],
  ['1e400', '1e400'],
  ['-1.5E+400', '-1.5E+400'],
  ['1e300', 1e300],
  ['0.1234567890123456789', 0.12345678901234568],
  ['9007199254740991', 9007199254740991],
  ['1234567890.12345678901', Number('1234567890.12345678901')],
  ['1e30', 1e30],
  ['"a 12345678901234567890"', 'a 12345678901234567890'],
  ['"\\" 12345678901234567890"', '" 12345678901234567890'],
])('the number %s stays exact, as text if necessary', async (written, value) => {
  const { rows } = await readText(`[{"a": ${written}}]`);
  expect(rows.map((row) => row.value)).toEqual([{ a: value }]);
});

test('a long number with a leading zero is not JSON', async () => {
  const { rows } = await readText('[{"a": 09999999999999999999}]');
  expect(rows[0]?.issues?.map(({ code }) => code)).toEqual(['bad-json']);
});

test('an item with a list of its own is not read as a list of items', async () => {
  const one = { id: 7, variants: [{ sku: 'a' }] };
  expect((await readText(JSON.stringify(one))).rows.map(({ value }) => value)).toEqual([one]);
  const lines = `${JSON.stringify({ items: [{ a: 1 }] })}\n`.repeat(2);
  expect((await readText(lines)).rows.map(({ value }) => value)).toEqual([
    { items: [{ a: 1 }] },
    { items: [{ a: 1 }] },
  ]);
  expect((await readText(lines.slice(0, 20), {}, 9, 'x.jsonl')).source.reading().format).toBe('ndjson');
});

test('other lists of the file cause a warning', async () => {
  const { rows, warnings } = await readText(
    '{"data":[{"a":1}],"included":[{"b":1}],"links":{"x":[{}]},"ids":[1]}',
  );
  expect(rows.length).toBe(1);
  expect(warnings.map(({ message }) => message)).toEqual([
    'shop.csv has other lists beside "data" that are not read: included, links.x.',
  ]);
});

describe('a broken item does not affect other items', () => {
  const BROKEN: readonly [string, string, string, string][] = [
    [
      'a comma too many',
      '{"a": 1,}',
      'bad-json',
      'line 3, column 9 a name in double quotes is expected, and there is }.',
    ],
    ['a name without quotes', '{a: 1}', 'bad-json', 'line 3, column 2 a name in double quotes'],
    ['a bad number', '{"a": 01}', 'bad-json', 'line 3, column 7 a value'],
    ['a bad escape', '{"a": "\\x"}', 'bad-json', 'line 3, column 8 a valid escape'],
    ['a line break in text', '{"a": "x\ny"}', 'bad-json', 'line 3, column 9 a closing quote'],
    ['brackets that do not fit', '{"a": [1}}', 'bad-json', 'line 3, column 9 a comma or ] is expected'],
    ['a list', '[1, 2]', 'not-an-object', 'This item is a list, [1, 2], not an object'],
    ['a number', '17', 'not-an-object', 'This item is a number, 17'],
    ['a text', '"{}"', 'not-an-object', 'This item is a string'],
    ['null', 'null', 'not-an-object', 'This item is null'],
    ['no word', 'nil', 'bad-json', 'line 3, column 1 a value'],
    ['too deep', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`, 'json-too-deep', 'more than 100 deep'],
    ['NUL', '{"a": "\\u0000"}', 'nul-byte', 'holds a NUL character'],
    ['too long', `{"a": "${'x'.repeat(5_000_000)}"}`, 'cell-too-long', 'This item is longer than 4 MiB'],
  ];
  test.each(BROKEN)('%s', async (_, item, code, message) => {
    for (const size of item.length > 1000 ? [65_536] : [1, 5, 65_536]) {
      const { rows } = await readText(`[\n{"n": 1},\n${item},\n{"n": 2}]`, {}, size);
      expect(issuesOf(rows)).toEqual([[2, 3, code]]);
      expect(rows[1]?.issues?.[0]?.message).toContain(message);
      expect(rows[1]?.value).toBeUndefined();
      expect(rows[2]?.value).toEqual({ n: 2 });
    }
  });

  test.each(BROKEN.filter(([, item]) => !item.includes('\n')))('in NDJSON: %s', async (_, item, code) => {
    const { rows } = await readText(`{"n": 1}\n\n${item}\n{"n": 2}`, {}, 60_000);
    expect(issuesOf(rows)).toEqual([[2, 3, code]]);
    expect(rows[2]).toMatchObject({ row: 3, line: 4, value: { n: 2 } });
  });

  test.each([
    ['closed', '}'.repeat(50_000)],
    ['cut off', ''],
  ])('a first object of 50,000 objects inside each other, %s', async (_, end) => {
    const { rows } = await readText(`${'{"a":'.repeat(50_000)}1${end}`);
    expect(issuesOf(rows)).toEqual([[1, 1, 'json-too-deep']]);
  });

  test('in NDJSON, even if a quote or bracket is missing', async () => {
    const { rows } = await readText('{"n": 1}\n{"n": "x\n{"n": [2}\n{"n": 3}\n', {}, 4);
    expect(issuesOf(rows).map(([row]) => row)).toEqual([2, 3]);
    expect(rows[3]?.value).toEqual({ n: 3 });
  });

  test('bad bytes', async () => {
    const bytes = Buffer.concat([
      Buffer.from('[{"a":"é"},{"a":"caf'),
      Buffer.from([0xe9]),
      Buffer.from('"},{}]'),
    ]);
    const { rows } = await readText(bytes, { encoding: 'utf-8' }, 3);
    expect(issuesOf(rows)).toEqual([[2, 1, 'bad-bytes']]);
    expect(rows[1]?.issues?.[0]?.message).toContain(
      'bytes that are not UTF-8 (shown as \uFFFD): {"a":"caf\uFFFD"}',
    );
  });
});

/** Reads until the end or an error. Returns the rows and the error. */
async function readUntil(
  text: string,
  size: number,
): Promise<{ values: unknown[]; error: Error | undefined }> {
  const values: unknown[] = [];
  try {
    const source = await readSource(
      'shop.json',
      chunked(Buffer.from(text), size),
      settingsOf({ format: 'json' }),
    );
    for await (const batch of source.batches) values.push(...batch.map(({ value }) => value));
  } catch (error) {
    return { values, error: error as Error };
  }
  return { values, error: undefined };
}

test.each([
  ['[{"a":1}\n {"b":2}]', 1, 'not read beyond line 2, column 2: a comma or ] is expected, and there is {.'],
  ['[{"a":1},\n,{"b":2}]', 1, 'not read beyond line 2, column 1: an item is expected, and there is ,.'],
  ['[{"a":1},]', 1, 'not read beyond line 1, column 10: an item is expected, and there is ].'],
  [
    '[{"a":1},\n{"b":',
    1,
    'line 2, column 1: the end of the item that begins there is expected, and the file ends before.',
  ],
  ['[{"a":1}', 1, 'line 1, column 9: a comma or ] is expected, and the file ends there.'],
  [
    '[{"a":1}]\n]',
    1,
    'damaged around its list: at line 2, column 1 nothing more is expected, and there is ].',
  ],
  ['{"data":[{"a":1}],\n"n":}', 1, 'damaged around its list: at line 2, column 5 a value'],
  ['{"data":[{"a":1}]', 1, 'line 1, column 18 a comma or } is expected, and the file ends there.'],
  ['{"a":1} x', 1, 'line 1, column 9: the next object or the end is expected, and there is x.'],
])('%j is read up to its fault, and the position of the fault is named', async (text, count, message) => {
  for (const size of [1, 4, 1000]) {
    const { values, error } = await readUntil(text, size);
    expect(values.length).toBe(count);
    expect(error).toMatchObject({ name: 'RunStopped', reason: 'source-failed' });
    expect(error?.message).toContain(message);
  }
});

test('any objects are read unchanged, in any notation and at any chunk size', async () => {
  const item = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
  const writers: ((items: readonly object[]) => string)[] = [
    (items) => JSON.stringify(items),
    (items) => JSON.stringify(items, null, 2),
    (items) => JSON.stringify({ items }, null, '\t'),
    (items) => items.map((each) => JSON.stringify(each)).join('\n'),
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { minLength: 1, maxLength: 6 }),
      fc.nat(writers.length - 1),
      fc.boolean(),
      fc.integer({ min: 1, max: 50 }),
      async (items, way, gzip, size) => {
        const text = Buffer.from(writers[way]!(items));
        const name = way === 3 ? 'x.ndjson' : 'x.json';
        const { rows } = await readText(gzip ? gzipSync(text) : text, {}, size, name);
        const sound = rows.filter(({ issues }) => issues === undefined);
        expect(sound.map(({ value }) => value)).toEqual(
          items
            .map((each) => JSON.parse(JSON.stringify(each)))
            .filter((each) => !JSON.stringify(each).includes('\\u0000')),
        );
        expect(rows.length).toBe(items.length);
      },
    ),
    { numRuns: scaledRuns(200) },
  );
});

test('an errors.csv of items is read as items, whatever columns the tool added', async () => {
  const items = ['{"a": 1}', '{"a":\n 2', '{"a": 3}'];
  const text = stringify([
    ['json', 'storeport_run', 'storeport_row'],
    ...items.map((item, row) => [item, 'r', String(row)]),
  ]);
  const { rows, source } = await readText(text);
  expect(source.table.items?.[0]).toEqual({ a: 1 });
  expect(rows.map(({ value }) => value)).toEqual([{ a: 1 }, undefined, { a: 3 }]);
  expect(issuesOf(rows)).toEqual([[3, 3, 'bad-json']]);
  expect(rows[1]?.issues?.[0]?.message).toContain(
    'at character 9 of the cell a comma or } is expected, and it ends there',
  );
  expect((await readText('json,name\n{},x\n')).source.table.items).toBeUndefined();
});

test.each([
  ['[id],[name]\n1,2\n', 'csv'],
  ['{id};b\n1;2\n', 'csv'],
  ['[]', 'json'],
  ['[\n\n', 'json'],
])('%j is %s', async (text, format) => {
  const source = await readSource('shop.csv', chunked(Buffer.from(text), 2), settingsOf({}));
  expect(source.reading().format).toBe(format);
  await source.close();
});

test('a list without objects is opened by its beginning, so that its rows are not held', async () => {
  const text = JSON.stringify([...Array.from({ length: 20_000 }, (_, at) => at), { id: 1 }]);
  for (const [from, count] of [
    [undefined, 20_001],
    [{ row: 5000, line: 1, offset: 0 }, 15_002],
  ] as const) {
    const source = await readSource('x.json', chunked(Buffer.from(text), 1000), { ...settingsOf({}), from });
    expect(source.bytesRead()).toBeLessThan(70_000);
    let rows = 0;
    for await (const batch of source.batches) rows += batch.length;
    expect(rows).toBe(count);
    expect(source.table.items).toEqual([]);
  }
});

test('reading a list can resume at any of its items', async () => {
  const text = JSON.stringify({ products: Array.from({ length: 50 }, (_, n) => ({ n })) }, null, 1);
  const whole = (await readText(text)).rows;
  for (const { row, line, offset = 0 } of [whole[0]!, whole[17]!, whole[49]!] as Row[]) {
    const from = { row, line, offset };
    const source = await readSource('shop.csv', chunked(Buffer.from(text), 9), { ...settingsOf({}), from });
    const rows: Row[] = [];
    for await (const batch of source.batches) rows.push(...batch);
    expect(rows).toEqual(whole.slice(row - 1));
  }
});
