import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, parseDocument } from 'yaml';
import {
  editMapping,
  type MappingChange,
  mappingText,
  presetNames,
  ruleKind,
  ruleOf,
  rulesIn,
  ruleText,
} from '../../../src/map/index.ts';
import { scaledRuns } from '../../support/property-tests.ts';

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

/** The value of a document; undefined if it is not one. */
function documentValue(text: string) {
  const document = parseDocument(text, { logLevel: 'silent' });
  try {
    return document.errors.length === 0 ? document.toJS() : undefined;
  } catch {
    return undefined;
  }
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

  const lines = (...all: string[]) => `${all.join('\n')}\n`;
  const HEAD = ['resource: products', 'fields:'];

  test('puts a comment above a text of several lines, so that it does not become a part of it', () => {
    const text = editMapping(TEXT, { set: 'name', rule: { const: 'one\ntwo\n' } });
    expect(rulesIn(text)('name')).toEqual({ const: 'one\ntwo\n' });
    const block = editMapping(TEXT, { set: 'name', yaml: '|\n  one\n  two' });
    expect(differences(TEXT, block)).toEqual({
      gone: ['  # 60 %: its name does not say it clearly.', '  name: Title   # shown to customers'],
      come: ['  # shown to customers', '  name:', '    |', '      one', '      two'],
    });
    expect(rulesIn(block)('name')).toBe('one\ntwo\n');
    const plain = editMapping(TEXT, { set: 'name', rule: 'one\ntwo' });
    expect(rulesIn(plain)('name')).toBe('one\ntwo');
    expect(plain).toContain('  # shown to customers\n  name: |-\n    one\n    two\n  price:');
  });

  test.each([
    ['a comment', ['  name: T # shown', '# the end'], ['  name: T # shown', '  brand.name: B', '# the end']],
    ['a comment and CRLF', ['  name: T # shown\r'], ['  name: T # shown\r', '  brand.name: B\r']],
    ['no line end', ['  name: T'], ['  name: T', '  brand.name: B']],
    [
      'a text with empty lines at its end',
      ['  name: |+', '    T', '', '', '# the end'],
      ['  name: |+', '    T', '', '', '  brand.name: B', '# the end'],
    ],
    [
      'a text with empty lines at its end inside of it',
      ['  price:', '    salePrice: |+', '      T', ''],
      ['  price:', '    salePrice: |+', '      T', '', '  brand.name: B'],
    ],
    [
      'a text with a hash',
      ['  name: |', '    T # no comment', ''],
      ['  name: |', '    T # no comment', '  brand.name: B', ''],
    ],
    ['no value', ['  name: # none yet'], ['  name: # none yet', '  brand.name: B']],
  ])('adds a field behind an entry with %s, and changes nothing else', (_what, before, after) => {
    const text = lines(...HEAD, ...before);
    expect(editMapping(text, { set: 'brand.name', rule: 'B' })).toBe(lines(...HEAD, ...after));
    const bare = text.slice(0, -1);
    const added = parse(editMapping(bare, { set: 'brand.name', rule: 'B' }));
    expect(added).toEqual({ ...parse(bare), fields: { ...parse(bare).fields, 'brand.name': 'B' } });
  });

  test('changes a field without a value', () => {
    const text = lines(...HEAD, '  name: # none yet', '  reference: R');
    expect(editMapping(text, { set: 'name', rule: 'T' })).toBe(
      lines(...HEAD, '  name: T # none yet', '  reference: R'),
    );
  });

  test('changes and removes a field with a question mark before its key', () => {
    const text = lines(...HEAD, '  ? name', '  : Title', '  ? reference', '  : SKU');
    expect(editMapping(text, { set: 'name', rule: 'T' })).toBe(
      lines(...HEAD, '  name: T', '  ? reference', '  : SKU'),
    );
    expect(editMapping(text, { remove: 'name' })).toBe(lines(...HEAD, '  ? reference', '  : SKU'));
    expect(parse(editMapping(text, { set: 'brand', rule: 'B' })).fields).toEqual({
      ...{ name: 'Title', reference: 'SKU', brand: 'B' },
    });
  });

  test('writes all anew if the lines of a field cannot be cut', () => {
    // Behind a key, the hyphens would be a part of the rule.
    const text = editMapping(TEXT, { set: 'name', yaml: '--- x' });
    expect(parse(text).fields).toEqual({ ...parse(TEXT).fields, name: 'x' });
    const odd = lines(...HEAD, '  ? # which', '    name', '  : Title');
    expect(parse(editMapping(odd, { set: 'name', rule: 'T' })).fields).toEqual({ name: 'T' });
  });

  test('never changes the meaning of anything else', () => {
    const column = fc.constantFrom('A', 'B c', '#x', 'a: b', '- 1', '*a', '5', 'one\ntwo', 'end\n\n', ' x');
    const rule = fc.oneof(
      column,
      fc.record({ from: column, number: fc.constant('german') }),
      fc.record({ const: column }),
      fc.array(fc.record({ from: column }), { minLength: 1, maxLength: 2 }),
    );
    const comment = fc.constantFrom('', ' # why', '   #', '\r');
    const value = fc.constantFrom(
      ...['Title', '"T: x"', '{ from: T, split: "," }', '', '&a Title', '*a', '[ { from: T } ]'],
      ...['|\n    one\n    two', '|+\n    one\n\n', '>-\n    one # no comment\n    two', 'one\n    two'],
      ...[
        '\n    - from: T\n      split: ","',
        '\n    from: T\n    number: true',
        '\n    x: |+\n      one\n\n',
      ],
    );
    const entry = fc.record({
      value,
      comment,
      isExplicit: fc.boolean(),
      above: fc.constantFrom('', '  # 60 %: so\n', '\n', '  # x\n'),
    });
    const names = ['name', 'reference', 'description', 'price'];
    const mapping = fc
      .record({
        entries: fc.array(entry, { minLength: 1, maxLength: 4 }),
        end: fc.constantFrom('', '\n', '\n\n# end\n', '\ngroup: { by: A } # one\n'),
      })
      .map(({ entries, end }) => {
        const written = entries.map(({ value, comment, isExplicit, above }, at) => {
          const text = /\n/.test(value) && comment !== '\r' ? value : value + comment;
          return isExplicit ? `${above}  ? ${names[at]}\n  : ${text}` : `${above}  ${names[at]}: ${text}`;
        });
        return `resource: products\nfields:\n${written.join('\n')}${end}`;
      })
      .map((text) => ({ text, before: documentValue(text) }))
      .filter(({ before }) => before !== undefined);
    const field = fc.constantFrom(...names, 'price.x', 'weight');
    const change: fc.Arbitrary<MappingChange> = fc.oneof(
      fc.record({ set: field, rule }),
      fc.record({ set: field, yaml: fc.constantFrom('T # why', '|+\n  a\n\n', '- from: T', 'a: b', '""') }),
      fc.record({ remove: field }),
      fc.record({ groupBy: fc.array(column, { maxLength: 2 }) }),
    );
    fc.assert(
      fc.property(mapping, change, ({ text, before }, wanted) => {
        const edited = editMapping(text, wanted);
        const after = parse(edited, { logLevel: 'silent' });
        const mask = ({ group, fields, ...rest }: { group: unknown; fields: Record<string, unknown> }) => {
          if ('groupBy' in wanted) return { ...rest, fields };
          const name = 'set' in wanted ? wanted.set : wanted.remove;
          const [top = ''] = name.split('.');
          const { [name]: _, [top]: _top, ...others } = fields ?? {};
          return { ...rest, group, others };
        };
        expect(mask(after)).toEqual(mask(before));
        if ('rule' in wanted) expect(rulesIn(edited)(wanted.set)).toEqual(wanted.rule);
      }),
      { numRuns: scaledRuns(1500) },
    );
  });

  test.each(presetNames())('leaves all of the preset %s but one field as it is', (name) => {
    const before = mappingText(name);
    const old = parse(before);
    // A share of the fields, evenly spread: each is parsed three times with the whole preset.
    const names = Object.keys(old.fields);
    const every = names.length / scaledRuns(names.length);
    for (const field of names.filter((_, at) => at % every < 1)) {
      const now = parse(editMapping(before, { set: field, rule: 'A column' }));
      expect(now).toEqual({ ...old, fields: { ...old.fields, [field]: 'A column' } });
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
      { from: 'P', number: { currency: ['€', 'EUR'] } },
      { columns: ['P'], number: 'plain', currency: ['€', 'EUR'] },
    ],
    [
      { from: 'P', number: { currency: '€' } },
      { columns: ['P'], number: 'plain', currency: '€' },
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
