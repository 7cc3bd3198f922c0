import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { columnsIn, type Mapped, presetNames } from '../../src/map/index.ts';
import type { Json, JsonObject, RecordWarning } from '../../src/model/index.ts';
import { scaledRuns } from '../support/property-tests.ts';
import { sample } from '../support/run.ts';
import { gatherExport, gatherObjects, mapEach, mapExport, mapObject, presetNamed } from './read-export.ts';

type Item = Record<string, Json>;

/** A word of no language. */
const UNKNOWN = 'Zqxwv';

/** Samples of the presets that read several files. */
const JOINED: Readonly<Record<string, readonly string[]>> = {
  'magento2-customers': ['joined/magento2-customer-addresses.csv'],
  'prestashop-customers': ['joined/prestashop-addresses.csv'],
  'prestashop-products': ['joined/prestashop-combinations.csv'],
  'rakuten-products': ['joined/rakuten-categories.csv', 'joined/rakuten-choices.csv'],
};

/** Records of the presets without a table as a sample. */
const OBJECTS: Readonly<Record<string, JsonObject>> = {
  'shopify-products-json': {
    ...{ title: 'Mug', handle: 'mug', body_html: 'x', status: 'active', published_at: '2026-01-01' },
    ...{ options: [], images: [], variants: [{ price: '5', option1: 'Default Title', sku: 'M' }] },
  },
  'shopify-products-graphql': {
    ...{
      title: 'Mug',
      handle: 'mug',
      status: 'ACTIVE',
      publishedAt: '2026-01-01T00:00:00Z',
      isGiftCard: false,
    },
    variants: { nodes: [{ title: 'Default Title', price: '5', sku: 'M' }] },
  },
  'woocommerce-products-json': {
    ...{ id: 1, name: 'Mug', sku: 'M', type: 'simple', status: 'publish', catalog_visibility: 'visible' },
    ...{
      parent_id: 0,
      regular_price: '5',
      sale_price: '',
      stock_status: 'instock',
      backorders: 'no',
      attributes: [],
    },
    ...{ images: [], manage_stock: false, virtual: false, downloadable: false },
  },
  'woocommerce-orders-json': {
    ...{ number: '1', status: 'completed', total: '5', billing: { first_name: 'Ann' }, shipping_lines: [] },
    line_items: [{ name: 'Mug', quantity: 1, total: '5' }],
  },
};

function itemsOf(name: string): Item[] {
  const object = OBJECTS[name];
  if (object) return [object];
  return [`${name}.csv`, ...(JOINED[name] ?? [])].flatMap((file) => {
    const text = readFileSync(sample(file), 'utf8');
    const head = text.slice(0, text.indexOf('\n'));
    const delimiter = [',', ';', '\t'].reduce((a, b) =>
      head.split(b).length > head.split(a).length ? b : a,
    );
    const options = { columns: true, bom: true, delimiter, relax_column_count: true, skip_empty_lines: true };
    return parse(text, options) as unknown as Item[];
  });
}

async function mapped(name: string, items: readonly Item[]): Promise<Mapped[]> {
  const { groupBy, links } = presetNamed(name);
  const isGrouped = groupBy !== undefined || links !== undefined;
  if (OBJECTS[name])
    return isGrouped ? gatherObjects(name, ...items) : items.map((item) => mapObject(name, item));
  const rows = items as Record<string, string>[];
  return isGrouped ? gatherExport(name, ...rows) : mapEach(name, rows);
}

/** `Price [{shop}]` is the name of the column `Price [Shop 1]`. */
function isNamed(header: string, name: string): boolean {
  const [before = '', after] = name.split(/\{.*\}/);
  return after === undefined ? header === name : header.startsWith(before) && header.endsWith(after);
}

/** Replaces the filled cells of a column, which may have another name in the file. A missing column is added. */
function withUnknown(name: string, items: readonly Item[], column: string): Item[] {
  const names = [column, ...(presetNamed(name).aliases.get(column) ?? [])];
  const fits = (header: string) => names.some((each) => isNamed(header.toLowerCase(), each.toLowerCase()));
  const at = [...new Set(items.flatMap((item) => Object.keys(item)))].find(fits);
  if (at === undefined) return items.map((item) => ({ ...item, [column]: UNKNOWN }));
  return items.map((item) => (String(item[at] ?? '').trim() === '' ? item : { ...item, [at]: UNKNOWN }));
}

const hasUnknown = ({ cells, value }: Mapped['record']['rows'][number]) =>
  value === undefined ? cells.includes(UNKNOWN) : Object.values(value as JsonObject).includes(UNKNOWN);

/** True if anybody can buy, use or be sent something, or if an order is in some state. */
function isOpen({ payload, issues }: Mapped): boolean {
  const { status, active, isSubscriber, details } = payload;
  if (issues.length > 0) return false;
  return (
    status === 'PUBLISH' ||
    active === true ||
    isSubscriber === true ||
    (details !== undefined && status !== undefined)
  );
}

const foundIn = (warnings: readonly RecordWarning[] = []) =>
  warnings.flatMap((each) => (typeof each === 'object' ? [[each.found, each.row]] : []));

test.each(presetNames())(
  '%s publishes no record with a word that it does not know, and names the cell',
  async (name) => {
    const items = itemsOf(name);
    for (const { column, ofLead } of presetNamed(name).words ?? []) {
      const after = await mapped(name, withUnknown(name, items, column));
      const asked = after.filter(({ record: { rows } }) =>
        (ofLead ? rows.slice(0, 1) : rows).some(hasUnknown),
      );
      expect(asked.length, `the sample has no ${column}`).toBeGreaterThan(0);
      expect([column, asked.filter(isOpen).map(({ payload }) => payload)]).toEqual([column, []]);
      for (const { record, warnings, issues } of asked) {
        const row = record.rows.find(hasUnknown)?.row;
        if (issues.length === 0) expect(foundIn(warnings)).toContainEqual([`"${UNKNOWN}"`, row]);
      }
    }
  },
);

/** Names of columns whose words say what is public, for sale or in stock. */
const DECIDING =
  /status|visib|publish|active|enabled|online|gift|sale_ok|purchas|in.?stock\?|availab|hidden/i;

/** Dates, an address of a page, and a number. */
const NOT_WORDS = ['publishedAt', 'published_at', 'onlineStoreUrl', 'qty_available'];

const isEndless = ({ payload }: Mapped) => (payload.outStock as JsonObject | undefined)?.disabled === true;

test.each(presetNames())(
  '%s reads no unknown word as stock without an end, nor in a column that decides',
  async (name) => {
    const { words = [], fields } = presetNamed(name);
    const known = new Set(words.map(({ column }) => column));
    const items = itemsOf(name);
    const before = await mapped(name, items);
    const unknown = [...columnsIn(fields)].filter((each) => !known.has(each));
    const others = unknown.filter((each) => !DECIDING.test(each));
    for (const column of [
      ...unknown.filter((each) => DECIDING.test(each)),
      ...others.slice(0, scaledRuns(others.length)),
    ]) {
      const after = await mapped(name, withUnknown(name, items, column));
      const open = after.filter((each) => isOpen(each) && each.record.rows.some(hasUnknown));
      const isWord = DECIDING.test(column) && !NOT_WORDS.includes(column);
      if (isWord) expect([column, open.length]).toEqual([column, 0]);
      // Records cannot be compared if their rows are grouped in another way.
      if (after.length !== before.length) continue;
      const endless = after.filter((each, index) => isEndless(each) && !isEndless(before[index] as Mapped));
      expect([column, endless.filter((each) => isOpen(each)).map(({ payload }) => payload)]).toEqual([
        column,
        [],
      ]);
    }
  },
);

test('an order whose payment had only an unknown status has no empty payment', () => {
  const cells = { Name: '#7', 'Lineitem quantity': '1', 'Lineitem name': 'Lamp', 'Lineitem price': '50.00' };
  const { payload, warnings } = mapExport('shopify-orders', { ...cells, 'Financial Status': UNKNOWN });
  expect(payload).not.toHaveProperty('payment');
  expect(payload).not.toHaveProperty('status');
  expect(warnings).toHaveLength(1);
});

test('an unknown status of an order leaves the other facts of its payment', () => {
  const cells = { Name: '#7', 'Lineitem quantity': '1', 'Lineitem name': 'Lamp', 'Lineitem price': '50.00' };
  const paid = { 'Financial Status': UNKNOWN, 'Paid at': '2026-02-22 15:28:08 +0000' };
  const { payload } = mapExport('shopify-orders', { ...cells, ...paid });
  expect(payload.payment).toEqual({ paidAt: '2026-02-22T15:28:08+00:00' });
});
