import { expect, onTestFinished, test } from 'vitest';
import { LAWS } from '../laws/laws.ts';
import { harmIn, type Made, makeOf } from '../laws/made.ts';
import type { Table } from '../laws/tables.ts';
import { scaledRuns } from '../support/property-tests.ts';
import { temporaryFolder } from '../support/run.ts';

/** A table of products with `count` rows. */
function tableOf(header: readonly string[], cells: (row: number) => readonly string[], count: number): Table {
  const rows = Array.from({ length: count }, (_, row) => cells(row));
  return { header, rows, origins: rows.map((_, row) => row) };
}

const TABLES: Readonly<Record<string, Table>> = {
  'one row for each product': tableOf(
    ['SKU', 'Name', 'Category', 'Price', 'Stock', 'Weight', 'Image'],
    (row) => [
      ...[`PEN-${row}`, `Pen ${row}`, row % 2 === 0 ? 'Writing' : 'Paper', `${row + 1}.90`, `${row}`],
      ...[`${row + 10} g`, `https://shop.example.com/${row}.jpg`],
    ],
    12,
  ),
  'German names and numbers': tableOf(
    ['Artikelnummer', 'Bezeichnung', 'Preis', 'Bestand', 'Hersteller'],
    (row) => [`A${row}`, `Stift ${row}`, `${row + 1},50`, `${row * 3}`, row % 3 === 0 ? 'Kiel' : 'Ahorn'],
    10,
  ),
  'a row for each variant': tableOf(
    ['Parent SKU', 'SKU', 'Name', 'Size', 'Price', 'Stock'],
    (row) => {
      const product = Math.floor(row / 3);
      return [
        `T${product}`,
        `T${product}-${row % 3}`,
        `Tee ${product}`,
        'SML'[row % 3] ?? '',
        `${product + 9}.00`,
        `${row}`,
      ];
    },
    24,
  ),
  'a row for each line of an order': tableOf(
    ['Order', 'Email', 'Customer name', 'Ship City', 'Item', 'Quantity', 'Price', 'Shipping', 'Total'],
    (row) => {
      const order = Math.floor(row / 2);
      const amountOf = (line: number) => ((line % 3) + 1) * (line + 2);
      const line = [`Pen ${row}`, `${(row % 3) + 1}`, `${row + 2}.00`];
      // The customer, shipping and total of an order are on its first row.
      if (row % 2 === 1) return [`#10${order}`, '', '', '', ...line, '', ''];
      const total = amountOf(row) + amountOf(row + 1) + 5;
      const customer = [`k${order}@example.com`, `Ann Lee${order}`, order % 3 === 0 ? 'Leeds' : 'York'];
      return [`#10${order}`, ...customer, ...line, '5.00', `${total}.00`];
    },
    24,
  ),
};

/** All other tables are of products. */
const RESOURCE_OF = new Map([['a row for each line of an order', 'orders']]);

const CASES = Object.entries(TABLES).flatMap(([name, table]) =>
  LAWS.map((law) => ({ name, law: law.name, table, change: law.change })),
);

/** Records of each table before a change. */
const made = new Map<Table, Promise<Made | string>>();

test.each(CASES)('$name: $law, and all other records stay as they are', async ({ name, table, change }) => {
  const resource = RESOURCE_OF.get(name) ?? 'products';
  const work = temporaryFolder(onTestFinished);
  if (!made.has(table)) made.set(table, makeOf(table, { resource, work }));
  const before = await made.get(table);
  if (before === undefined) throw new Error('nothing was made');
  if (typeof before === 'string') throw new Error(before);
  expect([...before.records.values()].filter((payload) => payload === undefined)).toEqual([]);
  const changes = change(table, before.bearing);
  if (typeof changes === 'string') return expect(changes).toMatch(/^(it|its|no|the) /);
  for (const { table: changed, touched } of changes.slice(-scaledRuns(changes.length))) {
    const after = await makeOf(changed, { resource, work });
    if (typeof after === 'string') throw new Error(after);
    expect(harmIn(before, after, touched)).toBeUndefined();
  }
});
