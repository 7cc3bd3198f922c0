import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dice } from './dice.ts';
import { hostileTable, RESOURCES } from './tables.ts';
import { jsonText, NAMES } from './values.ts';

/** Items of a list before they are put into a file, as JSON texts. */
export interface HostileItems {
  readonly resource: string;
  readonly items: readonly string[];
  readonly beside: readonly string[];
}

/** Objects of exports that presets know. */
const KNOWN = [
  {
    resource: 'products',
    item: {
      ...{ id: 1, title: 'Notebook', body_html: '<p>Dotted</p>', vendor: 'Ink', product_type: 'Paper' },
      ...{
        handle: 'notebook',
        published_at: '2026-01-05T10:00:00+01:00',
        tags: 'paper, outdoor',
        status: 'active',
      },
      variants: [
        {
          ...{ sku: "'0017", price: '24.00', compare_at_price: '30.00', grams: 250, requires_shipping: true },
          ...{ title: 'A5', option1: 'A5', inventory_policy: 'deny', inventory_management: 'shopify' },
          inventory_quantity: 4,
        },
      ],
      options: [{ name: 'Size', position: 1, values: ['A5'] }],
      images: [{ src: 'https://cdn.example.com/a.jpg', alt: 'A' }],
    },
  },
  {
    resource: 'products',
    item: {
      ...{ title: 'Tee', handle: 'tee', descriptionHtml: '<p>Soft</p>', vendor: 'Mill', productType: 'Tees' },
      ...{ tags: ['cotton'], status: 'ACTIVE', publishedAt: '2026-01-05T10:00:00Z' },
      options: [{ name: 'Size', values: ['S', 'M'] }],
      images: { nodes: [{ url: 'https://cdn.example.com/tee.jpg', altText: 'Front' }] },
      variants: {
        nodes: [
          {
            ...{ title: 'S', sku: "'TEE-S", price: '24.90', compareAtPrice: null, inventoryQuantity: 4 },
            ...{ inventoryPolicy: 'DENY', selectedOptions: [{ name: 'Size', value: 'S' }] },
            inventoryItem: { tracked: true, measurement: { weight: { value: 0.2, unit: 'KILOGRAMS' } } },
          },
        ],
      },
    },
  },
  {
    resource: 'products',
    item: {
      ...{
        id: 20,
        name: 'Blue ink',
        type: 'simple',
        status: 'publish',
        catalog_visibility: 'visible',
        sku: 'INK',
      },
      ...{
        description: '<p>Dries</p>',
        price: '9.5',
        regular_price: '9.5',
        sale_price: '',
        manage_stock: true,
      },
      ...{ stock_quantity: 5, stock_status: 'instock', backorders: 'no', weight: '0.12', parent_id: 0 },
      ...{ categories: [{ id: 1, name: 'Ink &amp; paper' }], tags: [{ id: 3, name: 'blue' }] },
      images: [{ id: 5, src: 'https://cdn.example.com/ink.jpg', alt: 'A bottle' }],
      attributes: [{ id: 0, name: 'Colour', variation: false, options: ['blue'] }],
    },
  },
  {
    resource: 'orders',
    item: {
      ...{ number: '1', status: 'processing', discount_total: '2.00', shipping_total: '1', total: '19.00' },
      billing: { first_name: 'Ada', last_name: 'Doe', email: 'ada@example.com', phone: '+493012345' },
      line_items: [{ name: 'Mug', quantity: 2, subtotal: '20.00', total: '18.00', price: 9 }],
      shipping_lines: [{ method_title: 'Post', total: '1.00' }],
    },
  },
];

let payloads: readonly { readonly resource: string; readonly item: unknown }[] | undefined;

/** Objects of the API's own fields, as the samples must arrive. */
function nativePayloads() {
  payloads ??= RESOURCES.flatMap((resource) =>
    JSON.parse(readFileSync(join(process.cwd(), 'test', 'samples', `native-${resource}.json`), 'utf8')).map(
      (item: unknown) => ({ resource, item }),
    ),
  );
  return payloads;
}

/** Objects of one kind with hostile values, or the rows of a table as objects. */
export function hostileItems(dice: Dice): HostileItems {
  if (dice.chance(0.15)) {
    const { resource, header, rows } = hostileTable(dice);
    const isNested = dice.chance(0.3);
    const items = rows.map((row) => (isNested ? nested(header, row) : flat(header, row)));
    return { resource, items, beside: [] };
  }
  const { resource, item } = dice.of(dice.chance(0.5) ? KNOWN : nativePayloads());
  const share = dice.of([0, 0.01, 0.05, 0.05, 0.3]);
  // The mapping is chosen by the first objects.
  const first = dice.chance(0.9) ? [JSON.stringify(item)] : [];
  const others = dice.list(12, () =>
    dice.chance(0.02) ? jsonText(dice) : written(dice, item, dice.chance(0.7) ? share : 0),
  );
  return { resource, items: [...first, ...others], beside: [] };
}

/** Writes a value as JSON with hostile values, keys more than once, unknown keys, and keys left out. */
function written(dice: Dice, item: unknown, share: number): string {
  if (dice.chance(share)) return jsonText(dice, 2);
  if (Array.isArray(item)) {
    const items = item.map((each) => written(dice, each, share));
    if (dice.chance(share)) items.push(...items.slice(0, 3), jsonText(dice, 3));
    return `[${items.join(',')}]`;
  }
  if (typeof item === 'string' && dice.chance(0.02)) return JSON.stringify(item + dice.below(99));
  if (typeof item !== 'object' || item === null) return JSON.stringify(item);
  const members = Object.entries(item).flatMap(([key, each]) => {
    const member = `${JSON.stringify(key)}:${written(dice, each, share)}`;
    if (!dice.chance(share)) return [member];
    return dice.of([
      [],
      [member, member],
      [member, `${JSON.stringify(dice.of(NAMES))}:${jsonText(dice, 3)}`],
    ]);
  });
  return `{${members.join(',')}}`;
}

const member = (name: string, cell = '') => `${JSON.stringify(name)}:${JSON.stringify(cell)}`;
const flat = (header: readonly string[], row: readonly string[]) =>
  `{${header.map((name, at) => member(name, row[at])).join(',')}}`;

/** Splits names at their dots, and leaves the last of several out. */
function nested(header: readonly string[], row: readonly string[]): string {
  const item = new Map<string, unknown>();
  for (const [at, name] of header.entries()) {
    let inside = item;
    const [last = '', ...path] = name.split('.').reverse();
    for (const key of path.reverse()) {
      const before = inside.get(key);
      const next = before instanceof Map ? before : new Map<string, unknown>();
      inside.set(key, next);
      inside = next;
    }
    inside.set(last, row[at] ?? '');
  }
  return JSON.stringify(item, (_, each) => (each instanceof Map ? Object.fromEntries(each) : each));
}
