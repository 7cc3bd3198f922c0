import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runSuggest } from '../../../src/pipeline/suggest/index.ts';
import { importable, resourceNamed } from '../../../src/resources/index.ts';
import type { Question } from '../../../src/suggest/index.ts';
import { temporaryFolder } from '../../support/run.ts';

const EXPECTED = JSON.parse(readFileSync('samples/expected.json', 'utf8')) as Record<string, unknown>;
const PRODUCTS = [resourceNamed('products')];

function fileWith(text: string): string {
  const file = join(temporaryFolder(), 'shop.csv');
  writeFileSync(file, text);
  return file;
}

describe('the samples of platforms', () => {
  const samples = readdirSync('samples').filter((name) =>
    /^[a-z0-9]+-(products|customers).*\.csv$/.test(name),
  );

  test.each(samples)('%s: a suggestion makes most records valid, and counts the others', async (sample) => {
    const [, name = ''] = /-(products|customers)/.exec(sample) ?? [];
    const found = await runSuggest({
      file: join('samples', sample),
      resources: [resourceNamed(name)],
      read: {},
    });
    expect(found.missing).toEqual([]);
    // Some rows of the samples are wrong on purpose.
    const { outcomes } = EXPECTED[sample] as { outcomes: { planned?: number } };
    const counted = found.draft.fields.map(({ doubt = '' }) =>
      Number(/^(\d+) of \d+ records/.exec(doubt)?.[1] ?? 0),
    );
    const named = counted.reduce((sum, count) => sum + count, 0);
    expect(found.valid + named).toBeGreaterThanOrEqual(0.85 * (outcomes.planned ?? 0));
    expect(found.valid).toBeGreaterThanOrEqual(0.6 * (outcomes.planned ?? 0));
  });
});

test('fields that would make records invalid are left out, with the reason', async () => {
  const rows = Array.from({ length: 20 }, (_, n) => `A${n},Pen ${n},not an address ${n}.jpg?`);
  const file = fileWith(['SKU,Name,Image', ...rows].join('\n'));
  const found = await runSuggest({ file, resources: PRODUCTS, read: {} });
  expect(found.valid).toBe(found.records);
});

test('the resource that fits best is found', async () => {
  const file = fileWith('First Name,Last Name,Email,City\nAnn,Leigh,ann@example.com,Whitby\n');
  const { resource } = await runSuggest({ file, resources: importable, read: {} });
  expect(resource.name).toBe('customers');
});

test('what no column was found for is named', async () => {
  const { missing } = await runSuggest({
    file: fileWith('Name,Price\nPen,3\nPen,4\n'),
    resources: PRODUCTS,
    read: {},
  });
  expect(missing).toEqual(['reference']);
});

test('a preset that reads the file is named', async () => {
  const { preset } = await runSuggest({
    file: 'samples/shopify-products.csv',
    resources: PRODUCTS,
    read: {},
  });
  expect(preset).toBe('shopify-products');
});

test('a file without any field is refused with its columns', async () => {
  const file = fileWith('foo,bar\n1,2\n');
  await expect(runSuggest({ file, resources: PRODUCTS, read: {} })).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringContaining('no column that could be a field of products'),
  });
});

test('a large file is sampled further down: what is found only there counts', async () => {
  const plain = Array.from({ length: 30_000 }, (_, n) => `A-${n},Pen ${n},,12`);
  const file = fileWith(
    [
      'SKU,Name,Vendor,Price',
      ...plain.map((row, n) => (n > 8000 ? row.replace(',,', ',Quiet Inkwell,') : row)),
    ].join('\n'),
  );
  const { draft, isWhole } = await runSuggest({ file, resources: PRODUCTS, read: {} });
  expect(isWhole).toBe(false);
  expect(draft.fields.find(({ field }) => field === 'brand.name')?.columns).toEqual(['Vendor']);
});

test('no row of a file is sampled twice', async () => {
  for (const count of [1500, 3000, 30_000]) {
    const rows = Array.from({ length: count }, (_, n) => `A-${n},Pen ${n},${n % 90}`);
    const file = fileWith(['SKU,Name,Price', ...rows].join('\n'));
    const { draft, records, valid } = await runSuggest({ file, resources: PRODUCTS, read: {} });
    expect(draft.fields.find(({ field }) => field === 'reference')).toMatchObject({
      columns: ['SKU'],
      score: 1,
    });
    expect(records).toBeLessThanOrEqual(count);
    expect(valid).toBe(records);
  }
});

test('records that lack rows in the sample are not counted', async () => {
  const rows = Array.from({ length: 9000 }, (_, n) =>
    ['S', 'M', 'L'].map(
      (size, i) => `tee-${n},${i === 0 ? `Tee number ${n}` : ''},Size,${size},T-${n}-${size},19`,
    ),
  );
  const file = fileWith(
    ['Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price', ...rows.flat()].join('\n'),
  );
  const { isWhole, records, valid } = await runSuggest({ file, resources: PRODUCTS, read: {} });
  expect(isWhole).toBe(false);
  expect(records).toBeGreaterThan(1000);
  expect(valid).toBe(records);
});

test('a file whose rows all have a fault is refused with the first of them', async () => {
  const file = fileWith('SKU,Name\nA,Pen,3,4\nB,Ink,5,6\n');
  await expect(runSuggest({ file, resources: PRODUCTS, read: {} })).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringContaining('No row of'),
    hints: expect.arrayContaining([expect.stringContaining('Row 2: This row has 4 cells')]),
  });
});

test('identifiers of another system are noticed', async () => {
  const row = (id: string) => `${JSON.stringify({ _id: id, name: 'Pen', sku: 'A', price: 3 })}\n`;
  const found = (id: string) => {
    const file = join(temporaryFolder(), 'shop.ndjson');
    writeFileSync(file, row(id));
    return runSuggest({ file, resources: PRODUCTS, read: {} });
  };
  expect((await found('product.pen')).hasForeignIds).toBe(true);
  expect((await found('5f4dcc3b5aa765d61d8327de')).hasForeignIds).toBe(false);
});

test('questions are asked about what is uncertain, and answers are followed', async () => {
  const file = fileWith('SKU,Name,Furlong price\nA,Pen,3\nB,Ink,4\n');
  const asked: string[] = [];
  const ask = (isYes: boolean) => async (question: { readonly kind: string }) => {
    asked.push(question.kind);
    return isYes;
  };
  const yes = await runSuggest({ file, resources: PRODUCTS, read: {}, ask: ask(true) });
  expect(asked).toEqual(['add']);
  expect(yes.draft.fields.find(({ field }) => field === 'price.salePrice')?.columns).toEqual([
    'Furlong price',
  ]);
  const no = await runSuggest({ file, resources: PRODUCTS, read: {}, ask: ask(false) });
  expect(no.draft.fields.some(({ field }) => field === 'price.salePrice')).toBe(false);
});

test('once a column is accepted for a field, no other column is offered for it', async () => {
  const file = fileWith('SKU,Name,Fathom price,Furlong price\nA,Pen,3,5\nB,Ink,4,6\n');
  const asked: Question[] = [];
  const { draft } = await runSuggest({
    file,
    resources: PRODUCTS,
    read: {},
    ask: async (question) => asked.push(question) === 2,
  });
  const fields = asked.map((question) => question.kind === 'add' && question.leftOut.field);
  expect(fields).toEqual(['price.salePrice', 'price.salePrice']);
  expect(draft.fields.filter(({ field }) => field === 'price.salePrice')).toMatchObject([
    { columns: ['Furlong price'] },
  ]);
  const first: Question[] = [];
  const accepted = await runSuggest({
    file,
    resources: PRODUCTS,
    read: {},
    ask: async (question) => first.push(question) > 0,
  });
  expect(first).toHaveLength(1);
  expect(accepted.draft.fields.filter(({ field }) => field === 'price.salePrice')).toMatchObject([
    { columns: ['Fathom price'] },
  ]);
});

test('rows without a key are records of their own, as in an import', async () => {
  const rows = Array.from({ length: 30 }, (_, n) => [`pen-${n},Pen ${n},S,5`, `pen-${n},Pen ${n},M,6`]);
  const loose = ['Ink 1', 'Ink 2', 'Ink 3'].map((name) => `,${name},L,7`);
  const file = fileWith(['Handle,Title,Option value,Price', ...rows.flat(), ...loose].join('\n'));
  const { draft, records } = await runSuggest({ file, resources: PRODUCTS, read: {} });
  expect(draft.group).toEqual({ by: 'Handle' });
  expect(records).toBe(33);
});
