import { describe, expect, test } from 'vitest';
import { accepts, apply } from './apply.ts';

describe('boolean', () => {
  test.each([
    'TRUE',
    'true',
    'True',
    'Yes',
    'y',
    '1',
    'on',
    'oui',
    'SÍ',
    'SI',
    'ja',
    'sim',
    'نعم',
    'VRAI',
    'wahr',
  ])('%s is yes', (text) => expect(apply('boolean', true, text).value).toBe(true));
  test.each(['FALSE', 'No', 'N', '0', 'off', 'non', 'nein', 'não', 'لا', 'FAUX', 'falsch'])(
    '%s is no',
    (text) => expect(apply('boolean', true, text).value).toBe(false),
  );
  test.each(['', ' ', '2', '-1', 'null', 'constructor', '__proto__', 'yes!'])('%j is neither', (text) => {
    expect(apply('boolean', true, text)).toMatchObject({ value: undefined, codes: ['not-yes-or-no'] });
  });
});

describe('split', () => {
  test.each([
    [',', 'a,b', ['a', 'b']],
    [',', 'a', ['a']],
    [',', ' a , ,b,a ', ['a', 'b']],
    ['. ', 'a. b.c', ['a', 'b.c']],
    ['|', 'a|b', ['a', 'b']],
    [';', 'a,b', ['a,b']],
    [',', 'A,a', ['A', 'a']],
  ])('at %j cuts %j into %j', (separator, text, parts) => {
    expect(apply('split', separator, text).value).toEqual(parts);
  });
  test.each([',', ' , ,', ''])('%j has no parts: absent', (text) => {
    expect(apply('split', ',', text)).toMatchObject({ value: undefined, codes: [] });
  });
  test('needs a separator', () => {
    expect(accepts('split', '')).toBe(false);
    expect(accepts('split', 5)).toBe(false);
  });
});

describe('map', () => {
  const args = { words: { active: 'PUBLISH', Draft: 'DRAFT', no: false, none: 0 } };
  test.each([
    ['ACTIVE', 'PUBLISH'],
    ['draft', 'DRAFT'],
    ['No', false],
    ['none', 0],
  ])('%s becomes %j', (text, value) => {
    expect(apply('map', args, text)).toEqual({ value, codes: [], messages: [] });
  });
  test.each(['constructor', '__proto__', 'toString', '', 'activ'])('%j is not known', (text) => {
    expect(apply('map', args, text).messages).toEqual([
      `"${text}" is not known here; use one of: active, Draft, no, none`,
    ]);
  });
  test('an unknown word becomes else, also where that is false', () => {
    expect(apply('map', { ...args, else: false }, 'sold')).toMatchObject({ value: false, codes: [] });
  });
  test('long words are cut in the message', () => {
    expect(apply('map', args, 'x'.repeat(61)).messages[0]).toContain(`"${'x'.repeat(57)}…" is not known`);
  });
});

describe('json', () => {
  test.each([
    ['[]', []],
    ['{"a":[1,null,"x"]}', { a: [1, null, 'x'] }],
    ['5', 5],
    ['"x"', 'x'],
    ['false', false],
    ['{"constructor":1}', { constructor: 1 }],
  ])('%s is read', (text, value) => {
    expect(apply('json', true, text).value).toEqual(value);
  });
  test.each(['', '{a:1}', "{'a':1}", '[1,]', 'NaN', '{"a":{"b":[{"__proto__":1}]}}'])(
    '%s is an issue',
    (text) => {
      expect(apply('json', true, text)).toMatchObject({ value: undefined, codes: ['not-json'] });
    },
  );
  test('a refused __proto__ leaves all objects as they were', () => {
    apply('json', true, '{"__proto__":{"polluted":true}}');
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('replace', () => {
  test.each([
    [{ match: "^'" }, "'0017", '0017'],
    [{ match: "^'" }, '0017', '0017'],
    [{ match: '(\\d+)-(\\d+)', with: '$2/$1' }, '1-2 3-4', '2/1 4/3'],
    [{ match: '\\p{L}' }, 'é1', '1'],
    [{ match: '.', with: '😀' }, '😀a', '😀😀'],
  ])('%j makes of %j %j', (args, text, out) => {
    expect(apply('replace', args, text).value).toBe(out);
  });
  test('what nothing is left of is absent', () => {
    expect(apply('replace', { match: "^'" }, "'")).toMatchObject({ value: undefined, codes: [] });
  });
  test('keeps no state from cell to cell', () => {
    for (let round = 0; round < 3; round++) expect(apply('replace', { match: 'a' }, 'ab').value).toBe('b');
  });
  test.each([{ match: '(' }, { match: '' }, { with: 'x' }, { match: 'a', by: 'b' }, 'a'])(
    'refuses %j',
    (args) => {
      expect(accepts('replace', args)).toBe(false);
    },
  );
});

test('case writes upper and lower, of any alphabet', () => {
  expect(apply('case', 'upper', 'éß').value).toBe('ÉSS');
  expect(apply('case', 'lower', 'ÉÀ').value).toBe('éà');
  expect(accepts('case', 'camel')).toBe(false);
});
