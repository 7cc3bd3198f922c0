import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runSuggest } from '../../../src/pipeline/index.ts';
import { importable, resourceNamed } from '../../../src/resources/index.ts';
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

  test.each(samples)('%s: a suggestion makes most records valid', async (sample) => {
    const [, name = ''] = /-(products|customers)/.exec(sample) ?? [];
    const found = await runSuggest({
      file: join('samples', sample),
      resources: [resourceNamed(name)],
      read: {},
    });
    expect(found.missing).toEqual([]);
    // Some rows of the samples are wrong on purpose.
    const { outcomes } = EXPECTED[sample] as { outcomes: { planned?: number } };
    expect(found.valid).toBeGreaterThanOrEqual(0.85 * (outcomes.planned ?? 0));
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
    file: fileWith('Name,Price\nPen,3\nInk,4\n'),
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
