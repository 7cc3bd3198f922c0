import { describe, expect, test } from 'vitest';
import { parseMapping } from '../../../src/map/index.ts';
import { mapRecord, refusal } from '../../support/map-rows.ts';

function mistakes(text: string): readonly string[] {
  return refusal(() => parseMapping('mine', text)).hints;
}

/** Mistakes in a mapping of products with these fields, from line 3 on. */
function mistakesIn(...fields: string[]): readonly string[] {
  return mistakes(['resource: products', 'fields:', ...fields.map((line) => `  ${line}`)].join('\n'));
}

describe('the document', () => {
  test('is YAML or JSON, with tabs, a byte order mark and Windows line ends', () => {
    const json = '\ufeff{\r\n\t"resource": "products",\r\n\t"fields": { "name": "Title" }\r\n}';
    const yaml = 'resource: products\r\nfields:\r\n  name: Title\r\n';
    for (const text of [json, yaml])
      expect(mapRecord(parseMapping('mine', text), ['Title'], ['Tea']).payload).toEqual({ name: 'Tea' });
  });

  test('has a name, a title and a digest of its text', () => {
    const text = 'resource: products\ntitle: Teas\nfields: { name: Title }\n';
    const mapping = parseMapping('mine', text);
    expect(mapping).toMatchObject({ name: 'mine', title: 'Teas', resource: { name: 'products' } });
    expect(parseMapping('mine', text).digest).toBe(mapping.digest);
    expect(parseMapping('mine', `${text} `).digest).not.toBe(mapping.digest);
    expect(parseMapping('mine', 'resource: products\nfields: { name: T }').title).toBe('mine');
  });

  test('may repeat a part by an alias', () => {
    const text = 'resource: products\nfields:\n  name: &text { from: Title, case: upper }\n  model: *text\n';
    expect(mapRecord(parseMapping('mine', text), ['Title'], ['Tea']).payload).toEqual({
      name: 'TEA',
      model: 'TEA',
    });
  });

  test.each([
    ['an unclosed list', 'resource: products\nfields: {name: [a\n', /^line 3, column 1: .*end with a \]/],
    ['a key twice', 'resource: products\nresource: products\n', /^line 2, column 1: .*unique/],
    ['a tab for indentation', 'fields:\n\tname: a\n', /^line 2, column 1: .*[Tt]ab/],
    ['two documents', 'resource: products\n---\nfields: {}\n', /^line 2, column 1: .*multiple documents/],
    ['an unknown tag', 'resource: !shop products\n', /^line 1, column 11: .*tag/],
    [
      'an alias without an anchor',
      'resource: products\nfields: *rest\n',
      /^line 2, column 9: \*rest repeats something/,
    ],
    ['JSON that ends early', '{"resource": "products",', /^line 1, column 25: /],
  ])('%s is refused at its place', (_what, text, hint) => {
    expect(mistakes(text)[0]).toMatch(hint);
  });

  test('is refused if aliases repeat aliases, before they fill the memory', () => {
    const levels = Array.from({ length: 30 }, (_, level) => {
      const inner = level === 0 ? 'x' : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array(10).fill(inner).join(', ')}]`;
    });
    expect(mistakes(levels.join('\n'))).toEqual([expect.stringMatching(/^line 1, column 1: .*[Aa]lias/)]);
  });

  test.each([
    ['', 'line 1, column 1: A mapping is a list of keys: resource, group, fields, …'],
    ['- a', 'line 1, column 1: A mapping is a list of keys: resource, group, fields, …'],
    ['just text', 'line 1, column 1: A mapping is a list of keys: resource, group, fields, …'],
  ])('%j is not a mapping', (text, hint) => {
    expect(mistakes(text)).toContain(hint);
  });
});

describe('the keys of a mapping', () => {
  const fields = 'fields: { name: Title }';
  test.each([
    [
      `resource: products\nfeilds: { name: Title }\n${fields}`,
      'line 2, column 1: "feilds" is not a key of a mapping. Did you mean "fields"?',
    ],
    [
      `resource: products\nkey: No\n${fields}`,
      'line 2, column 1: products are known by reference: leave key out.',
    ],
    [
      'resource: orders\nkey: [No]\nfields: { status: S }',
      'line 2, column 1: key takes the name of a column.',
    ],
    [
      `resource: products\n${fields}\ncheck: { total: T }`,
      'line 3, column 1: check is for orders: products have no total. Rules of your own are in checks.',
    ],
    [
      'resource: orders\nfields: { status: S }\ncheck: { totl: T }',
      'line 3, column 1: check takes { total, tax }: the amounts of the file that each order is compared with.',
    ],
    [
      'resource: orders\nfields: { status: S }\ncheck: { total: T, tax: { from: X, splitt: "," } }',
      'line 3, column 36: "splitt" is not known here. Did you mean "split"?',
    ],
    [
      `resource: products\n__proto__: 1\n${fields}`,
      'line 2, column 1: "__proto__" is not a key of a mapping.',
    ],
    [
      `resource: product\n${fields}`,
      'line 1, column 1: resource must be one of products, customers, suppliers, discounts, orders, found "product". Did you mean "products"? Its fields are checked when this is correct.',
    ],
    [
      fields,
      'line 1, column 1: resource must be one of products, customers, suppliers, discounts, orders, found nothing. Its fields are checked when this is correct.',
    ],
    [
      `resource: reviews\n${fields}`,
      'line 1, column 1: resource must be one of products, customers, suppliers, discounts, orders, found "reviews". Its fields are checked when this is correct.',
    ],
    [
      `resource: products\ngroup: Handle\n${fields}`,
      'line 2, column 1: group takes { by: Column } (rows with the same text there are one record), or { name, parent } (rows that name each other).',
    ],
    [
      `resource: products\ngroup: { columns: Handle }\n${fields}`,
      'line 2, column 10: "columns" is not known here. There are by, empty, order, lead, name, parent, parts, shared.',
    ],
    [
      `resource: products\ngroup: {}\n${fields}`,
      'line 2, column 1: group takes { by: Column } (rows with the same text there are one record), or { name, parent } (rows that name each other).',
    ],
    [
      `resource: products\ngroup: { by: H, order: sorted }\n${fields}`,
      'line 2, column 17: order takes any: the rows of a record may be anywhere in the files.',
    ],
    [
      `resource: products\ngroup: { by: H, empty: alone }\n${fields}`,
      'line 2, column 17: empty takes continues: a row with nothing in that column belongs to the record above it.',
    ],
    [
      `resource: products\ngroup: { by: H, empty: continues, order: any }\n${fields}`,
      'line 2, column 35: order does not go with empty: a row that continues a record is below the row that leads it.',
    ],
    [
      `resource: products\ngroup: { by: H, empty: continues, lead: X }\n${fields}`,
      'line 2, column 35: lead does not go with empty: a row that continues a record is below the row that leads it.',
    ],
    [
      `resource: products\ngroup: { name: H, parent: P, empty: continues }\n${fields}`,
      'line 2, column 30: empty goes with by. Rows that name each other may be anywhere in the files, and the parent leads.',
    ],
    [
      `resource: products\ngroup: { by: H, lead: 5 }\n${fields}`,
      'line 2, column 17: a condition takes a column, or columns with what they must be.',
    ],
    [
      `resource: products\ngroup: { by: [H, 5] }\n${fields}`,
      'line 2, column 10: by takes the name of a column, or a list of names: rows with the same text there are one record.',
    ],
    [
      `resource: products\ngroup: { by: [] }\n${fields}`,
      'line 2, column 10: by takes the name of a column, or a list of names: rows with the same text there are one record.',
    ],
    [
      `resource: products\ngroup: { by: [G, H], empty: continues }\n${fields}`,
      'line 2, column 22: empty goes with one column in by: with several, a row could have some of them.',
    ],
    [
      `resource: products\ngroup: { by: H, parent: P }\n${fields}`,
      'line 2, column 17: parent needs name, by which rows are known, in place of by.',
    ],
    [
      `resource: products\ngroup: { name: H, parent: P, lead: X }\n${fields}`,
      'line 2, column 30: lead goes with by. Rows that name each other may be anywhere in the files, and the parent leads.',
    ],
    [
      `resource: products\ngroup: { name: H }\n${fields}`,
      'line 2, column 1: name needs parent (what a row is part of) or parts (what is part of it).',
    ],
    [
      `resource: products\ngroup: { name: H, parent: { from: P, splitt: x } }\n${fields}`,
      'line 2, column 38: "splitt" is not known here. Did you mean "split"?',
    ],
    [
      `resource: products\ngroup: { name: H, parent: P, shared: true }\n${fields}`,
      'line 2, column 30: shared goes with parts: several rows may name the same part.',
    ],
    [
      `resource: products\ngroup: { name: H, parts: { from: P, split: "," }, shared: any }\n${fields}`,
      'line 2, column 51: shared takes true or false: whether a row may be part of several.',
    ],
    [
      `resource: products\ngroup: { by: H, shared: true }\n${fields}`,
      'line 2, column 17: shared needs name, by which rows are known, in place of by.',
    ],
    [
      `resource: products\ngroup: { name: H, parts: P }\n${fields}`,
      'line 2, column 19: group.parts is a list: say how the cell is cut, such as split: ",".',
    ],
    [
      `resource: products\nskip: Type\n${fields}`,
      'line 2, column 1: skip takes { when: … } or a list of these. Rows that match one of them are left out, and counted.',
    ],
    [
      `resource: products\nskip: {}\n${fields}`,
      'line 2, column 1: skip takes { when: … } or a list of these. Rows that match one of them are left out, and counted.',
    ],
    [
      `resource: products\njoined: [{ recognise: [A] }]\n${fields}`,
      'line 2, column 1: joined needs recognise beside it: the columns of the main file.',
    ],
    [
      `resource: products\nrecognise: [B]\njoined: { recognise: [A] }\n${fields}`,
      'line 3, column 1: joined takes a list of files that are read with the main one, each { title, recognise }.',
    ],
    [
      `resource: products\nrecognise: [B]\njoined: [{ title: A }]\n${fields}`,
      'line 3, column 10: recognise is missing: the columns by which such a file is known.',
    ],
    [
      `resource: products\nfields: { name: { from: A, row: B, rows: C } }`,
      'line 2, column 36: row and rows both say which rows count: keep one.',
    ],
    [
      `resource: products\nrecognise: Handle\n${fields}`,
      'line 2, column 1: recognise takes a list of columns.',
    ],
    [
      `resource: products\nrecognise: [Handle, 5]\n${fields}`,
      'line 2, column 21: This takes the name of a column, or a list of names.',
    ],
    [`resource: products\ncolumns: [a]\n${fields}`, 'line 2, column 1: columns takes column: [other names].'],
    [
      `resource: products\ncolumns:\n  Handle:\n${fields}`,
      'line 3, column 3: This takes the name of a column, or a list of names.',
    ],
    ['resource: products', 'line 1, column 1: fields takes a list of targets, each with its source.'],
    [
      'resource: products\nfields: [name]',
      'line 2, column 1: fields takes a list of targets, each with its source.',
    ],
  ])('%j', (text, hint) => {
    expect(mistakes(text)).toContain(hint);
  });
});

describe('a target', () => {
  test.each([
    ['nme: Title', 'line 3, column 3: product has no field "nme". Did you mean "name"?'],
    [
      'pricee.salePrice: P',
      'line 3, column 3: product has no field "pricee.salePrice". Did you mean "price.salePrice"?',
    ],
    ['name.first: P', 'line 3, column 3: product has no field "name.first".'],
    ['name.__proto__: P', 'line 3, column 3: product has no field "name.__proto__".'],
    ['outStock.__proto__.x: P', 'line 3, column 3: product has no field "outStock.__proto__.x".'],
    ['constructor: P', 'line 3, column 3: product has no field "constructor".'],
    ['tags.first: P', 'line 3, column 3: product has no field "tags.first".'],
  ])('%s does not exist', (field, hint) => {
    expect(mistakesIn(field)[0]?.startsWith(hint)).toBe(true);
  });

  test('inside a list is looked up in its items', () => {
    expect(mistakesIn('images: { each: row, fields: { scr: Image } }')).toEqual([
      'line 3, column 34: product has no field "scr". Did you mean "src"?',
    ]);
  });

  test.each([
    [
      ['price: { from: P, json: true }', 'price.salePrice: P'],
      'line 4, column 3: "price.salePrice" is inside "price", which is mapped as a whole.',
    ],
    [
      ['images.0.src: I', 'images: { each: row, fields: { src: I } }'],
      'line 3, column 3: "images.0.src" is inside "images", which is mapped as a whole.',
    ],
  ])('cannot be filled twice: %j', (fields, hint) => {
    expect(mistakesIn(...fields)).toEqual([hint]);
  });
});

describe('a value', () => {
  test.each([
    ['name: { from: T, trm: false }', 'line 3, column 20: "trm" is not known here. Did you mean "trim"?'],
    [
      'name: { from: T, repalce: { match: a } }',
      'line 3, column 20: "repalce" is not known here. Did you mean "replace"?',
    ],
    [
      'name: { from: T, case: camel }',
      'line 3, column 20: case does not take "camel"; for example case: "upper".',
    ],
    [
      'price.salePrice: { from: P, number: yes }',
      'line 3, column 31: number does not take "yes"; for example number: true.',
    ],
    [
      "price.salePrice: { from: P, number: { thousands: '.' } }",
      'line 3, column 31: number does not take {"thousands":"."}; for example number: true.',
    ],
    [
      "name: { from: T, replace: { match: '(' } }",
      'line 3, column 20: "(" is not a regular expression that can be used here: missing closing ): `(`.',
    ],
    [
      "name: { from: T, replace: { match: 'a(?=b)' } }",
      'line 3, column 20: "a(?=b)" is not a regular expression that can be used here: it looks ahead or behind, or asks for what a group found (\\1), which could take very long.',
    ],
    [
      "name: { from: T, replace: { match: '(a)', with: '$2' } }",
      'line 3, column 20: $2 stands for a group that "(a)" does not have; a dollar sign is written $$.',
    ],
    [
      "tags: { from: T, split: { match: '(' } }",
      'line 3, column 29: "(" is not a regular expression that can be used here: missing closing ): `(`.',
    ],
    [
      "tags: { from: T, split: { match: ' *' } }",
      'line 3, column 29: " *" matches an empty text, so it would cut between all letters.',
    ],
    [
      "tags: { from: T, split: { by: ',', replace: { match: '(a)', with: '$2' } } }",
      'line 3, column 38: $2 stands for a group that "(a)" does not have; a dollar sign is written $$.',
    ],
    [
      'tags: { from: T, split: { by: ",", match: ";" } }',
      'line 3, column 20: split does not take {"by":",","match":";"}; for example split: ",".',
    ],
    [
      'status: { from: S, map: [active] }',
      'line 3, column 22: map does not take ["active"]; for example map: {"active":"PUBLISH","draft":"DRAFT"}.',
    ],
    ["tags: { from: T, split: '' }", 'line 3, column 20: split does not take ""; for example split: ",".'],
    ['name: {}', 'line 3, column 3: name needs one of from, const, template, expression; it has none.'],
    [
      'name: { from: T, const: x }',
      'line 3, column 3: name needs one of from, const, template, expression; it has from and const.',
    ],
    ['name: 5', 'line 3, column 3: name needs a column, or { const: 5 } for a constant.'],
    ['name:', 'line 3, column 3: name needs a column, or { const: null } for a constant.'],
    [
      'name: { from: 5 }',
      'line 3, column 11: from takes a column, or a list of columns: the first one that is not empty is used.',
    ],
    [
      'name: { from: [A, B], join: 1 }',
      'line 3, column 25: join takes the text to put between the columns, such as " - ".',
    ],
    [
      'name: { template: 5 }',
      'line 3, column 11: template takes text with columns, such as "{Title} by {Vendor}".',
    ],
    ['name: { from: T, required: yes }', 'line 3, column 20: required takes true or false.'],
    ['name: { from: T, trim: no }', 'line 3, column 20: trim takes true or false.'],
    [
      'images: { each: row, distinct: { by: x, warn: Same. }, fields: { src: I } }',
      'line 3, column 36: distinct names no field of this list: "x".',
    ],
    [
      'images: { each: row, distinct: { by: src }, fields: { src: I } }',
      'line 3, column 24: distinct takes { by: [field, …], warn: a sentence for items that are equal in all of them }.',
    ],
    ['name: { all: [A, B] }', 'line 3, column 11: name is not a list of words, so it cannot take all.'],
    [
      'tags: { all: A }',
      'line 3, column 11: all takes a list of sources, such as [{ from: Tags, split: "," }, Season].',
    ],
    ['tags: { all: [A], split: "," }', 'line 3, column 21: "split" is not known here. There are all.'],
    [
      'name: { from: T, warn: 5 }',
      'line 3, column 20: warn takes a sentence, the warning if this value is used.',
    ],
    [
      'name: { from: T, leave-out: true }',
      'line 3, column 20: leave-out takes a sentence, the warning for a record whose cells are left out.',
    ],
    [
      'name: { from: T, leave-out: Gone., default: none }',
      'line 3, column 38: default has no meaning beside leave-out, which makes no value.',
    ],
    [
      'price.salePrice: { from: P, across: summ }',
      'line 3, column 31: across takes one of lead, first, last, sum, min, max, join. Did you mean "sum"?',
    ],
    [
      'name: { from: T, else: x }',
      'line 3, column 20: else needs when (it does not hold) or map (an unknown word) beside it.',
    ],
    [
      'status: { from: S, when: A, map: { a: DRAFT }, else: DRAFT }',
      'line 3, column 50: with both when and map, else could mean either: leave one of them out.',
    ],
    [
      'name: [A, { each: row, fields: {} }]',
      'line 3, column 13: name is not a list, so it cannot take each.',
    ],
    [
      'images: [{ from: A, json: true }, { each: row, fields: { src: A } }]',
      'line 3, column 3: several entries for one field must all be values, or all be lists with each.',
    ],
    [
      'name: []',
      'line 3, column 3: several entries for one field must all be values, or all be lists with each.',
    ],
  ])('%s', (field, hint) => {
    expect(mistakesIn(field)).toContain(hint);
  });

  test('that is wrong inside a list of rules is reported once', () => {
    expect(mistakesIn('tags: [{ each: row, fields: {} }, { from: T, split: "," }]')).toHaveLength(1);
  });
});

describe('the value of a field must have its type', () => {
  test.each([
    ['tags: Tags', 'line 3, column 3: tags is a list: say how the cell is cut, such as split: ",".'],
    [
      'images: Image',
      'line 3, column 3: images is a list of objects: use each with fields, or give JSON with json: true.',
    ],
    [
      'images: { from: I, split: "|" }',
      'line 3, column 3: images is a list of objects: use each with fields, or give JSON with json: true.',
    ],
    [
      'price: P',
      'line 3, column 3: price is an object: name a field inside it, such as price.buyingPrice, or give JSON with json: true.',
    ],
    [
      'brand: B',
      'line 3, column 3: brand is an object: name a field inside it, or give JSON with json: true.',
    ],
    [
      'price.salePrice: { from: P, boolean: true }',
      'line 3, column 3: price.salePrice is a number, but this makes yes or no.',
    ],
    [
      'price.salePrice: { from: P, split: "," }',
      'line 3, column 3: price.salePrice is a number, but this makes a list.',
    ],
    [
      'price.salePrice: { const: cheap }',
      'line 3, column 3: price.salePrice is a number, but this makes text.',
    ],
    ['seo.hide: { const: 1 }', 'line 3, column 3: seo.hide is a boolean, but this makes a number.'],
    ['name: { from: T, number: true }', 'line 3, column 3: name is text, but this makes a number.'],
    ['name: { from: T, across: sum }', 'line 3, column 3: name is text, but this makes a number.'],
    ['name: { from: T, split: "," }', 'line 3, column 3: name is text, but this makes a list.'],
    [
      'status: { const: PUBLISHED }',
      'line 3, column 13: status cannot be "PUBLISHED"; it is one of DRAFT, PUBLISH, TRASH. Did you mean "PUBLISH"?',
    ],
    [
      'status: { from: S, default: draft }',
      'line 3, column 22: status cannot be "draft"; it is one of DRAFT, PUBLISH, TRASH. Did you mean "DRAFT"?',
    ],
    [
      'status: { from: S, map: { active: LIVE }, else: HIDDEN }',
      'line 3, column 29: status cannot be "LIVE"; it is one of DRAFT, PUBLISH, TRASH.',
    ],
    [
      'status: { from: S, map: { active: LIVE }, else: HIDDEN }',
      'line 3, column 45: status cannot be "HIDDEN"; it is one of DRAFT, PUBLISH, TRASH.',
    ],
    [
      'price.salePrice: { from: P, default: "0" }',
      'line 3, column 31: price.salePrice is a number, so it cannot be "0".',
    ],
    ['seo.hide: { from: P, map: { x: 1 } }', 'line 3, column 31: seo.hide is yes or no, so it cannot be 1.'],
    ['name: { from: T, default: 5 }', 'line 3, column 20: name is text, so it cannot be 5.'],
  ])('%s', (field, hint) => {
    expect(mistakesIn(field)).toContain(hint);
  });

  test.each([
    'tags: { const: [a, b] }',
    'images: { const: [{ src: "https://example.com/a.png" }] }',
    'images: { from: I, json: true }',
    'images: { from: I, split: "|", json: true }',
    'price: { from: P, json: true }',
    'price.salePrice: { from: P, map: { free: 0 } }',
    'price.salePrice: { const: 5 }',
    'seo.hide: { from: H, map: { visible: false }, else: true }',
    'variants.0.price: P',
    'sizes: { from: S, json: true }',
    'collections: { from: C, split: "," }',
  ])('%s is accepted', (field) => {
    expect(parseMapping('mine', `resource: products\nfields:\n  ${field}\n`).fields).toHaveLength(1);
  });
});

describe('a list', () => {
  test.each([
    [
      'images: { each: rows, fields: { src: I } }',
      'line 3, column 13: each takes row, child, rows with the same text: { by: Column }, numbers for columns such as Option{n} Name: { n: [1, 2, 3] }, columns whose names have a part in common: { size: { columns: "Size {size}" } }, parts of a cell: { part: { from: Column, split: "," } }, or a list in JSON: { in: variants }.',
    ],
    [
      'images: { each: { n: 3 }, fields: { src: I } }',
      'line 3, column 13: each takes row, child, rows with the same text: { by: Column }, numbers for columns such as Option{n} Name: { n: [1, 2, 3] }, columns whose names have a part in common: { size: { columns: "Size {size}" } }, parts of a cell: { part: { from: Column, split: "," } }, or a list in JSON: { in: variants }.',
    ],
    [
      'images: { each: { n: [1], m: [2] }, fields: { src: I } }',
      'line 3, column 13: each takes row, child, rows with the same text: { by: Column }, numbers for columns such as Option{n} Name: { n: [1, 2, 3] }, columns whose names have a part in common: { size: { columns: "Size {size}" } }, parts of a cell: { part: { from: Column, split: "," } }, or a list in JSON: { in: variants }.',
    ],
    [
      'images: { each: { n: { columns: Image } }, fields: { src: I } }',
      'line 3, column 21: columns takes the name of columns with {n} once and other text around it: { n: { columns: "Prefix {n}" } }.',
    ],
    [
      'images: { each: { n: { columns: "{n}" } }, fields: { src: I } }',
      'line 3, column 21: columns takes the name of columns with {n} once and other text around it: { n: { columns: "Prefix {n}" } }.',
    ],
    [
      'images: { each: { a: { from: A, split: "," }, row: { from: B, split: "," } }, fields: { src: "{a}" } }',
      'line 3, column 49: a part has a name of letters and digits, such as part, and not row, rows or file; found "row".',
    ],
    [
      'images: { each: row, unique: scr, fields: { src: I } }',
      'line 3, column 24: unique names no field of this list: "scr". Did you mean "src"?',
    ],
    [
      'images: { each: row, needs: scr, fields: { src: I } }',
      'line 3, column 24: needs names no field of this list: "scr". Did you mean "src"?',
    ],
    [
      'images: { each: row, fileds: { src: I } }',
      'line 3, column 24: "fileds" is not known here. Did you mean "fields"?',
    ],
    ['images: { each: row }', 'line 3, column 3: fields takes a list of targets, each with its source.'],
    ['price: { each: row, fields: {} }', 'line 3, column 3: price is not a list, so it cannot take each.'],
    [
      'tags: { each: row, fields: {} }',
      'line 3, column 3: tags is a list of plain values: use split on a column instead of each.',
    ],
  ])('%s', (field, hint) => {
    expect(mistakesIn(field)).toContain(hint);
  });
});

describe('a condition', () => {
  test.each([
    [
      'name: { from: T, when: [A] }',
      'line 3, column 20: a condition takes a column, or columns with what they must be.',
    ],
    [
      'name: { from: T, when: 5 }',
      'line 3, column 20: a condition takes a column, or columns with what they must be.',
    ],
    [
      'name: { from: T, when: { A: { iss: x } } }',
      'line 3, column 33: "iss" is not a test; there are is, is-not, empty, matches, below, above, at-least, at-most, future. Did you mean "is"?',
    ],
    [
      'name: { from: T, when: { A: { constructor: x } } }',
      'line 3, column 33: "constructor" is not a test; there are is, is-not, empty, matches, below, above, at-least, at-most, future.',
    ],
    ['name: { from: T, when: { A: { empty: "yes" } } }', 'line 3, column 33: empty takes true or false.'],
    [
      "name: { from: T, when: { A: { matches: '(' } } }",
      'line 3, column 33: "(" is not a regular expression that can be used here: missing closing ): `(`.',
    ],
    [
      'name: { from: T, when: { A: { is: { b: c } } } }',
      'line 3, column 33: is takes a word or a list of words.',
    ],
    ['name: { from: T, when: { A: } }', 'line 3, column 28: is takes a word or a list of words.'],
    [
      'images: { each: row, when: { A: { is-nott: x } }, fields: { src: I } }',
      'line 3, column 37: "is-nott" is not a test; there are is, is-not, empty, matches, below, above, at-least, at-most, future. Did you mean "is-not"?',
    ],
  ])('%s', (field, hint) => {
    expect(mistakesIn(field)).toContain(hint);
  });
});

test('rules that need the resource are checked only with one, and all others always', () => {
  const text =
    'groop: 1\nresource: order\ngroup: { name: { from: No, blank: clear }, parent: Of, lead: Of }\n';
  expect(refusal(() => parseMapping('mine', text)).hints.map((hint) => hint.split(':')[0])).toEqual([
    'line 1, column 1',
    'line 2, column 1',
    'line 3, column 56',
  ]);
});

test('all mistakes are reported together, in the order of their places, and counted', () => {
  const { message, hints } = refusal(() =>
    parseMapping(
      'mine',
      [
        'resource: products',
        'recognise: x',
        'columns: y',
        'group: z',
        'feilds: {}',
        'fields:',
        '  nme: A',
        '  tags: B',
      ].join('\n'),
    ),
  );
  expect(message).toBe('The mapping mine has 6 mistakes.');
  expect(hints.map((hint) => hint.split(':')[0])).toEqual([
    'line 2, column 1',
    'line 3, column 1',
    'line 4, column 1',
    'line 5, column 1',
    'line 7, column 3',
    'line 8, column 3',
  ]);
  expect(
    mistakesIn(
      'variants: { each: row, unique: nme, fields: { name: V, "a.b": { from: W, splitt: x, case: y } } }',
    ).map((hint) => hint.split(':')[0]),
  ).toEqual(['line 3, column 26', 'line 3, column 76', 'line 3, column 87']);
  expect(refusal(() => parseMapping('mine', 'resource: products\nfields: { nme: A }')).message).toBe(
    'The mapping mine has 1 mistake.',
  );
});
