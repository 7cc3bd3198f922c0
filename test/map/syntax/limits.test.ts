import { describe, expect, test } from 'vitest';
import { parseMapping } from '../../../src/map/index.ts';
import { mapRecord, refusal } from '../../support/map-rows.ts';

function refused(text: string): { message: string; hints: readonly string[] } {
  return refusal(() => parseMapping('mine', text));
}

function fieldsOf(...lines: string[]): string {
  return ['resource: products', 'fields:', ...lines.map((line) => `  ${line}`)].join('\n');
}

describe('a mapping file', () => {
  test('that is far too large is refused without parsing', () => {
    expect(refused(`# ${'x'.repeat(1_000_000)}`).message).toMatch(
      /^The mapping mine has 1000002 characters, and up to 1000000 are read\.$/,
    );
  });

  test.each([
    ['brackets', `resource: ${'['.repeat(100_000)}`],
    ['closed brackets', `resource: ${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['braces of JSON', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`],
    ['dashes', `resource:\n  ${'- '.repeat(5000)}x`],
  ])('that is nested thousands of levels deep in %s is refused', (_what, text) => {
    const { message, hints } = refused(text);
    expect([message, ...hints].join('\n')).toMatch(/nested more than 50 deep|line \d, column \d+: /);
  });

  test('that is nested just too deep is refused with the reason', () => {
    const deep = (levels: number) => `resource: products\ntitle: ${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(refused(deep(60)).hints).toEqual(['line 1, column 1: the document is nested more than 50 deep.']);
    expect(refused(deep(40)).hints).not.toContain(
      'line 1, column 1: the document is nested more than 50 deep.',
    );
  });

  test('whose aliases repeat aliases is refused quickly', () => {
    const levels = Array.from(
      { length: 9 },
      (_, n) =>
        `l${n}: &l${n} [${Array(9)
          .fill(n === 0 ? 'lol' : `*l${n - 1}`)
          .join()}]`,
    );
    expect(refused(levels.join('\n')).hints[0]).toMatch(/[Aa]lias/);
  });
});

describe('names that could change a prototype', () => {
  test.each([
    '__proto__',
    'constructor',
    'prototype',
    '__proto__.polluted',
    'sizes.__proto__.a',
    'sizes.constructor.prototype.a',
  ])('%s is not a field', (path) => {
    expect(refused(fieldsOf(`${JSON.stringify(path)}: T`)).hints[0]).toContain(
      `product has no field "${path}".`,
    );
  });

  test.each(['__proto__', 'constructor'])('%s is not a field of a list either', (name) => {
    const list = `variants: { each: row, fields: { ${name}: T } }`;
    expect(refused(fieldsOf(list)).hints[0]).toContain(`product has no field "${name}".`);
  });

  test('are plain text as words, columns and keys', () => {
    const text = fieldsOf(
      'name: __proto__',
      'model: { from: constructor, map: { __proto__: a, constructor: b } }',
      'description: { from: T, pairs: { key: constructor } }',
      'html: { from: T, when: { __proto__: x } }',
    );
    const { payload } = mapRecord(
      parseMapping('mine', text),
      ['__proto__', 'constructor', 'T'],
      ['x', 'constructor', 'a=1'],
    );
    expect(payload).toEqual({ name: 'x', model: 'b', html: 'a=1' });
    expect({}).not.toHaveProperty('a');
  });
});

describe('regular expressions', () => {
  const evil = '^(a+)+$';
  const cell = `${'a'.repeat(40)}!`;

  test('always end, whatever the pattern', () => {
    const fields = {
      name: { from: 'T', replace: { match: evil, with: 'x' } },
      model: { const: 'matched', when: { T: { matches: evil } }, else: 'not' },
    };
    expect(mapRecord(fields, ['T'], [cell]).payload).toEqual({ name: cell, model: 'not' });
    const long = 'a'.repeat(200_000);
    expect(
      mapRecord({ name: fields.name, tags: { const: ['b'], when: { T: { matches: 'b*$' } } } }, ['T'], [long])
        .payload,
    ).toEqual({
      name: 'x',
      tags: ['b'],
    });
  });

  test.each(['(?=a)', '(?!a)', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<n>a)\\k<n>'])(
    '%s is refused with the reason',
    (match) => {
      const { hints } = refused(fieldsOf(`name: { from: T, replace: { match: '${match}' } }`));
      expect(hints[0]).toContain('it looks ahead or behind, or asks for what a group found');
    },
  );

  test('that are programs are refused', () => {
    expect(
      refused(fieldsOf(`name: { from: T, replace: { match: '${'a?'.repeat(600)}' } }`)).hints[0],
    ).toContain('it is longer than 1000 characters');
    expect(
      refused(fieldsOf("name: { from: T, replace: { match: '((a{1,100}){1,100}){1,100}' } }")).hints[0],
    ).toContain('invalid repeat count');
  });

  test.each([
    ["^'", 'x', "'n17", 'xn17'],
    ['0$', '', '100', '10'],
    ['é', 'e', 'été', 'ete'],
    ['\\u00e9', 'e', 'été', 'ete'],
    ['(?<year>\\d{4})-(\\d\\d)', '$2/$1', '2024-11', '11/2024'],
    ['\\.', ',', '1.5', '1,5'],
    ['[/]', '$$', 'a/b', 'a$b'],
    ['a/b', '[$&]', 'xa/b', 'x[a/b]'],
    ['.', '😀', '😀a', '😀😀'],
  ])('%s → %s turns %s into %s', (match, replacement, text, out) => {
    const fields = { name: { from: 'T', replace: { match, with: replacement } } };
    expect(mapRecord(fields, ['T'], [text]).payload).toEqual({ name: out });
  });
});
