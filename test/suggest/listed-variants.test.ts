import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { bind, parseMapping } from '../../src/map/index.ts';
import { draftMapping, writeYaml } from '../../src/suggest/index.ts';
import { createDictionary } from '../../src/suggest/names/dictionary.ts';
import { LANGUAGES } from '../../src/suggest/words/index.ts';
import { recordOf, rowsOf, tableOf } from '../support/map-rows.ts';

const dictionary = createDictionary(LANGUAGES);

/** The payloads that the suggested mapping makes of a table, with how it groups rows. */
function made(header: string, rows: readonly string[]) {
  const [names = [], ...cells] = parse([header, ...rows].join('\n')) as string[][];
  const columns = names.map((name, index) => ({ name, cells: cells.map((row) => row[index] ?? '') }));
  const { draft, records } = draftMapping('products', { columns }, dictionary);
  const table = tableOf(...names);
  const binding = bind(parseMapping('suggested', writeYaml(draft, 'shop.csv')), table, []);
  const all = rowsOf(table, ...cells);
  const payloads = records.map((indexes) => {
    const { payload, issues } = binding.map(recordOf(indexes.flatMap((index) => all[index] ?? [])));
    expect(issues).toEqual([]);
    return payload;
  });
  return { group: draft.group, payloads };
}

const TEES = ['Red', 'Blue'].flatMap((color) =>
  ['S', 'M'].map((size) => ({ sku: `T-${color}-${size}`, color, size })),
);
const ALONE = Array.from({ length: 8 }, (_, n) => `PEN-${n},Pen ${n},${n + 1}.50,${n + 3},`);

test('a product that lists its variants with their options has them, wherever their rows are', () => {
  const list = TEES.map(({ sku, size, color }) => `sku=${sku},size=${size},color=${color}`).join('|');
  const parts = TEES.map(({ sku }, n) => `${sku},Tee,${10 + n}.00,${n + 1},`);
  const { group, payloads } = made('SKU,Name,Price,Stock,Variations', [
    ...parts,
    ...ALONE,
    `T,Tee,,,"${list}"`,
  ]);
  expect(group).toEqual({
    name: 'SKU',
    parts: {
      from: 'Variations',
      split: '|',
      replace: { match: '^(?:.*,)?\\s*sku\\s*=([^,]*).*$', with: '$1' },
    },
  });
  expect(payloads).toHaveLength(9);
  const tee = payloads.find(({ reference }) => reference === 'T');
  expect(tee).toMatchObject({
    ...{ name: 'Tee', type: 'variable', quantity: { instock: 10 } },
    options: [
      { name: 'size', values: [{ value1: 'S' }, { value1: 'M' }] },
      { name: 'color', values: [{ value1: 'Red' }, { value1: 'Blue' }] },
    ],
  });
  expect(tee?.variants).toEqual(
    TEES.map(({ sku, size, color }, n) => ({
      ...{ name: 'Tee', reference: sku, price: { salePrice: 10 + n }, quantity: { instock: n + 1 } },
      option1: { name: 'size', value1: size },
      option2: { name: 'color', value1: color },
    })),
  );
  expect(payloads.filter(({ type }) => type === 'variable')).toEqual([tee]);
});

test('a plain list of codes is one too, and the columns of options say in which they differ', () => {
  const list = TEES.map(({ sku }) => sku).join('; ');
  const { group, payloads } = made('SKU,Name,Price,Size,Color,Variants', [
    `T,Tee,,,,${list}`,
    ...TEES.map(({ sku, size, color }) => `${sku},Tee,12.00,${size},${color},`),
    ...Array.from({ length: 8 }, (_, n) => `PEN-${n},Pen ${n},${n + 1}.50,,,`),
  ]);
  expect(group).toEqual({ name: 'SKU', parts: { from: 'Variants', split: ';' } });
  expect(payloads[0]).toMatchObject({
    variants: TEES.map(({ sku, size, color }) => ({
      ...{ reference: sku, option1: { name: 'Color', value1: color } },
      option2: { name: 'Size', value1: size },
    })),
  });
});

test.each([
  ['whose name says nothing of variants', 'Related', TEES.map(({ sku }) => sku).join('|')],
  ['of codes that are mostly of other files', 'Variants', 'T-Red-S|X-1|X-2|X-3|X-4'],
  ['of values, not of codes', 'Variants', 'Red|Blue|Green'],
  ['with one code alone', 'Variants', 'T-Red-S'],
])('a list %s joins no rows', (_, column, list) => {
  const parts = TEES.map(({ sku }) => `${sku},Tee ${sku},12.00,1,`);
  expect(
    made(`SKU,Name,Price,Stock,${column}`, [...parts, ...ALONE, `T,Tee,9.00,1,${list}`]).group,
  ).toBeUndefined();
});

test('rows that list each other, or that two rows list, are no parts', () => {
  const header = 'SKU,Name,Price,Stock,Variants';
  const mutual = TEES.map(({ sku }, n) => {
    const others = TEES.filter((_, other) => other !== n).map((each) => each.sku);
    return `${sku},Tee ${sku},12.00,1,${others.join('|')}`;
  });
  expect(made(header, [...mutual, ...ALONE]).group).toBeUndefined();
  const list = TEES.map(({ sku }) => sku).join('|');
  const parts = TEES.map(({ sku }) => `${sku},Tee ${sku},12.00,1,`);
  const twice = [...parts, ...ALONE, `T,Tee,9.00,1,${list}`, `U,Set,20.00,1,${list}`];
  expect(made(header, twice).group).toBeUndefined();
});

test('one list in many that names a code of no row, or its own row, decides nothing', () => {
  const header = 'SKU,Name,Price,Stock,Variations';
  const groups = Array.from({ length: 12 }, (_, n) => [`G${n}`, `G${n}-S`, `G${n}-M`]);
  const rows = groups.flatMap(([lead = '', ...parts], n) => [
    ...parts.map((sku) => `${sku},Tee ${n},12.00,1,`),
    `${lead},Tee ${n},,,"${[...parts, ...(n === 3 ? [lead] : []), ...(n === 5 ? ['GONE'] : [])]
      .map((sku) => `sku=${sku},size=${sku.slice(-1)}`)
      .join('|')}"`,
  ]);
  const { group, payloads } = made(header, rows);
  expect(group).toMatchObject({ name: 'SKU', parts: { from: 'Variations' } });
  expect(payloads).toHaveLength(12);
});

describe.each(['|', ';', '\n'])('entries with %j between them', (between) => {
  test.each(['sku=', 'Code =', ' id='])('are cut there, with the code behind %j', (key) => {
    const name = key.replaceAll(/[ =]/g, '');
    const rows = Array.from({ length: 6 }, (_, n) => {
      const parts = ['S', 'M', 'L'].map((size) => ({ sku: `T${n}-${size}`, size }));
      const list = parts.map(({ sku, size }) => `${key}${sku}, size=${size}`).join(between);
      return [`T${n},Tee ${n},,,"${list}"`, ...parts.map(({ sku }) => `${sku},Tee ${n},${n + 9}.00,2,`)];
    });
    const { group, payloads } = made('SKU,Name,Price,Stock,Variations', rows.flat());
    expect(group).toMatchObject({
      parts: { split: between, replace: { match: expect.stringContaining(name) } },
    });
    expect(payloads.map(({ variants }) => (variants as unknown[]).length)).toEqual([3, 3, 3, 3, 3, 3]);
    expect(payloads[0]).toMatchObject({
      options: [{ name: 'size', values: [{ value1: 'S' }, { value1: 'M' }, { value1: 'L' }] }],
    });
  });
});

test('variants without options are named as their rows, and make the product variable', () => {
  const rows = Array.from({ length: 6 }, (_, n) => [
    `T${n},Tee ${n},,"T${n}-S,T${n}-M"`,
    ...['S', 'M'].map((size) => `T${n}-${size},Tee ${n} ${size},9.00,`),
  ]);
  const { payloads } = made('SKU,Name,Price,Variants', rows.flat());
  expect(payloads[0]).toMatchObject({
    ...{ name: 'Tee 0', type: 'variable' },
    variants: [
      { name: 'Tee 0 S', reference: 'T0-S' },
      { name: 'Tee 0 M', reference: 'T0-M' },
    ],
  });
});
