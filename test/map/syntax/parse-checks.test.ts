import { expect, test } from 'vitest';
import { parseMapping } from '../../../src/map/index.ts';
import { ConfigError } from '../../../src/model/index.ts';
import { refusal } from '../../support/map-rows.ts';

const FIELDS = `resource: products
fields:
  name: Name
  price.salePrice: { from: Price, number: true }
  options: { each: row, fields: { name: Option, values: { each: row, fields: { value1: Value } } } }
  variants: { each: row, fields: { name: Size, price: Extra, stock.count: Stock } }
  brand.name: Brand
  supplier: { from: Supplier, json: true }
checks:
`;

/** The mistakes in these lines of `checks`, which begin at line 10. */
function mistakesIn(...lines: string[]): readonly string[] {
  return refusal(() => parseMapping('mine', FIELDS + lines.map((line) => `  ${line}\n`).join(''))).hints;
}

test('checks are rules over the fields of the payload or of items, with a message', () => {
  const checks = [
    '{ that: "price.salePrice > 0" }',
    '{ that: "$exists(name)", message: " A name is missing. " }',
    '{ each: variants, that: "price > $record.price.salePrice and stock.count > 0", warn: Dear }',
    '{ each: options.values, that: "$length(value1) < 20" }',
    '{ that: "supplier.country.code = `brand`.name and price.buyingPrice > 1" }',
    '{ that: "variants[stock.count > 3].price[0] > 1 and $.variants.name = $$.name" }',
    '{ that: "$count($filter(variants, function($v) { $v.price > 1 })) > 0" }',
    '{ that: "($x := price; $x.salePrice > 1)" }',
    '{ that: "$map(variants, function($record) { $record.price })[0] > 1 and $record.name = \'x\'" }',
    '{ that: "($record := price; $record.salePrice > 1) and $record.name = \'x\'" }',
    '{ that: "variants^(price)[0].name = \'S\' and variants{name: price} = 1 and variants.$length(name) > 1" }',
    '{ that: "$sum(variants.{ \\"cost\\": price }.cost) > 1" }',
  ];
  const parsed = parseMapping('mine', FIELDS + checks.map((check) => `  - ${check}\n`).join('')).checks;
  expect(parsed?.map(({ each, message, isWarning }) => ({ each, message, isWarning })).slice(0, 4)).toEqual([
    { each: undefined, message: undefined, isWarning: false },
    { each: undefined, message: 'A name is missing', isWarning: false },
    { each: ['variants'], message: 'Dear', isWarning: true },
    { each: ['options', 'values'], message: undefined, isWarning: false },
  ]);
  expect(parsed).toHaveLength(checks.length);
});

test('an unknown field is a mistake with its line, and the nearest field', () => {
  expect(
    mistakesIn(
      '- { that: "pricee.salePrice > 0" }',
      '- { that: "price.salesPrice > 0 and price.salesPrice < 9" }',
      '- { each: variants, that: "prise > $record.nme" }',
      '- { that: "variants.stock.cuont > 0" }',
      '- { each: options.value, that: "true" }',
      '- { that: "$map(variants, function($v) { $v.prise })[0] > 1" }',
      '- { that: "variants[stok.count > 1].name = \'S\'" }',
      '- { each: name, that: "true" }',
      '- { that: "brand.nam = 1 or xyzxyzxyz" }',
    ),
  ).toEqual([
    'line 10, column 7: product has no field "pricee.salePrice" here. Did you mean "price.salePrice"?',
    'line 11, column 7: product has no field "price.salesPrice" here. Did you mean "price.salePrice"?',
    'line 12, column 23: product has no field "prise" here. Did you mean "price"?',
    'line 12, column 23: product has no field "nme" here. Did you mean "name"?',
    'line 13, column 7: product has no field "variants.stock.cuont" here. Did you mean "variants.stock.count"?',
    'line 14, column 7: product has no field "options.value" here. Did you mean "options.values"?',
    'line 15, column 7: product has no field "variants.prise" here. Did you mean "variants.price"?',
    'line 16, column 7: product has no field "variants.stok.count" here. Did you mean "variants.stock.count"?',
    'line 17, column 7: name is not a list: leave each out, and name name in that.',
    'line 18, column 7: product has no field "xyzxyzxyz" here. There are name, price.salePrice, options, options.name, options.values, and others.',
  ]);
});

test.each([
  ['calls', '$not(', ')'],
  ['functions', 'function($x){', '}'],
  ['blocks', '(', ')'],
])('a check of thousands of %s inside each other is a mistake, or read', (_, open, close) => {
  for (let depth = 250; depth <= 4000; depth += 250) {
    const text = `${FIELDS}  - { that: ${JSON.stringify(`${open.repeat(depth)}name${close.repeat(depth)}`)} }\n`;
    try {
      expect(parseMapping('mine', text).checks).toHaveLength(1);
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
    }
  }
});

test('a check that cannot be read is a mistake that says what to write', () => {
  expect(
    mistakesIn(
      '- { that: "price.salePrice >" }',
      '- { that: "price.salePrice > $cost" }',
      '- { that: 5 }',
      '- { message: "x" }',
      '- { that: "true", mesage: "x" }',
      '- { that: "true", message: "x", warn: "y" }',
      '- { that: "true", warn: "" }',
      '- price.salePrice > 0',
      '- { each: [variants], that: "true" }',
      '- { that: "$now() > 1" }',
      '- { that: "$contains(name, /(?=a)/)" }',
    ).map((mistake) => mistake.replace(/ from character .*/, ' …').replace(/could take .*/, '…')),
  ).toEqual([
    'line 10, column 7: this is not an expression …',
    expect.stringContaining('line 11, column 7: $cost means nothing here'),
    'line 12, column 7: that takes text, such as "price.salePrice > price.buyingPrice".',
    'line 13, column 5: a check needs that: the rule that a record must meet, such as "price.salePrice > price.buyingPrice".',
    'line 14, column 21: "mesage" is not known here. Did you mean "message"?',
    'line 15, column 5: a check has message (the record is not sent) or warn (it is sent, with a warning): keep one of them.',
    'line 16, column 21: warn takes a sentence, such as "The price is below the cost."',
    expect.stringContaining('line 17, column 5: checks takes a list of rules, such as'),
    'line 18, column 7: each takes the name of a list of the record, such as variants or options.values.',
    expect.stringContaining('line 19, column 7: this is not an expression: $now is not there in mappings'),
    expect.stringContaining(
      'line 20, column 7: this is not an expression: "(?=a)" is not a regular expression',
    ),
  ]);
  for (const checks of ['checks: x', 'checks: []', 'checks: { that: "true" }'])
    expect(refusal(() => parseMapping('mine', FIELDS.replace('checks:', checks))).hints).toEqual([
      expect.stringContaining('checks takes a list of rules'),
    ]);
});
