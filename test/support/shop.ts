import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/model/index.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';

/** A shop of five resources that refer to each other. Each record says in another field what its references must be. */
export interface ShopSize {
  readonly suppliers: number;
  readonly products: number;
  readonly customers: number;
  readonly discounts: number;
  readonly orders: number;
}

export const SMALL_SHOP: ShopSize = { suppliers: 3, products: 8, customers: 5, discounts: 3, orders: 6 };

const MAPPINGS = {
  products: `resource: products
fields:
  name: Name
  reference: SKU
  model: Supplier
  supplier._id: { from: Supplier, lookup: { from: suppliers } }
`,
  discounts: `resource: discounts
fields:
  code: Code
  type: { const: percentage }
  percentage: { const: 10 }
  products:
    each: { part: { from: SKUs, split: "|" } }
    fields:
      _id: { from: "{part}", lookup: { from: products } }
`,
  orders: `resource: orders
key: Number
group: { by: Number }
fields:
  customerNote: Number
  customer.email: Email
  customer._id: { from: Email, lookup: { from: customers } }
  details:
    each: row
    fields:
      product.name: SKU
      product._id: { from: SKU, lookup: { from: products } }
      quantity: { const: 1 }
`,
};

/** Steps in an order that is not theirs. */
export const SHOP_PLAN = `title: Paris <shop>
steps:
  - import: orders
    files: orders.csv
    mapping: ./orders.yaml
  - import: discounts
    files: discounts.csv
    mapping: discounts.yaml
  - import: products
    files: [products-1.csv, products-2.csv]
    mapping: ./products.yaml
  - import: customers
    files: data/customers.csv
    options: { set: [status=ACTIVE], delimiter: ";" }
  - import: suppliers
    files: suppliers.csv
`;

/** Writes the files of a shop, its mappings and its plan into a folder. */
export function writeShop(cwd: string, size: ShopSize = SMALL_SHOP): void {
  const write = (file: string, header: string, rows: readonly string[]) =>
    writeFileSync(join(cwd, file), `${[header, ...rows].join('\n')}\n`);
  const some = (count: number, row: (n: number) => string) => Array.from({ length: count }, (_, n) => row(n));
  for (const [name, text] of Object.entries(MAPPINGS)) writeFileSync(join(cwd, `${name}.yaml`), text);
  writeFileSync(join(cwd, 'plan.yaml'), SHOP_PLAN);
  mkdirSync(join(cwd, 'data'), { recursive: true });
  const { suppliers, products, customers, discounts, orders } = size;
  write(
    'suppliers.csv',
    'name,address1',
    some(suppliers, (n) => `Supplier ${n},Mill Lane ${n}`),
  );
  const rows = some(products, (n) => `SKU-${n},Product ${n},Supplier ${n % suppliers}`);
  write('products-1.csv', 'SKU,Name,Supplier', rows.slice(0, products / 2));
  write('products-2.csv', 'SKU,Name,Supplier', rows.slice(products / 2));
  write(
    'data/customers.csv',
    'firstname;lastname;email',
    some(customers, (n) => `Ann;Lee ${n};ann${n}@example.com`),
  );
  write(
    'discounts.csv',
    'Code,SKUs',
    some(discounts, (n) => `SKU-${n}|SKU-${(n + 1) % products},SKU-${n}|SKU-${(n + 1) % products}`),
  );
  write(
    'orders.csv',
    'Number,Email,SKU',
    Array.from({ length: orders }, (_, n) => n).flatMap((n) =>
      [n, n + 1].map((sku) => `${1000 + n},ann${n % customers}@example.com,SKU-${sku % products}`),
    ),
  );
}

/** The number of records by resource. */
export function shopIn(sandbox: Sandbox): ShopSize {
  const count = (name: keyof ShopSize) => [...sandbox.records(name)].length;
  return {
    suppliers: count('suppliers'),
    products: count('products'),
    customers: count('customers'),
    discounts: count('discounts'),
    orders: count('orders'),
  };
}

/** References in the store that do not lead to the record they should, and keys that are there twice. */
export function wrongInShop(sandbox: Sandbox): string[] {
  const records = (name: keyof ShopSize) => [...sandbox.records(name)] as (JsonObject & Shop)[];
  const twice = (name: keyof ShopSize, keyOf: (record: Shop) => unknown) => {
    const keys = records(name).map((record) => String(keyOf(record)));
    return keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => `${name}: ${key} twice`);
  };
  const ids = (name: keyof ShopSize, keyOf: (record: Shop) => unknown) =>
    new Map(records(name).map((record) => [String(keyOf(record)), record._id]));
  const suppliers = ids('suppliers', ({ name }) => name);
  const products = ids('products', ({ reference }) => reference);
  const customers = ids('customers', ({ email }) => email);
  const wrong: string[] = [];
  const expectId = (what: string, found: unknown, wanted: unknown) => {
    if (found === undefined || found !== wanted) wrong.push(`${what}: ${found} in place of ${wanted}`);
  };
  for (const { reference, model, supplier } of records('products'))
    expectId(`product ${reference}`, supplier?._id, suppliers.get(String(model)));
  for (const { code, products: named } of records('discounts'))
    for (const [index, sku] of String(code).split('|').entries())
      expectId(`discount ${code}`, named?.[index]?._id, products.get(sku));
  for (const { customerNote, customer, details } of records('orders')) {
    expectId(`order ${customerNote}`, customer?._id, customers.get(String(customer?.email)));
    for (const { product } of details ?? [])
      expectId(`order ${customerNote}`, product?._id, products.get(String(product?.name)));
  }
  return [
    ...wrong,
    ...twice('suppliers', ({ name }) => name),
    ...twice('products', ({ reference }) => reference),
    ...twice('customers', ({ email }) => email),
    ...twice('discounts', ({ code }) => code),
    ...twice('orders', ({ customerNote }) => customerNote),
  ];
}

/** The fields of all resources that refer to each other. */
interface Shop {
  readonly _id?: string;
  readonly name?: string;
  readonly reference?: string;
  readonly model?: string;
  readonly email?: string;
  readonly code?: string;
  readonly customerNote?: string;
  readonly supplier?: { readonly _id?: string };
  readonly products?: readonly { readonly _id?: string }[];
  readonly customer?: { readonly _id?: string; readonly email?: string };
  readonly details?: readonly { readonly product?: { readonly _id?: string; readonly name?: string } }[];
}
