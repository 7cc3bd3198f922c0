import { describe, expect, test } from 'vitest';
import { issuesOf, mapRecord, payloadOf } from '../../support/map-rows.ts';

describe('a value', () => {
  test('is trimmed unless the mapping says otherwise', () => {
    expect(payloadOf({ name: 'T', model: { from: 'T', trim: false } }, ['T'], [' a '])).toEqual({
      name: 'a',
      model: ' a ',
    });
    expect(payloadOf({ model: { from: ['T', 'U'], trim: false } }, ['T', 'U'], [' \t', ' b'])).toEqual({
      model: ' b',
    });
  });

  test('is parsed by the type of the field, without a step in the mapping', () => {
    const fields = { 'price.salePrice': 'P', 'seo.hide': 'H', 'sizes.weight': 'W' };
    expect(payloadOf(fields, ['P', 'H', 'W'], ['0', 'no', '0'])).toEqual({
      price: { salePrice: 0 },
      seo: { hide: false },
      sizes: { weight: '0' },
    });
  });

  test('runs its steps in the fixed order, whatever their order in the mapping', () => {
    const name = { from: 'T', map: { 'A-B': 'found' }, case: 'upper', replace: { match: ' ', with: '-' } };
    expect(payloadOf({ name }, ['T'], ['a b'])).toEqual({ name: 'found' });
  });

  test('after split runs the steps on each part; parts that become equal or empty are dropped', () => {
    const tags = { from: 'T', split: ',', case: 'lower', replace: { match: '^#' } };
    expect(payloadOf({ tags }, ['T'], ['#Tea, tea, #, Iron'])).toEqual({ tags: ['tea', 'iron'] });
    expect(payloadOf({ tags }, ['T'], ['#,#'])).toEqual({});
  });

  test('with a wrong part has an issue, and the other parts', () => {
    const collections = { from: 'T', split: ',', number: true };
    const { payload, issues } = mapRecord({ collections }, ['T'], ['1,x,3']);
    expect(payload).toEqual({ collections: [1, 3] });
    expect(issuesOf(issues)).toEqual([['not-a-number', 'collections', 'T', 2]]);
  });

  test('may be a constant of any kind', () => {
    const fields = {
      name: { const: 'x' },
      'price.salePrice': { const: 0 },
      'seo.hide': { const: false },
      tags: { const: ['a'] },
      sizes: { const: { unit: 'kg' } },
    };
    expect(payloadOf(fields, ['T'], [''])).toEqual({
      name: 'x',
      price: { salePrice: 0 },
      seo: { hide: false },
      tags: ['a'],
      sizes: { unit: 'kg' },
    });
  });

  test('may join columns, without the empty ones', () => {
    const fields = { name: { from: ['A', 'B', 'C'], join: ' - ', case: 'upper' } };
    expect(payloadOf(fields, ['A', 'B', 'C'], ['x', ' ', 'z'])).toEqual({ name: 'X - Z' });
    expect(payloadOf(fields, ['A', 'B', 'C'], ['', '', ''])).toEqual({});
    expect(payloadOf(fields, ['B'], ['y'])).toEqual({ name: 'Y' });
  });

  test('may be a template, which is absent if all its columns are empty', () => {
    const fields = { name: { template: '{Title} by {Vendor}, {}' } };
    expect(payloadOf(fields, ['Title', 'Vendor'], ['Tea', 'Fonte'])).toEqual({ name: 'Tea by Fonte, {}' });
    expect(payloadOf(fields, ['Title', 'Vendor'], [' ', 'Fonte'])).toEqual({ name: 'by Fonte, {}' });
    expect(payloadOf(fields, ['Title', 'Vendor'], ['', ' '])).toEqual({});
    expect(payloadOf({ name: { template: 'no columns' } }, ['Title'], ['Tea'])).toEqual({});
  });
});

describe('default and required', () => {
  test('default fills empty values, not false, zero or wrong ones', () => {
    const fields = { 'price.salePrice': { from: 'P', default: 9 }, 'seo.hide': { from: 'H', default: true } };
    expect(payloadOf(fields, ['P', 'H'], ['', ''])).toEqual({ price: { salePrice: 9 }, seo: { hide: true } });
    expect(payloadOf(fields, ['P', 'H'], ['0', 'no'])).toEqual({
      price: { salePrice: 0 },
      seo: { hide: false },
    });
    const wrong = mapRecord(fields, ['P', 'H'], ['x', 'no']);
    expect(wrong.payload).toEqual({ seo: { hide: false } });
    expect(issuesOf(wrong.issues)).toEqual([['not-a-number', 'price.salePrice', 'P', 2]]);
  });

  test('required in a list names the column that the file lacks', () => {
    const fields = { variants: { each: 'row', fields: { name: { from: ['Size', 'Cut'], required: true } } } };
    const { issues } = mapRecord(fields, ['Title'], ['a']);
    expect(issues).toMatchObject([
      {
        code: 'required',
        message: 'variants.0.name is missing: the file has no column "Size" or "Cut"',
      },
    ]);
  });

  test('required reports an empty cell once, with the column as the file names it', () => {
    const fields = { 'price.salePrice': { from: ['Price', 'Cost'], required: true } };
    const { issues } = mapRecord(fields, ['Title', 'COST '], ['a', ' ']);
    expect(issues).toEqual([
      {
        code: 'required',
        message: 'price.salePrice is missing: fill this cell',
        field: 'price.salePrice',
        column: 'COST ',
        origin: { file: 'shop.csv', row: 2, line: 102 },
      },
    ]);
  });

  test('required adds nothing for a cell that is filled and wrong', () => {
    const fields = { 'price.salePrice': { from: 'P', required: true } };
    expect(issuesOf(mapRecord(fields, ['P'], ['x']).issues)).toEqual([
      ['not-a-number', 'price.salePrice', 'P', 2],
    ]);
    expect(mapRecord({ name: { from: 'P', required: true, default: 'x' } }, ['P'], ['']).issues).toEqual([]);
  });

  test('required in a list names the row of the item', () => {
    const fields = {
      images: { each: 'row', when: 'I', fields: { src: 'I', title: { from: 'T', required: true } } },
    };
    const { issues } = mapRecord(fields, ['I', 'T'], ['a', 'x'], ['b', ''], ['', '']);
    expect(issuesOf(issues)).toEqual([['required', 'images.1.title', 'T', 3]]);
  });

  test('required after a list names the lead row again', () => {
    const fields = { images: { each: 'row', fields: { src: 'I' } }, name: { from: 'T', required: true } };
    expect(issuesOf(mapRecord(fields, ['I', 'T'], ['a', ''], ['b', '']).issues)).toEqual([
      ['required', 'name', 'T', 2],
    ]);
  });

  test('required without any column in the file names none', () => {
    const { issues } = mapRecord(
      { name: 'A', model: { from: 'B', required: true, when: 'A' } },
      ['A', 'B'],
      ['x', ''],
    );
    expect(issuesOf(issues)).toEqual([['required', 'model', 'B', 2]]);
    const none = mapRecord(
      { images: { each: 'row', fields: { src: 'A', title: { from: 'Z', required: true } } } },
      ['A'],
      ['x'],
    );
    expect(issuesOf(none.issues)).toEqual([['required', 'images.0.title', undefined, 2]]);
  });
});

describe('alternatives', () => {
  const price = [
    { from: 'Sale', number: true, when: { OnSale: 'yes' } },
    { from: 'Price', number: true },
    { const: 1 },
  ];
  const header = ['Sale', 'OnSale', 'Price'];
  test.each([
    [['5', 'yes', '9'], 5],
    [['5', 'no', '9'], 9],
    [['', 'yes', '9'], 9],
    [['', '', ''], 1],
  ])('%j: the first that has a value is used', (cells, expected) => {
    expect(payloadOf({ 'price.salePrice': price }, header, cells)).toEqual({
      price: { salePrice: expected },
    });
  });

  test('an alternative with an issue is not hidden by the next', () => {
    const { payload, issues } = mapRecord({ 'price.salePrice': price }, header, ['five', 'yes', '9']);
    expect(payload).toEqual({});
    expect(issuesOf(issues)).toEqual([['not-a-number', 'price.salePrice', 'Sale', 2]]);
  });
});

describe('all', () => {
  const tags = { all: [{ from: 'A', split: ',' }, 'B', { from: 'C', case: 'lower', split: '>' }] };

  test.each([
    [
      ['x,y', 'a, b', 'Y > Z'],
      ['x', 'y', 'a, b', 'z'],
    ],
    [['', 'b', ''], ['b']],
    [['', '', ''], undefined],
  ])('collects the words of all its sources, each once: %j', (cells, words) => {
    expect(payloadOf({ tags }, ['A', 'B', 'C'], cells).tags).toEqual(words);
  });

  test('reports an issue in any source', () => {
    const { issues } = mapRecord(
      { tags: { all: ['A', { from: 'B', map: { x: 'y' } }] } },
      ['A', 'B'],
      ['a', 'z'],
    );
    expect(issuesOf(issues)).toEqual([['unknown-word', 'tags', 'B', 2]]);
  });
});

describe('warn', () => {
  const warningsOf = (given: unknown, cell: string) => mapRecord({ model: given }, ['A'], [cell]).warnings;
  const rule = { from: 'A', warn: 'Look.' };

  test.each([
    ['a used value', rule, 'x', ['Look.']],
    ['no value', rule, '', undefined],
    ['a default', { ...rule, default: 'y' }, '', ['Look.']],
    ['a condition that is false', { ...rule, when: { A: 'y' }, else: 'z' }, 'x', undefined],
    [
      'the alternative that is used',
      [
        { ...rule, when: { A: 'y' } },
        { const: 'z', warn: 'Other.' },
      ],
      'x',
      ['Other.'],
    ],
    ['a value with an issue', { ...rule, date: true }, 'x', undefined],
  ])('issues its warning for %s, or not', (_case, given, cell, warnings) => {
    expect(warningsOf(given, cell)).toEqual(warnings);
  });
});

describe('conditions', () => {
  const cases: [unknown, Record<string, boolean>][] = [
    ['A', { x: true, '': false, ' ': false }],
    [{ A: 'x' }, { x: true, X: true, ' x ': true, xy: false, '': false }],
    [{ A: ['x', ''] }, { x: true, y: false, '': true }],
    [{ A: 5 }, { '5': true, '5.0': false }],
    [{ A: true }, { TRUE: true, yes: false }],
    [{ A: { is: ['x', 'y'] } }, { y: true, z: false }],
    [{ A: { 'is-not': ['x', ''] } }, { x: false, '': false, z: true }],
    [{ A: { empty: true } }, { '': true, ' ': true, x: false }],
    [{ A: { empty: false } }, { '': false, x: true }],
    [{ A: { matches: '^é\\d+$' } }, { É1: true, xé1: false, '': false }],
    [{ A: { 'is-not': 'x', matches: 'x' } }, { xx: true, x: false, y: false }],
    [{ A: { below: 10 } }, { '9.99': true, '9,5': true, '10': false, '10,50': false, '-11': true }],
    [{ A: { above: 10 } }, { '9.99': false, '10': false, '10.5': true, '1,299': true, x: true, '': true }],
  ];
  test.each(
    cases.flatMap(([when, texts]) => Object.entries(texts).map(([text, holds]) => ({ when, text, holds }))),
  )('$when of $text: $holds', ({ when, text, holds }) => {
    expect(payloadOf({ name: { const: 'yes', when, else: 'no' } }, ['A'], [text])).toEqual({
      name: holds ? 'yes' : 'no',
    });
  });

  test('all columns must hold', () => {
    const fields = { name: { const: 'yes', when: { A: 'x', B: { empty: true } } } };
    expect(payloadOf(fields, ['A', 'B'], ['x', ''])).toEqual({ name: 'yes' });
    expect(payloadOf(fields, ['A', 'B'], ['x', 'y'])).toEqual({});
    expect(payloadOf(fields, ['A', 'B'], ['', ''])).toEqual({});
  });

  test.each([
    ['12', '10', false],
    ['10', '10', false],
    ['9,90', '10', true],
    ['abc', '10', true],
    ['12', '', true],
  ])('%s below %s in another column: %s', (sale, price, holds) => {
    const fields = { name: { const: 'yes', when: { Sale: { below: 'Price' } } } };
    expect(payloadOf(fields, ['Price', 'Sale'], [price, sale])).toEqual(holds ? { name: 'yes' } : {});
  });

  test('two columns are compared in the same row', () => {
    const fields = {
      variants: {
        each: 'row',
        fields: { name: 'N', model: { const: 'sale', when: { Sale: { below: 'Price' } } } },
      },
    };
    const rows = [
      ['a', '10', '9'],
      ['b', '8', '9'],
    ];
    expect(payloadOf(fields, ['N', 'Price', 'Sale'], ...rows)).toEqual({
      variants: [{ name: 'a', model: 'sale' }, { name: 'b' }],
    });
  });

  test('a missing column is neither empty nor filled, and equals no word', () => {
    for (const when of [
      'A',
      { A: 'x' },
      { A: { empty: true } },
      { A: { empty: false } },
      { A: { matches: '' } },
      { A: { below: 5 } },
      { A: { above: 'B' } },
    ])
      expect(payloadOf({ name: { const: 'yes', when } }, ['B'], ['x'])).toEqual({});
  });

  test('without else give nothing: no default and no missing required value', () => {
    const fields = {
      name: { from: 'A', when: 'B', required: true },
      model: { from: 'A', when: 'B', default: 'x' },
    };
    expect(payloadOf(fields, ['A', 'B'], ['', ''])).toEqual({});
  });

  test('test the first filled cell of a record, and in a list the row of the item', () => {
    const fields = {
      name: { const: 'yes', when: { A: 'x' } },
      images: { each: 'row', when: { A: 'x' }, fields: { src: 'I', title: { const: 'y', when: 'B' } } },
    };
    expect(
      payloadOf(fields, ['A', 'B', 'I'], ['', '', '1'], ['x', '', '2'], ['z', 'b', '3'], ['x', 'b', '4']),
    ).toEqual({
      name: 'yes',
      images: [{ src: '2' }, { src: '4', title: 'y' }],
    });
  });
});

describe('across the rows of a record', () => {
  const header = ['P', 'T'];
  const rows = [
    ['', 'a'],
    ['0.1', ''],
    ['', ''],
    ['-3', 'b'],
    ['0.2', ' c '],
  ];
  test.each([
    ['first', { price: { salePrice: 0.1 }, model: 'a' }],
    [undefined, { price: { salePrice: 0.1 }, model: 'a' }],
    ['lead', { model: 'a' }],
    ['last', { price: { salePrice: 0.2 }, model: 'c' }],
    ['join', { model: 'a, b, c' }],
    ['sum', { price: { salePrice: -2.7 } }],
    ['min', { price: { salePrice: -3 } }],
    ['max', { price: { salePrice: 0.2 } }],
  ])('%s', (across, expected) => {
    const number = ['sum', 'min', 'max'].includes(String(across));
    const fields = {
      ...(across === 'join' ? {} : { 'price.salePrice': { from: 'P', across } }),
      ...(number ? {} : { model: { from: 'T', across } }),
    };
    expect(payloadOf(fields, header, ...rows)).toEqual(expected);
  });

  test('sums of decimals have no floating-point noise, and negative numbers count', () => {
    const fields = { 'price.salePrice': { from: 'P', across: 'sum' } };
    expect(payloadOf(fields, ['P'], ['0.1'], ['0.2'])).toEqual({ price: { salePrice: 0.3 } });
    expect(payloadOf(fields, ['P'], ['1.1'], ['-1.1'])).toEqual({ price: { salePrice: 0 } });
    expect(payloadOf(fields, ['P'], [''], [' '])).toEqual({});
  });

  test('sums imply number, also in fields that take anything', () => {
    expect(payloadOf({ 'sizes.weight': { from: 'P', across: 'sum' } }, ['P'], ['1'], ['2'])).toEqual({
      sizes: { weight: 3 },
    });
  });

  test('a cell that cannot be summed is an issue in its row', () => {
    const { payload, issues } = mapRecord(
      { 'price.salePrice': { from: 'P', across: 'sum' } },
      ['P'],
      ['1'],
      ['x'],
      ['y'],
    );
    expect(payload).toEqual({});
    expect(issuesOf(issues)).toEqual([['not-a-number', 'price.salePrice', 'P', 3]]);
  });

  test('a list item reads other rows if the mapping says so', () => {
    const fields = { variants: { each: 'row', fields: { own: 'A', first: { from: 'A', across: 'first' } } } };
    expect(payloadOf(fields, ['A'], [''], ['x'], ['y'])).toEqual({
      variants: [{ first: 'x' }, { own: 'x', first: 'x' }, { own: 'y', first: 'x' }],
    });
  });
});

describe('lists', () => {
  test('over rows have an item for each row with a value', () => {
    const fields = { images: { each: 'row', fields: { src: 'I', title: 'T' } } };
    expect(payloadOf(fields, ['I', 'T'], ['a', ''], ['', ''], ['b', 'B'])).toEqual({
      images: [{ src: 'a' }, { src: 'b', title: 'B' }],
    });
  });

  test('keep the first of equal items, and all items without a value to compare', () => {
    const fields = { images: { each: 'row', unique: 'src', fields: { src: 'I', title: 'T' } } };
    expect(payloadOf(fields, ['I', 'T'], ['a', '1'], ['a', '2'], ['', '3'], ['', '4'], ['b', '5'])).toEqual({
      images: [{ src: 'a', title: '1' }, { title: '3' }, { title: '4' }, { src: 'b', title: '5' }],
    });
    const nested = { variants: { each: 'row', unique: 'o.v', fields: { 'o.v': 'I' } } };
    expect(payloadOf(nested, ['I'], ['a'], ['a'])).toEqual({ variants: [{ o: { v: 'a' } }] });
  });

  test('over numbered columns have an item for each number with a value', () => {
    const fields = {
      options: { each: { n: [1, 2, 3] }, fields: { name: 'Option{n} Name', style: 'Style' } },
    };
    expect(
      payloadOf({ options: fields.options }, ['option1 name', 'Option3 Name'], ['Size', 'Colour']),
    ).toEqual({
      options: [{ name: 'Size' }, { name: 'Colour' }],
    });
  });

  test('replace the number in defaults, constants, else and templates too', () => {
    const variants = {
      each: { n: ['1', '2'] },
      when: 'O{n}',
      fields: {
        a: { from: 'N{n}', default: 'Option {n}' },
        b: { const: '{n}' },
        c: { const: 'x', when: { 'O{n}': 'q' }, else: 'not {n}' },
        d: { template: '{O{n}}!' },
      },
    };
    expect(payloadOf({ variants }, ['O1', 'O2', 'N1'], ['p', 'q', 'Size'])).toEqual({
      variants: [
        { a: 'Size', b: '1', c: 'not 1', d: 'p!' },
        { a: 'Option 2', b: '2', c: 'x', d: 'q!' },
      ],
    });
  });

  test('may be nested: over rows in a family, a family in rows', () => {
    const options = {
      each: { n: [1, 2] },
      fields: { name: 'O{n}', values: { each: 'row', unique: 'value1', fields: { value1: 'V{n}' } } },
    };
    expect(
      payloadOf({ options }, ['O1', 'V1', 'O2', 'V2'], ['Size', 'S', 'Hue', 'red'], ['', 'M', '', 'red']),
    ).toEqual({
      options: [
        { name: 'Size', values: [{ value1: 'S' }, { value1: 'M' }] },
        { name: 'Hue', values: [{ value1: 'red' }] },
      ],
    });
    const variants = { each: 'row', fields: { parts: { each: { a: ['x', 'y'] }, fields: { p: 'P{a}' } } } };
    expect(payloadOf({ variants }, ['Px', 'Py'], ['1', '2'], ['', '3'])).toEqual({
      variants: [{ parts: [{ p: '1' }, { p: '2' }] }, { parts: [{ p: '3' }] }],
    });
  });

  test('leave out items without the field in needs, whatever else they have', () => {
    const images = {
      each: { n: [1, 2, 3] },
      needs: 'src',
      fields: { src: { from: 'I{n}', url: true }, title: { const: 'Picture' } },
    };
    const row = ['pot.jpg', 'https://img.example.com/b.jpg', ''];
    expect(payloadOf({ images }, ['I1', 'I2', 'I3'], row)).toEqual({
      images: [{ src: 'https://img.example.com/b.jpg', title: 'Picture' }],
    });
  });

  test('for one field are concatenated, with equal items once', () => {
    const images = [
      { each: 'row', unique: 'src', fields: { src: 'I' } },
      { each: 'row', unique: 'src', fields: { src: 'V', title: { const: 'variant' } } },
    ];
    expect(payloadOf({ images }, ['I', 'V'], ['a', 'b'], ['b', 'c'])).toEqual({
      images: [{ src: 'a' }, { src: 'b' }, { src: 'c', title: 'variant' }],
    });
  });
});

describe('issues', () => {
  test('have the place in the payload, the column as the file names it, and the row', () => {
    const variants = {
      each: 'row',
      when: 'SKU',
      fields: { 'price.salePrice': { from: 'Variant Price', number: true } },
    };
    const { issues } = mapRecord({ variants }, ['SKU', 'VARIANT  price'], ['a', '1'], ['', 'no'], ['b', 'x']);
    expect(issues).toEqual([
      {
        code: 'not-a-number',
        message: '"x" is not a number; write it like 1234.50',
        field: 'variants.1.price.salePrice',
        column: 'VARIANT  price',
        origin: { file: 'shop.csv', row: 4, line: 104 },
      },
    ]);
  });

  test('name the row from which a value was read, not the first', () => {
    const fields = { 'price.salePrice': { from: ['P', 'Q'], number: true } };
    expect(issuesOf(mapRecord(fields, ['P', 'Q'], ['', ''], ['', 'x']).issues)).toEqual([
      ['not-a-number', 'price.salePrice', 'Q', 3],
    ]);
  });

  test('of nested lists have both positions', () => {
    const variants = {
      each: 'row',
      fields: {
        name: 'N',
        parts: { each: { a: ['1', '2'] }, fields: { p: { from: 'P{a}', number: true } } },
      },
    };
    expect(
      issuesOf(mapRecord({ variants }, ['N', 'P1', 'P2'], ['a', '1', '2'], ['b', '3', 'x']).issues),
    ).toEqual([['not-a-number', 'variants.1.parts.1.p', 'P2', 3]]);
  });

  test('are all reported, not only the first', () => {
    const fields = { 'price.salePrice': 'P', 'seo.hide': 'H', status: { from: 'S', map: { a: 'DRAFT' } } };
    expect(issuesOf(mapRecord(fields, ['P', 'H', 'S'], ['x', '?', 'z']).issues)).toEqual([
      ['not-a-number', 'price.salePrice', 'P', 2],
      ['not-yes-or-no', 'seo.hide', 'H', 2],
      ['unknown-word', 'status', 'S', 2],
    ]);
  });
});
