import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { recogniseMapping } from '../../src/map/index.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { tableOf } from '../support/map-rows.ts';
import { sample } from '../support/run.ts';
import { mapExport, payloadOf } from './read-export.ts';

const PRESET = 'woocommerce-products';

/**
 * Column names of an export in WooCommerce's translations, present and earlier ones; `%s` is a unit, `%d` a
 * number.
 */
const HEADERS = JSON.parse(
  readFileSync(new URL('./woocommerce-headers.json', import.meta.url), 'utf8'),
) as Record<string, Record<string, string[]>>;

type Cells = Record<string, string>;
const rows = parse(readFileSync(sample('woocommerce-products.csv')), { columns: true }) as Cells[];
const named = (...numbers: string[]) => numbers.map((id) => rows.find(({ ID }) => ID === id) as Cells);
/** A variable product before its variations, and other products. */
const RECORDS = [named('10', '11', '12', '13'), named('20'), named('21'), named('22'), named('24')];
const PAYLOADS = RECORDS.map((record) => payloadOf(PRESET, ...record));

const VARIANTS = Object.entries(HEADERS).flatMap(([language, names]) => {
  const most = Math.max(...Object.values(names).map(({ length }) => length));
  return Array.from({ length: most }, (_, index) => ({ language, index, names }));
});

test.each(VARIANTS)(
  'an export in $language is read as the English one (names $index)',
  ({ names, index }) => {
    const translated = RECORDS.map((record) =>
      record.map((cells) =>
        Object.fromEntries(
          Object.entries(cells).map(([name, cell]) => [translate(name, names, index), cell]),
        ),
      ),
    );
    expect(translated.map((record) => payloadOf(PRESET, ...record))).toEqual(PAYLOADS);
    const table = tableOf(...Object.keys(translated[0]?.[0] ?? {}));
    expect(recogniseMapping(table, resourceNamed('products'), { required: ['name', 'reference'] }).name).toBe(
      PRESET,
    );
  },
);

/** `Weight (kg)` and `Attribute 2 name` have a unit and a number inside. */
function translate(name: string, names: Record<string, string[]>, index: number): string {
  const general = name
    .replace(/^((?:Weight|Length|Width|Height) \()[^)]*/, '$1%s')
    .replace(/^((?:Attribute|Download) )\d/, '$1%d')
    .replace(/^Meta: .*/, 'Meta: %s');
  const others = names[general];
  if (others === undefined) return name;
  const [gap = ''] = /(?<=\()[^)]*(?=\)$)|\d|(?<=^Meta: ).*/.exec(name) ?? [];
  return (others[Math.min(index, others.length - 1)] as string).replace(/%[sd]/, gap);
}

test.each(VARIANTS.filter(({ names }) => names['Date sale price starts']))(
  'a sale that begins later is recognised in $language (names $index)',
  ({ names, index }) => {
    const cells = { Type: 'simple', SKU: 'A', Name: 'A', 'Regular price': '9', 'Sale price': '7' };
    const start = translate('Date sale price starts', names, index);
    expect(payloadOf(PRESET, { ...cells, [start]: '2999-01-01' }).price).toEqual({ salePrice: 9 });
    expect(payloadOf(PRESET, { ...cells, [start]: '2001-01-01' }).price).toMatchObject({ salePrice: 7 });
  },
);

test.each([
  ['Вес (кг)', 'kg'],
  ['Вес (фунт)', 'lbs'],
  ['Waga (uncje)', 'oz'],
  ['重量 (lbs (ポンド))', 'lbs'],
  ['Vikt (am. pund)', 'lbs'],
  ['Gewicht (Stein)', 'Stein'],
])('%s: a unit with a translated name is sent as %s', (column, unit) => {
  const { sizes } = payloadOf(PRESET, { Type: 'simple', SKU: 'A', Name: 'A', [column]: '2' });
  expect(sizes).toEqual({ weight: { value: 2, unit } });
});

test.each([
  ['1250,00', 1250],
  ['29,9', 29.9],
  ['.5', 0.5],
  ['24.90', 24.9],
])('a price of %s in the decimal notation of the shop is %d', (price, salePrice) => {
  const payload = payloadOf(PRESET, { Type: 'simple', SKU: 'A', Name: 'A', 'Regular price': price });
  expect(payload.price).toEqual({ salePrice });
});

test.each(['1,250', '1.250,00'])('%s may be a thousand or not, and is an issue', (price) => {
  const { issues } = mapExport(PRESET, { Type: 'simple', SKU: 'A', Name: 'A', 'Regular price': price });
  expect(issues).toMatchObject([{ code: 'not-a-number', column: 'Regular price' }]);
});
