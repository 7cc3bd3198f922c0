import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  loadPreset,
  mappingText,
  namedMapping,
  presetNames,
  recogniseJoined,
  recogniseMapping,
} from '../../../src/map/index.ts';
import { customers } from '../../../src/resources/customers.ts';
import { products } from '../../../src/resources/products.ts';
import { refusal, tableOf } from '../../support/map-rows.ts';
import { removeTestFolder } from '../../support/run.ts';

const required = { products: ['name', 'reference'], customers: ['firstname', 'lastname'] };

function recognised(resource: typeof products, ...header: string[]): string {
  return recogniseMapping(tableOf(...header), resource, { required: required[resource.name as 'products'] })
    .name;
}

function unknown(resource: typeof products, ...header: string[]) {
  return refusal(() => recognised(resource, ...header));
}

describe('presets', () => {
  test.each(presetNames())('%s parses, and has a title and columns by which it is recognised', (name) => {
    const preset = loadPreset(name);
    expect(preset.name).toBe(name);
    expect(preset.title).toMatch(/^an? /);
    expect(preset.recognise.length).toBeGreaterThan(1);
  });

  test.each(presetNames())('%s has the columns by which it is recognised before its rules', (name) => {
    const text = mappingText(name);
    const rules = text.search(/^(?:group|skip|fields):/m);
    for (const key of ['resource', 'title', 'recognise', 'columns', 'joined', 'key'])
      expect([key, text.slice(rules).search(new RegExp(`^${key}:`, 'm'))]).toEqual([key, -1]);
  });

  test('are listed in order', () => {
    expect(presetNames()).toEqual([...presetNames()].sort());
    expect(presetNames()).toContain('shopify-products');
    expect(presetNames()).toContain('shopify-customers');
  });
});

describe('a main file and a joined file', () => {
  const main = tableOf('email', '_website', '_store', 'firstname', 'lastname');
  const joined = tableOf(
    '_email',
    '_website',
    'firstname',
    'lastname',
    'street',
    'city',
    'country_id',
    'region',
  );

  test('are recognised together, in any order, and only by a preset for the imported resource', () => {
    expect(recogniseJoined([main, joined], customers)?.name).toBe('magento2-customers');
    expect(recogniseJoined([joined, main], customers)?.name).toBe('magento2-customers');
    expect(recogniseJoined([main, joined], products)).toBeUndefined();
    expect(recogniseJoined([joined, joined], customers)).toBeUndefined();
    expect(recogniseJoined([main, joined, tableOf('colour')], customers)).toBeUndefined();
  });

  test('are refused if the joined file is alone, even if it has names of the API', () => {
    const { hints } = refusal(() => recogniseMapping(joined, customers, { required: required.customers }));
    expect(hints[0]).toMatch(
      /It looks like the addresses of a Magento 2 customer export: name it together with/,
    );
  });
});

describe('a file without --mapping', () => {
  const old = [
    'Handle',
    'Title',
    'Body (HTML)',
    'Option1 Name',
    'Option1 Value',
    'Variant SKU',
    'Variant Inventory Qty',
    'Variant Price',
  ];
  const later = [
    'Title',
    'URL handle',
    'Description',
    'Option1 name',
    'Option1 value',
    'SKU',
    'Price',
    'Inventory quantity',
  ];
  const classic = [
    'First Name',
    'Last Name',
    'Email',
    'Company',
    'Address1',
    'Phone',
    'Accepts Marketing',
    'Tags',
  ];
  const second = [
    'Customer ID',
    'First Name',
    'Last Name',
    'Email',
    'Accepts Email Marketing',
    'Accepts SMS Marketing',
    'Address1',
  ];
  const newest = [
    'Customer ID',
    'First Name',
    'Last Name',
    'Email',
    'Accepts Email Marketing',
    'Default Address Company',
    'Phone',
  ];

  test.each([
    ['products of the old header', products, old, 'shopify-products'],
    ['products of the new header', products, later, 'shopify-products'],
    [
      'products without stock',
      products,
      old.filter((name) => name !== 'Variant Inventory Qty'),
      'shopify-products',
    ],
    ['products without prices', products, old.filter((name) => name !== 'Variant Price'), 'shopify-products'],
    ['products in capitals', products, old.map((name) => ` ${name.toUpperCase()}`), 'shopify-products'],
    ['products in the native form', products, ['name', 'reference', 'tags'], 'native'],
    ['products to be updated in the native form', products, ['_id', 'price.salePrice'], 'native'],
    ['customers of the classic header', customers, classic, 'shopify-customers'],
    ['customers of the second header', customers, second, 'shopify-customers'],
    ['customers of the newest header', customers, newest, 'shopify-customers'],
    ['customers in the native form', customers, ['firstname', 'lastname'], 'native'],
    // Most of the names are those of Magento, and the few API names are coincidence.
    [
      'customers of Magento',
      customers,
      ['email', '_website', '_store', 'dob', 'firstname', 'lastname', 'gender', 'group_id', 'taxvat'],
      'magento2-customers',
    ],
    [
      'customers with many additional columns',
      customers,
      ['firstname', 'lastname', 'A', 'B', 'C', 'D'],
      'native',
    ],
  ])('%s are recognised', (_what, resource, header, name) => {
    expect(recognised(resource, ...header)).toBe(name);
  });

  test('a cross-border export with handles and titles is not recognised as products', () => {
    const header = [
      'Handle',
      'Title',
      'SKU',
      'Option1 Name',
      'Option1 Value',
      'Option2 Name',
      'Option2 Value',
      'Option3 Name',
      'Option3 Value',
      'COO',
      'HS Code',
    ];
    expect(unknown(products, ...header)).toEqual({
      message: 'shop.csv has a header that no mapping for products knows.',
      hints: [
        'The nearest preset is shopify-products; for it the file lacks "Variant Price" or "Variant Inventory Qty".',
        `Its columns: ${header.join(', ')}.`,
        "Name a mapping of your own with --mapping (docs/mappings.md says how to write one), or rename its columns to the API's own fields (name, reference, …).",
      ],
    });
  });

  test('that lacks one column of a preset but has most others gets that preset as a hint', () => {
    expect(unknown(products, 'Name', 'Published', 'SKU', 'mine').hints[0]).toBe(
      'The nearest preset is woocommerce-products; for it the file lacks "Type".',
    );
  });

  test.each([
    ['half of the columns that identify a preset', ['sku', 'name', 'description', 'meta_title']],
    [
      'words of every platform, and few columns of the preset',
      ['TITLE', 'PRICE', 'QUANTITY', 'MATERIALS', 'IMAGE1', 'IMAGE2'],
    ],
    ['a preset for JSON, and rows of cells', ['handle', 'title', 'variants', 'options', 'weight']],
  ])('with %s gets no such hint', (_what, header) => {
    expect(unknown(products, ...header).hints).toEqual([
      `Its columns: ${header.join(', ')}.`,
      expect.stringMatching(/^Name a mapping of your own with --mapping/),
    ]);
  });

  test('with unknown objects gets an error that lists their fields', () => {
    const medusa = { title: 'A', handle: 'a', variants: [], options: [], subtitle: '', weight: 1, tags: [] };
    const file = { file: 'shop.json', header: ['json'], items: [medusa] };
    expect(refusal(() => recogniseMapping(file, products, { required: required.products }))).toMatchObject({
      message: 'shop.json has objects that no mapping for products knows.',
      hints: [
        'The nearest preset is shopify-products-json; for it the file lacks "body_html" or "product_type".',
        'Its fields: title, handle, variants, options, subtitle, weight, tags.',
        expect.stringContaining('or rename its fields'),
      ],
    });
    const others = { ...medusa, is_giftcard: false, categories: [], images: [] };
    expect(
      refusal(() =>
        recogniseMapping({ ...file, items: [{ ...others, a: 1, b: 2, c: 3, d: 4 }] }, products, {
          required: [],
        }),
      ).hints[0],
    ).toMatch(/^Its fields: /);
  });

  test('of another resource gets an error that names the resource', () => {
    expect(unknown(products, ...newest)).toMatchObject({
      message: 'shop.csv has a header that no mapping for products knows.',
      hints: [
        'It looks like a Shopify customer export: customers, and not products.',
        expect.stringMatching(/^Its columns: Customer ID, /),
        expect.stringMatching(/^Name a mapping/),
      ],
    });
    expect(unknown(customers, ...old).hints[0]).toBe(
      'It looks like a Shopify product export: products, and not customers.',
    );
  });

  const NEARLY: readonly (readonly [string[], string, string])[] = [
    [['name', 'price.salePrice'], 'reference', "The API's own fields: name, price.salePrice."],
    [
      ['name', 'sku', 'price.salePrice'],
      'reference',
      "The API's own fields: name, price.salePrice. Others: sku.",
    ],
    [['reference', 'price.salePrice'], 'name', "The API's own fields: reference, price.salePrice."],
    [['tags', 'images.0.src'], 'name and reference', "The API's own fields: tags, images.0.src."],
    [[' name ', 'storeport_run'], 'reference', "The API's own fields: name."],
  ];
  test.each(NEARLY)(
    'with header %j in API names gets an error that names the missing fields: %s',
    (header, lacks, fields) => {
      expect(unknown(products, ...header)).toEqual({
        message: `shop.csv has the API's own fields of products as columns, but none for ${lacks}, which each new record must have.`,
        hints: [
          fields,
          'Add or rename a column, or name a mapping with --mapping. For updates a column _id is enough.',
        ],
      });
    },
  );

  test('gets no hint about updates for resources without updates', () => {
    expect(unknown(customers, 'firstname', 'address.zip').hints[1]).toBe(
      'Add or rename a column, or name a mapping with --mapping.',
    );
  });

  test.each([
    ['name', 'sku'],
    ['Name', 'Price'],
    ['name', 'price.sale', 'sku'],
  ])('%s, %s: mostly without API names, it is reported as unknown', (...header) => {
    expect(unknown(products, ...header).message).toBe(
      'shop.csv has a header that no mapping for products knows.',
    );
  });

  test('that matches nothing gets an error with its columns, at most twelve', () => {
    const header = Array.from({ length: 13 }, (_, index) => `c${index}`);
    expect(unknown(products, ...header).hints).toEqual([
      `Its columns: ${header.slice(0, 12).join(', ')}, ….`,
      expect.stringMatching(/^Name a mapping/),
    ]);
    expect(unknown(products, '__proto__').hints[0]).toBe('Its columns: __proto__.');
  });
});

describe('a mapping given by name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'storeport-presets-'));
  afterAll(() => removeTestFolder(folder));
  const file = join(folder, 'mine.yaml');
  writeFileSync(file, 'resource: customers\nfields: { firstname: First }\n');

  test('may be a preset or a file', () => {
    expect(namedMapping('shopify-products', products).name).toBe('shopify-products');
    expect(namedMapping(file, customers)).toMatchObject({ name: file, resource: customers });
    expect(mappingText('shopify-customers')).toMatch(/^# Shopify customer export/);
  });

  test('for another resource is refused', () => {
    expect(refusal(() => namedMapping('shopify-products', customers))).toEqual({
      message: 'The mapping shopify-products makes products, and this command imports customers.',
      hints: ['Name its resource, or another mapping.'],
    });
  });

  test.each([
    ['shopify-product', 'There is no mapping "shopify-product". Did you mean "shopify-products"?'],
    [
      'shopfy',
      'There is no mapping "shopfy". Did you mean "shopify-customers" or "shopify-discounts" or "shopify-orders" or "shopify-product-updates" or "shopify-products" or "shopify-products-graphql" or "shopify-products-json"?',
    ],
    ['../mappings', 'There is no mapping file ../mappings.'],
    ['other.yaml', 'There is no mapping file other.yaml.'],
    ['mappings/none', 'There is no mapping file mappings/none.'],
    ['C:\\maps\\none', 'There is no mapping file C:\\maps\\none.'],
  ])('%s does not exist and is refused', (name, message) => {
    expect(refusal(() => namedMapping(name, products)).message).toBe(message);
  });

  test('that is a folder is refused', () => {
    expect(refusal(() => namedMapping(folder, products)).message).toMatch(
      /^The mapping file .* cannot be read: /,
    );
  });
});

describe('a Shopify file with few columns', () => {
  test.each([
    [['Handle', 'Image Src', 'Image Alt Text']],
    [['Handle', 'Option1 Value', 'Variant Price']],
    [['Handle', 'Title', 'Image Src']],
    [['Handle', 'Title', 'SKU', 'Location', 'Available']],
    [['URL handle', 'Price']],
  ])('is a file of changes: %j', (header) => {
    expect(recogniseMapping(tableOf(...header), products, { required: [] }).name).toBe(
      'shopify-product-updates',
    );
  });

  test.each([[['Handle', 'Price']], [['Handle', 'SKU', 'Name', 'Price [Quay]', 'In stock [Quay]']]])(
    'is not one with names that other platforms have: %j',
    (header) => {
      expect(unknown(products, ...header).message).toMatch(/that no mapping for products knows/);
    },
  );
});
