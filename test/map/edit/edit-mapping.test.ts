import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  editMapping,
  mappingText,
  presetNames,
  ruleKind,
  ruleOf,
  rulesIn,
  ruleText,
} from '../../../src/map/index.ts';

const TEXT = `# Suggested for shop.csv. Check it before you import.
resource: products
group: { by: Handle }
fields:
  # The shop's own number.
  reference: SKU
  # 60 %: its name does not say it clearly.
  name: Title   # shown to customers
  price:
    salePrice: { from: Precio, number: german }
    comparePrice: Old price
  tags:
    - { from: Tags, split: "," }

# Left out:
# - Peso (weight?): its cells do not fit, such as "x"
`;

/** Lines that are in one text only. */
function differences(before: string, after: string) {
  const [a, b] = [before.split('\n'), after.split('\n')];
  return { gone: a.filter((line) => !b.includes(line)), come: b.filter((line) => !a.includes(line)) };
}

describe('editing a mapping', () => {
  test('sets an existing field and changes its line alone', () => {
    const text = editMapping(TEXT, { set: 'reference', rule: 'Artikelnummer' });
    expect(differences(TEXT, text)).toEqual({
      gone: ['  reference: SKU'],
      come: ['  reference: Artikelnummer'],
    });
  });

  test('keeps a comment behind the entry, and removes the doubt above it', () => {
    const text = editMapping(TEXT, { set: 'name', rule: { from: ['Titel', 'Name'] } });
    expect(differences(TEXT, text)).toEqual({
      gone: ['  # 60 %: its name does not say it clearly.', '  name: Title   # shown to customers'],
      come: ['  name: { from: [ Titel, Name ] }   # shown to customers'],
    });
  });

  test('finds a field below another', () => {
    const text = editMapping(TEXT, { set: 'price.salePrice', rule: { from: 'Preis', number: 'german' } });
    expect(differences(TEXT, text).come).toEqual(['    salePrice: { from: Preis, number: german }']);
    expect(rulesIn(text)('price.salePrice')).toEqual({ from: 'Preis', number: 'german' });
  });

  test('adds a field behind the last one', () => {
    const text = editMapping(TEXT, { set: 'brand.name', rule: { const: 'Quiet: Inkwell' } });
    expect(differences(TEXT, text)).toEqual({
      gone: [],
      come: ['  brand.name: { const: "Quiet: Inkwell" }'],
    });
    expect(text.indexOf('brand.name')).toBeGreaterThan(text.indexOf('split'));
    expect(text.indexOf('brand.name')).toBeLessThan(text.indexOf('# Left out'));
  });

  test('removes a field with its lines', () => {
    const text = editMapping(TEXT, { remove: 'tags' });
    expect(differences(TEXT, text)).toEqual({
      gone: ['  tags:', '    - { from: Tags, split: "," }'],
      come: [],
    });
    expect(editMapping(TEXT, { remove: 'weight' })).toBe(TEXT);
  });

  test('removes the last field of an object with the object', () => {
    const once = editMapping(TEXT, { remove: 'price.salePrice' });
    const twice = editMapping(once, { remove: 'price.comparePrice' });
    expect(Object.keys(parse(twice).fields)).toEqual(['reference', 'name', 'tags']);
  });

  test('sets and removes the group', () => {
    const other = editMapping(TEXT, { groupBy: ['Handle', 'Size'] });
    expect(differences(TEXT, other).come).toEqual(['group: { by: [ Handle, Size ] }']);
    const none = editMapping(TEXT, { groupBy: [] });
    expect(parse(none).group).toBeUndefined();
    expect(parse(editMapping(none, { groupBy: ['Handle'] })).group).toEqual({ by: 'Handle' });
  });

  test('takes a rule as text, on one line or several', () => {
    const short = editMapping(TEXT, { set: 'reference', yaml: '{ from: SKU, case: upper }' });
    expect(rulesIn(short)('reference')).toEqual({ from: 'SKU', case: 'upper' });
    const long = editMapping(TEXT, { set: 'reference', yaml: 'from: SKU\ncase: upper' });
    expect(rulesIn(long)('reference')).toEqual({ from: 'SKU', case: 'upper' });
    expect(() => editMapping(TEXT, { set: 'reference', yaml: '{ from: [' })).toThrow('is not YAML');
  });

  test('writes into an empty list of fields and into a map on one line', () => {
    expect(parse(editMapping('resource: products\nfields: {}\n', { set: 'name', rule: 'T' })).fields).toEqual(
      { name: 'T' },
    );
    const flow = 'resource: products\nfields: { name: T, reference: S }\n';
    expect(parse(editMapping(flow, { set: 'name', rule: 'U' })).fields).toEqual({
      name: 'U',
      reference: 'S',
    });
    expect(parse(editMapping(flow, { remove: 'name' })).fields).toEqual({ reference: 'S' });
  });

  test.each(presetNames())('leaves all of the preset %s but one field as it is', (name) => {
    const before = mappingText(name);
    const fields = Object.keys(parse(before).fields);
    for (const field of fields) {
      const after = editMapping(before, { set: field, rule: 'A column' });
      const [old, now] = [parse(before), parse(after)];
      expect(now.fields[field]).toBe('A column');
      delete old.fields[field];
      delete now.fields[field];
      expect(now).toEqual(old);
    }
  });

  test('any name of a column survives', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (column) => {
        const text = editMapping(TEXT, { set: 'name', rule: column });
        expect(rulesIn(text)('name')).toBe(column);
        expect(rulesIn(editMapping(text, { set: 'name', rule: 'Title' }))('name')).toBe('Title');
        expect(rulesIn(text)('reference')).toBe('SKU');
      }),
    );
  });
});

describe('the form of a rule', () => {
  test.each([
    ['Title', { columns: ['Title'] }],
    [{ from: ['A', 'B'] }, { columns: ['A', 'B'] }],
    [
      { from: 'P', number: true },
      { columns: ['P'], number: 'plain' },
    ],
    [
      { from: 'P', number: { format: 'german', currency: true } },
      { columns: ['P'], number: 'german', currency: true },
    ],
    [
      { from: 'T', split: ';' },
      { columns: ['T'], split: ';' },
    ],
    [
      { from: 'S', map: { live: 'PUBLISH', no: false }, default: 'DRAFT' },
      { columns: ['S'], words: { live: 'PUBLISH', no: false }, default: 'DRAFT' },
    ],
  ])('%j is a simple rule', (rule, form) => {
    expect(ruleKind(rule)).toEqual({ kind: 'simple', form });
    const again = ruleKind(ruleOf(form as never));
    expect(again).toEqual({ kind: 'simple', form });
  });

  test.each([
    [{ const: 'x' }, 'constant'],
    [{ expression: '1' }, 'other'],
    [{ from: 'A', replace: { match: 'x' } }, 'other'],
    ['{value}', 'other'],
    [[{ from: 'A' }], 'other'],
    [{ from: 'A', number: { decimal: ',' } }, 'other'],
  ])('%j is %s', (rule, kind) => {
    expect(ruleKind(rule).kind).toBe(kind);
  });

  test('is written as YAML of its own', () => {
    expect(ruleText({ from: 'P', number: 'german' })).toBe('{ from: P, number: german }');
    expect(ruleText('Title')).toBe('Title');
    expect(parse(ruleText([{ each: 'row', fields: { a: 'x'.repeat(90), b: 'y'.repeat(60) } }]))).toHaveLength(
      1,
    );
  });
});
