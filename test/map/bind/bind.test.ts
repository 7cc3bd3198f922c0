import { describe, expect, test } from 'vitest';
import { bind, type Mapping, parseMapping } from '../../../src/map/index.ts';
import {
  damage,
  issuesOf,
  mapRecord,
  payloadOf,
  productMapping,
  recordOf,
  refusal,
  rowsOf,
  tableOf,
} from '../../support/map-rows.ts';

describe('columns of a file', () => {
  const mapping = productMapping({
    name: ['Title', 'Name'],
    reference: { from: ['SKU', 'Barcode'] },
    model: { template: '{Vendor} {Type}' },
    html: { from: 'Body', when: 'Show' },
    options: { each: { n: [1, 2] }, fields: { name: 'Option{n} Name' } },
  });

  test('missing columns are listed, of alternatives only the first', () => {
    expect(bind(mapping, tableOf('Title', 'Vendor'), []).missing).toEqual([
      'Name',
      'SKU',
      'Type',
      'Body',
      'Show',
      'Option1 Name',
      'Option2 Name',
    ]);
    expect(bind(mapping, tableOf('Title', 'Barcode'), []).missing).not.toContain('SKU');
  });

  test('a missing column with several names is listed once', () => {
    const columns = { Price: ['Net price', 'Gross price'] };
    const fields = { name: 'Title', model: { expression: '[`Net price`, `Gross price`, Price][0]' } };
    const prices = productMapping(fields, { columns });
    expect(bind(prices, tableOf('Title'), []).missing).toEqual(['Price']);
    expect(bind(prices, tableOf('Title', 'Gross price'), []).missing).toEqual([]);
  });

  test('unused columns are listed as the file names them, without columns of the tool and nameless ones', () => {
    const header = ['TITLE', ' Extra', '', 'storeport_row', 'Option1 name', '_id', 'Barcode', 'SKU', 'Show'];
    expect(bind(mapping, tableOf(...header), []).unused).toEqual([' Extra']);
  });

  test('of alternative columns, the one with a value is used', () => {
    const header = ['Barcode', 'SKU'];
    expect(payloadOf(mapping, header, ['b', 's'])).toEqual({ reference: 's' });
    expect(payloadOf(mapping, header, ['b', ' '])).toEqual({ reference: 'b' });
    expect(payloadOf(mapping, ['Barcode'], ['b'])).toEqual({ reference: 'b' });
  });

  test('a needed column that occurs twice is refused', () => {
    const { message, hints } = refusal(() => bind(mapping, tableOf('Title', 'title '), []));
    expect(message).toBe('shop.csv has the column "Title" more than once, and the mapping mine needs it.');
    expect(hints).toEqual(['Rename or remove all but the one that is meant.']);
    expect(bind(mapping, tableOf('Title', 'Extra', 'extra'), []).unused).toEqual(['Extra', 'extra']);
  });
});

describe('required fields', () => {
  const mapping = productMapping(
    {
      name: ['Title'],
      reference: { from: ['SKU', 'Barcode'] },
      'price.salePrice': { from: 'P', required: true },
    },
    { group: { by: 'Handle' } },
  );

  test('are refused if no column can fill them, each with its field', () => {
    const { message, hints } = refusal(() =>
      bind(productMapping({ name: 'Title', reference: { from: ['SKU', 'Barcode'] } }), tableOf('X'), [
        'name',
        'reference',
        'storeId',
      ]),
    );
    expect(message).toBe('shop.csv lacks columns that the mapping mine needs.');
    expect(hints).toEqual([
      'Missing: "Title", for the field name.',
      'Missing: "SKU" or "Barcode", for the field reference.',
      'Missing: anything for the field storeId.',
    ]);
  });

  test('include all columns that are the key of groups', () => {
    const mapping = productMapping({ name: 'Name', reference: 'SKU' }, { group: { by: ['Brand', 'SKU'] } });
    const keyOf = (...cells: string[]) => {
      const table = tableOf('Name', 'SKU', 'Brand');
      return bind(mapping, table, []).groupKeyOf?.(rowsOf(table, cells)[0]!);
    };
    expect(keyOf('', ' T ', 'A')).toBe('A | T');
    expect(keyOf('', 'C', 'A | B')).not.toBe(keyOf('', 'B | C', 'A'));
    expect(keyOf('', '| C', 'A \\')).not.toBe(keyOf('', 'C', 'A \\ |'));
    expect([keyOf('Tee', '', 'A'), keyOf('Tee', 'T', ''), keyOf('', '', '')]).toEqual(['', '', '']);
    expect(refusal(() => bind(mapping, tableOf('Name', 'SKU'), [])).hints).toEqual([
      'Missing: "Brand", by which rows belong together.',
    ]);
  });

  test('include the group column and fields that the mapping itself requires', () => {
    expect(refusal(() => bind(mapping, tableOf('Title', 'SKU'), ['name'])).hints).toEqual([
      'Missing: "Handle", by which rows belong together.',
      'Missing: "P", for the field price.salePrice.',
    ]);
    const table = tableOf('P', 'Title', 'handle');
    const [row] = rowsOf(table, ['1', 'A', ' a ']);
    expect(bind(mapping, table, []).groupKeyOf?.(row!)).toBe('a');
  });

  test('may come from a constant, a default or an alternative column', () => {
    const fields = {
      name: { const: 'x' },
      reference: { from: 'SKU', default: 'y' },
      model: { from: ['A', 'B'], required: true },
    };
    expect(bind(productMapping(fields), tableOf('B'), ['name', 'reference']).missing).toEqual(['SKU']);
  });
});

describe('a missing column', () => {
  const fields = { name: 'Nombr', reference: { from: ['SKU', 'Articel'] }, model: 'Modell', html: 'Body' };

  test('is reported with the similar column that nothing else uses', () => {
    const { hints } = refusal(() =>
      bind(
        productMapping({ ...fields, html: 'Modelo' }, { group: { by: 'Grup' } }),
        tableOf('Nombre', 'Article', 'Modelo', 'Group'),
        ['name', 'reference', 'model'],
      ),
    );
    expect(hints).toEqual([
      'Missing: "Grup", by which rows belong together. Did you mean "Group"?',
      'Missing: "Nombr", for the field name. Did you mean "Nombre"?',
      'Missing: "SKU" or "Articel", for the field reference. Did you mean "Article"?',
      'Missing: "Modell", for the field model.',
    ]);
    const { similarUnused: meant } = bind(
      productMapping(fields),
      tableOf('Nombre', 'Modelo', 'Text', 'storeport_model'),
      [],
    );
    expect([...meant]).toEqual([
      ['Nombr', 'Nombre'],
      ['Modell', 'Modelo'],
    ]);
  });

  test('may be one that an expression reads', () => {
    const mapping = productMapping({ 'price.salePrice': { expression: '$number(Prise) * 2' } });
    const { missing, similarUnused: meant, unused } = bind(mapping, tableOf('Price'), []);
    expect({ missing, meant: [...meant], unused }).toEqual({
      missing: ['Prise'],
      meant: [['Prise', 'Price']],
      unused: ['Price'],
    });
  });
});

describe('mapping a record', () => {
  const fields = { name: 'Title', tags: { from: 'Tags', split: ',' } };

  test('gives no fields for cells that are empty, blank or absent: never 0, "" or []', () => {
    const whole = {
      ...fields,
      'price.salePrice': 'P',
      'seo.hide': 'H',
      images: { each: 'row', fields: { src: 'I' } },
    };
    const header = ['Title', 'Tags', 'P', 'H', 'I'];
    expect(payloadOf(whole, header, ['', ' , ', ' ', '\t', ''])).toEqual({});
    expect(payloadOf(whole, header, [])).toEqual({});
  });

  test('keeps text unchanged: leading zeros, long digits, exponents', () => {
    for (const text of ['0017', '12345678901234567890', '1.23E+12', 'TRUE', 'null', '-'])
      expect(payloadOf(fields, ['Title'], [text])).toEqual({ name: text });
  });

  test('gives the identifier of the store beside the payload', () => {
    expect(mapRecord(fields, ['Title', '_ID'], ['Tea', ' 66f0 '])).toMatchObject({
      id: '66f0',
      payload: { name: 'Tea' },
    });
    expect(mapRecord(fields, ['Title', '_id'], ['Tea', ' '])).not.toHaveProperty('id');
    expect(mapRecord(fields, ['Title'], ['Tea'])).not.toHaveProperty('id');
  });

  test('gives every issue and no payload if a row could not be parsed', () => {
    const table = tableOf('Title');
    const [first, second] = rowsOf(table, ['a'], ['b']);
    const group = { code: 'group', message: 'of the record' };
    const record = { ...recordOf([first!, damage(second!)]), issues: [group] };
    expect(bind(productMapping(fields), table, []).map(record)).toEqual({
      record,
      payload: {},
      unreadable: true,
      issues: [
        group,
        {
          code: 'too-few-cells',
          message: 'this row has too few cells',
          origin: { file: 'shop.csv', row: 3, line: 103 },
        },
      ],
    });
  });

  test('keeps no state for the next record', () => {
    const table = tableOf('Title', 'Tags');
    const binding = bind(productMapping(fields), table, []);
    const [first, second] = rowsOf(table, ['a', 'x'], ['', '']);
    expect(binding.map(recordOf([first!])).payload).toEqual({ name: 'a', tags: ['x'] });
    expect(binding.map(recordOf([second!])).payload).toEqual({});
  });
});

describe('the key of a record whose payload has none', () => {
  const orders = (more: object = {}) =>
    parseMapping(
      'mine',
      JSON.stringify({ resource: 'orders', ...more, fields: { 'customer.email': 'Mail' } }),
    );
  const keyOf = (mapping: Mapping, header: readonly string[], ...cells: string[][]) => {
    const { key, payload, issues } = mapRecord(mapping, header, ...cells);
    return [key, payload, issuesOf(issues)];
  };
  const payload = { customer: { email: 'a@example.com' } };

  test('is read from the column that the mapping names, else from _key, and never enters the payload', () => {
    expect(keyOf(orders({ key: 'No' }), ['no ', '_key', 'Mail'], [' 7 ', 'x', 'a@example.com'])).toEqual([
      '7',
      payload,
      [],
    ]);
    expect(keyOf(orders(), ['_key', 'Mail'], ['7', 'a@example.com'])).toEqual(['7', payload, []]);
    expect(bind(orders(), tableOf('_key', 'Mail'), []).unused).toEqual([]);
    expect(bind(orders({ key: 'No' }), tableOf('No', '_key', 'Mail'), []).unused).toEqual(['_key']);
  });

  test('is the first in the rows of the record; if there is none, that is an issue', () => {
    const mapping = orders({ key: 'No', group: { by: 'Order' } });
    expect(keyOf(mapping, ['Order', 'No', 'Mail'], ['1', ' ', 'a@example.com'], ['1', '7', ''])).toEqual([
      '7',
      payload,
      [],
    ]);
    expect(keyOf(mapping, ['Order', 'NO', 'Mail'], ['1', '', 'a@example.com'], ['1', '', ''])).toEqual([
      undefined,
      payload,
      [['required', undefined, 'NO', 2]],
    ]);
  });

  test('needs the column that the mapping names exactly once', () => {
    expect(refusal(() => bind(orders({ key: 'No' }), tableOf('Mail'), [])).hints).toEqual([
      'Missing: "No", the key of each record.',
    ]);
    expect(refusal(() => bind(orders(), tableOf('_key', 'Mail', '_key'), [])).message).toContain(
      '"_key" more than once',
    );
  });

  test('is not read from _key if the payload has a key', () => {
    const binding = bind(productMapping({ name: 'Title' }), tableOf('Title', '_key'), []);
    expect([binding.keyColumn, binding.unused]).toEqual([undefined, ['_key']]);
  });
});

test('a file can give the fields that its columns, constants and defaults can fill', () => {
  const mapping = productMapping({
    name: 'Title',
    reference: ['SKU', 'Barcode'],
    status: { const: 'DRAFT' },
    model: { from: 'Model', default: 'M' },
    html: { template: '{Body} {Foot}' },
    'seo.title': 'SEO',
    'price.salePrice': { from: ['Price', 'Old price'] },
    images: [{ each: 'row', fields: { src: 'Image', title: 'Alt' } }],
    options: { each: { n: [1, 2] }, fields: { name: 'O{n}' } },
    variants: { each: 'row', fields: { name: 'Variant' } },
  });
  const given = (...header: string[]) =>
    bind(mapping, tableOf(...header), []).fillablePaths.map((path) => path.join('.'));
  expect(given()).toEqual(['status', 'model']);
  expect(given('Barcode', 'Foot', 'OLD PRICE', 'Alt', 'O2')).toEqual([
    'reference',
    'status',
    'model',
    'html',
    'price.salePrice',
    'images',
    'options',
  ]);
});

describe('hostile names', () => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

  test.each(names)('%s as the name of a column is an ordinary column', (name) => {
    expect(payloadOf({ name }, ['x', name], ['', 'Tea'])).toEqual({ name: 'Tea' });
    expect(bind(productMapping({ name: 'Title' }), tableOf('Title', name), []).unused).toEqual([name]);
    expect(bind(productMapping({ name }), tableOf('Title'), []).missing).toEqual([name]);
  });

  test('as words, aliases and in JSON change only the payload', () => {
    const mapping = parseMapping(
      'mine',
      [
        'resource: products',
        'columns: { __proto__: [Title], constructor: [Code] }',
        'fields:',
        '  name: __proto__',
        '  status: { from: constructor, map: { constructor: DRAFT, toString: TRASH } }',
        '  sizes: { from: Sizes, json: true }',
      ].join('\n'),
    );
    const header = ['Title', 'Code', 'Sizes'];
    expect(
      payloadOf(mapping, header, ['Tea', 'Constructor', '{"constructor":{"prototype":{"x":1}}}']),
    ).toEqual({
      name: 'Tea',
      status: 'DRAFT',
      sizes: { constructor: { prototype: { x: 1 } } },
    });
    const refused = mapRecord(mapping, header, ['', '', '{"__proto__":{"polluted":true}}']);
    expect(issuesOf(refused.issues)).toEqual([['not-json', 'sizes', 'Sizes', 2]]);
    expect({}).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('x');
  });
});
