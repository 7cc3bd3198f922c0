import { describe, expect, test } from 'vitest';
import {
  compileColumn,
  fieldsLeftOut,
  namedExportMapping,
  parseAnyMapping,
  parseExportMapping,
  parseMapping,
  STEPS,
  shownPaths,
} from '../../src/map/index.ts';
import { cellText, type Json, type JsonObject, valueReader } from '../../src/model/index.ts';
import { checkouts } from '../../src/resources/checkouts.ts';
import { exportable, overridden, RESOURCES } from '../../src/resources/index.ts';
import { reviews } from '../../src/resources/reviews.ts';

import { refusal } from '../support/map-rows.ts';

function mistakes(text: string): readonly string[] {
  return refusal(() => parseExportMapping('mine', text)).hints;
}

/** The export mapping of reviews with these columns, from line 3 on. */
function ofReviews(...columns: string[]): string {
  return ['resource: reviews', 'export:', ...columns.map((line) => `  ${line}`)].join('\n');
}

/** All steps, except those that read files or need the address of the images. */
const STEPS_OF_COLUMNS = STEPS.map(({ name }) => name).filter((name) => !['url', 'lookup'].includes(name));

const PARTS = `from, join, const, template, when, else, trim, default, ${STEPS_OF_COLUMNS.join(', ')}`;

describe('the keys of an export mapping', () => {
  test.each([
    ['', 'line 1, column 1: A mapping for exports is a list of keys: resource, title, export.'],
    ['- a', 'line 1, column 1: A mapping for exports is a list of keys: resource, title, export.'],
    [
      'resource: reviews',
      'line 1, column 1: export takes a list of columns, each with the field that it shows.',
    ],
    [
      'resource: reviews\nexport:',
      'line 2, column 1: export takes a list of columns, each with the field that it shows.',
    ],
    [
      'resource: reviews\nexport: {}',
      'line 2, column 1: export takes a list of columns, each with the field that it shows.',
    ],
    [
      'resource: reviews\nexport: [_id]',
      'line 2, column 1: export takes a list of columns, each with the field that it shows.',
    ],
    [
      'resource: orders\nexport: { Id: _id }',
      `line 1, column 1: resource must be one of ${exportable.map(({ name }) => name).join(', ')}, found "orders". Its fields are checked when this is correct.`,
    ],
    [
      'resource: reviews\ntitel: Stars\nexport: { Id: _id }',
      'line 2, column 1: "titel" is not known here. Did you mean "title"?',
    ],
    ...['recognise', 'columns', 'key', 'group', 'fields'].map((key) => [
      `resource: reviews\n${key}: { by: A }\nexport: { Id: _id }`,
      `line 2, column 1: "${key}" is for mappings that read files. An export has resource, title, export.`,
    ]),
  ])('%j', (text, hint) => {
    expect(mistakes(text ?? '')[0]).toBe(hint);
  });

  test('a mapping has a name, a title, a digest, and its columns in order, numbers included', () => {
    const text = ofReviews('Review: _id', '2024: rating', '"1": content');
    const mapping = parseExportMapping('mine', text);
    expect(mapping).toMatchObject({ name: 'mine', title: 'mine', resource: { name: 'reviews' } });
    expect(mapping.columns.map(({ name }) => name)).toEqual(['Review', '2024', '1']);
    expect(parseExportMapping('mine', `title: Stars\n${text}`).title).toBe('Stars');
    expect(parseExportMapping('mine', `${text} `).digest).not.toBe(mapping.digest);
  });

  test('shownPaths and fieldsLeftOut list the fields that are exported and those that are not', () => {
    const shown = ofReviews('A: [customer.firstname, product]', 'B: { from: rating, when: published }');
    expect(shownPaths(parseExportMapping('mine', shown))).toEqual([
      'customer.firstname',
      'product',
      'rating',
    ]);
    expect(fieldsLeftOut(parseExportMapping('mine', shown))).toEqual([
      '_id',
      'storeId',
      'customer._id',
      'customer.lastname',
      'content',
      'images',
      'published',
      'createdAt',
    ]);
    expect(fieldsLeftOut(parseExportMapping('mine', ofReviews('A: _id', 'B: "*"')))).toEqual([]);
  });
});

describe('a column', () => {
  test.each([
    ['Stars: ratng', 'line 3, column 3: review has no field "ratng". Did you mean "rating"?'],
    ['P: prodct.name', 'line 3, column 3: review has no field "prodct.name". Did you mean "product.name"?'],
    ['P: prodct', 'line 3, column 3: review has no field "prodct". Did you mean "product"?'],
    ['P: product.nam', 'line 3, column 3: review has no field "product.nam". Did you mean "product.name"?'],
    [
      'P: somewhere.else',
      `line 3, column 3: review has no field "somewhere.else". There are ${reviews.columns.join(', ')}.`,
    ],
    [
      'P: images.src',
      'line 3, column 3: review has no field "images.src". "images" is a list: its items are named by their place, such as images.0.',
    ],
    [
      'P: { from: [rating, contnt] }',
      'line 3, column 23: review has no field "contnt". Did you mean "content"?',
    ],
    ['P: "{rating}: {contnt}"', 'line 3, column 3: review has no field "contnt". Did you mean "content"?'],
    [
      'P: { template: "{contnt}" }',
      'line 3, column 8: review has no field "contnt". Did you mean "content"?',
    ],
    [
      'P: [rating, { from: contnt }]',
      'line 3, column 17: review has no field "contnt". Did you mean "content"?',
    ],
    [
      'P: { from: rating, when: { publishd: true } }',
      'line 3, column 30: review has no field "publishd". Did you mean "published"?',
    ],
    [
      'P: { template: stars }',
      'line 3, column 8: This template has no {field} in it: for fixed text there is const.',
    ],
    [
      'P: { template: 5 }',
      'line 3, column 8: template takes text with fields, such as "{product.name}: {rating}".',
    ],
    [
      'P: { from: 5 }',
      'line 3, column 8: from takes a field, or a list of fields: the first one that is not empty is used.',
    ],
    [
      'P: { from: images, join: 1 }',
      'line 3, column 22: join takes the text to put between the fields, such as " - ".',
    ],
    [
      'P: { from: rating, when: 5 }',
      'line 3, column 22: a condition takes a field, or fields with what they must be.',
    ],
    [
      'P: { from: rating, else: x }',
      'line 3, column 22: else needs when (it does not hold) or map (an unknown word) beside it.',
    ],
    ['P: { from: rating, trim: no }', 'line 3, column 22: trim takes true or false.'],
    [
      'P: { from: rating, number: no }',
      'line 3, column 22: number does not take "no"; for example number: true.',
    ],
    ['P: { from: rating, mapp: {} }', 'line 3, column 22: "mapp" is not known here. Did you mean "map"?'],
    ['P: 5', 'line 3, column 3: P needs a field, or { const: 5 } for a constant.'],
    ['P: []', 'line 3, column 3: P needs a field, or { const: [] } for a constant.'],
    ['P: [rating, 5]', 'line 3, column 15: P needs a field, or { const: 5 } for a constant.'],
    ['P:', 'line 3, column 3: P needs a field, or { const: null } for a constant.'],
    ['" ": rating', 'line 3, column 3: A column needs a name.'],
    ...['across', 'required', 'each', 'unique', 'fields'].map((key) => [
      `P: { from: rating, ${key}: first }`,
      `line 3, column 22: "${key}" is for mappings that read files. An export has ${PARTS}.`,
    ]),
  ])('%s', (column, hint) => {
    expect(mistakes(ofReviews(column ?? ''))).toEqual([hint]);
  });

  test('all mistakes are reported together', () => {
    expect(mistakes(`group: {}\n${ofReviews('A: ratng', 'B: 5')}`)).toHaveLength(3);
  });

  test.each([
    'details.0.product.name',
    'discount.code',
    'shipping.zone.x.y',
    'method',
    'shipping.address',
    '*',
  ])('may show %s of a checkout, since the API document leaves that object open', (path) => {
    const text = `resource: checkouts\nexport: { A: "${path}" }`;
    expect(shownPaths(parseExportMapping('mine', text))).toEqual([path]);
  });

  test.each(['details.product', 'shipping.price.x', 'customer.address.city.zip', '*.x', ''])(
    'cannot show %j of a checkout',
    (path) => {
      const text = `resource: checkouts\nexport: { A: "${path}" }`;
      expect(mistakes(text)[0]).toContain(`checkout has no field "${path}".`);
    },
  );
});

test('a field that only a store with overrides has can be shown, by the id that it has there', () => {
  expect(shownPaths(parseExportMapping('mine', 'resource: products\nexport: { Id: _id }'))).toEqual(['_id']);
  const text = 'resource: suppliers\nexport: { Id: number, Name: name }';
  const list = { path: '/api/suppliers', pageSize: 10, id: 'number' };
  const resources = RESOURCES.map((each) => (each.name === 'suppliers' ? overridden(each, { list }) : each));
  expect(shownPaths(parseExportMapping('mine', text, resources))).toEqual(['number', 'name']);
  expect(mistakes(text)[0]).toContain('resource must be one of');
});

describe('import and export mappings', () => {
  const exporting = ofReviews('Id: _id');
  const importing = 'resource: products\nfields: { name: Title }';

  test('are refused where the other kind is needed', () => {
    expect(refusal(() => parseMapping('mine', exporting))).toEqual({
      message: 'The mapping mine says what an export writes: it has export in place of fields.',
      hints: ['Use: storeport export reviews --mapping mine'],
    });
    expect(refusal(() => parseExportMapping('mine', importing))).toEqual({
      message: 'The mapping mine says how files are read: it has fields in place of export.',
      hints: [
        'It is for files of products: give it to import or validate, as --mapping mine.',
        'In a mapping for exports, export lists the columns, each with the field that it shows.',
      ],
    });
    expect(refusal(() => parseMapping('mine', 'export: {}')).hints).toEqual([
      'It is for exports, and must say in its resource what is exported.',
    ]);
  });

  test('are both parsed where either will do, and only exports ask for the store', async () => {
    const asked = () => Promise.reject(new Error('nobody need know'));
    expect(await parseAnyMapping('mine', exporting, async () => RESOURCES)).toHaveProperty('columns');
    expect(await parseAnyMapping('mine', importing, asked)).toHaveProperty('fields');
    await expect(parseAnyMapping('mine', 'just text', asked)).rejects.toThrow('mine has');
  });

  test('a preset is refused for an export', () => {
    expect(refusal(() => namedExportMapping('shopify-products', reviews, RESOURCES)).message).toContain(
      'says how files are read',
    );
  });
});

const REVIEW: JsonObject = {
  _id: 'r1',
  product: { _id: 'p1', name: 'Tea ' },
  customer: { _id: 'c1', firstname: ' Ann', lastname: 'Leigh' },
  content: '  Lovely\n',
  images: ['a.jpg', 'b.jpg'],
  rating: 5,
  published: true,
  createdAt: '2026-03-01T10:00:00Z',
};

/** The value of a column for an item, and the problems that were reported. */
function shownOf(column: string, item: JsonObject, text = ofReviews(`A: ${column}`)) {
  const [first] = parseExportMapping('mine', text).columns;
  const complaints: string[] = [];
  if (!first) throw new Error('there is no column');
  const take = compileColumn(first, { reader: valueReader, text: cellText }, (_item, message) =>
    complaints.push(message),
  );
  return { value: take(item), complaints };
}

function cellOf(column: string, item: JsonObject): Json | undefined {
  const { value, complaints } = shownOf(column, item);
  expect(complaints).toEqual([]);
  return value;
}

describe('a cell', () => {
  test.each<[string, Json | undefined]>([
    // A path alone: the value as it is.
    ['rating', 5],
    ['published', true],
    ['product', { _id: 'p1', name: 'Tea ' }],
    ['images', ['a.jpg', 'b.jpg']],
    ['images.1', 'b.jpg'],
    ['content', '  Lovely\n'],
    ['storeId', undefined],
    // Several sources.
    ['{ from: [storeId, customer.lastname, rating] }', 'Leigh'],
    ['[storeId, customer.lastname]', 'Leigh'],
    ['[{ from: storeId, default: none }, rating]', 'none'],
    ['[{ const: a, when: { rating: 1 } }, { const: b, when: { rating: 5 } }]', 'b'],
    ['{ from: [customer.firstname, storeId, customer.lastname], join: " " }', 'Ann Leigh'],
    ['{ from: images, join: ", " }', 'a.jpg, b.jpg'],
    ['{ from: [rating, images], join: "/" }', '5/a.jpg/b.jpg'],
    ['{ from: storeId, join: ", " }', undefined],
    ['{ const: My shop }', 'My shop'],
    ['{ const: 7 }', 7],
    // Templates.
    ['"{customer.firstname} {customer.lastname}"', 'Ann Leigh'],
    ['"{customer.firstname} {storeId}"', 'Ann'],
    ['{ template: "{rating}/5 of {product.name}!" }', '5/5 of Tea!'],
    ['{ template: "{customer.firstname}.", trim: false }', 'Ann.'],
    ['"No. {storeId}"', undefined],
    // Steps, in their order, on the text.
    ['{ from: rating, map: { 5: "★★★★★" } }', '★★★★★'],
    ['{ from: rating, map: { 1: bad }, else: good }', 'good'],
    ['{ from: published, map: { "true": yes, "false": no }, default: unknown }', 'yes'],
    ['{ from: product.name, map: { tea: 1 } }', 1],
    ['{ from: content, case: upper, replace: { match: lovely, with: nice } }', 'LOVELY'],
    ['{ from: content, replace: { match: Lovely, with: nice }, case: upper }', 'NICE'],
    ['{ from: content, trim: true }', 'Lovely'],
    ['{ from: content, trim: false, case: upper }', '  LOVELY\n'],
    ['{ from: content, replace: { match: ".*" } , default: nothing }', 'nothing'],
    ['{ from: createdAt, replace: { match: "T.*" } }', '2026-03-01'],
    ['{ from: rating, number: true }', 5],
    ['{ from: images, split: "|", case: upper }', ['A.JPG', 'B.JPG']],
    ['{ from: images, join: ", ", case: upper }', 'A.JPG, B.JPG'],
    // Empty cells.
    ['{ from: storeId, default: none }', 'none'],
    ['{ from: storeId, map: { a: b } }', undefined],
    ['{ from: storeId, map: { a: b }, default: none }', 'none'],
    // Conditions.
    ['{ from: content, when: { published: true }, else: hidden }', '  Lovely\n'],
    ['{ from: content, when: { rating: { is: [1, 2] } }, else: hidden }', 'hidden'],
    ['{ from: content, when: { rating: { is: [1, 2] } }, default: none }', undefined],
    ['{ from: rating, when: images }', 5],
    ['{ from: rating, when: storeId }', undefined],
    ['{ from: rating, when: { storeId: { empty: true } } }', 5],
  ])('%s', (column, value) => {
    expect(cellOf(column, REVIEW)).toEqual(value);
  });

  test.each<[string, JsonObject, Json | undefined]>([
    ['{ from: images, default: none }', { images: [] }, 'none'],
    ['images', { images: [] }, []],
    ['{ from: [images, content] }', { images: [], content: ' ' }, []],
    ['{ from: images, join: ", ", default: none }', { images: [] }, 'none'],
    ['{ from: images, join: ", " }', { images: ['a', '', null, { b: 1 }] }, 'a, {"b":1}'],
    ['{ from: rating, when: images }', { images: [], rating: 5 }, undefined],
    ['{ from: rating, default: 0 }', { rating: null }, 0],
    ['{ from: content, default: none }', { content: ' \n' }, 'none'],
    ['{ from: content, map: { a: b } }', { content: ' ' }, ' '],
    ['{ from: rating, default: 9 }', { rating: 0 }, 0],
    ['{ from: published, default: none }', { published: false }, false],
    ['product.name', { product: null }, undefined],
  ])('%s of %j', (column, item, value) => {
    expect(cellOf(column, item)).toEqual(value);
  });

  test.each<[string, Json, string]>([
    ['{ from: rating, map: { 1: bad } }', 5, '"5" is not known here; use one of: 1'],
    [
      '{ from: content, map: { a: b }, default: c }',
      '  Lovely\n',
      '"Lovely" is not known here; use one of: a',
    ],
    ['{ from: customer.lastname, number: true }', 'Leigh', '"Leigh" is not a number; write it like 1234.50'],
    ['[{ from: rating, map: { 1: bad } }, content]', 5, '"5" is not known here; use one of: 1'],
    [
      '{ from: images, split: "|", map: { a.jpg: A } }',
      ['a.jpg', 'b.jpg'],
      '"b.jpg" is not known here; use one of: a.jpg',
    ],
    [
      '{ from: images, split: "|", boolean: true }',
      ['a.jpg', 'b.jpg'],
      '"a.jpg" is neither yes nor no; write TRUE or FALSE',
    ],
  ])('%s keeps the value of the store, and reports it once', (column, value, complaint) => {
    expect(shownOf(column, REVIEW)).toEqual({ value, complaints: [complaint] });
  });

  test('has values inside objects that the API document leaves open', () => {
    const text = `resource: ${checkouts.name}\nexport: { A: details.0.product.name }`;
    const item = { details: [{ product: { name: 'Tea' } }] };
    expect(shownOf('', item, text).value).toBe('Tea');
  });
});
