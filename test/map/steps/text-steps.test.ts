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
  test.each(['', ' ', '2', '-1', 'null', 'constructor', '__proto__', 'yes!'])('%j is an issue', (text) => {
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
  ])('at %j splits %j into %j', (separator, text, parts) => {
    expect(apply('split', separator, text).value).toEqual(parts);
  });
  test.each([',', ' , ,', ''])('of %j gives nothing', (text) => {
    expect(apply('split', ',', text)).toMatchObject({ value: undefined, codes: [] });
  });
  test.each([
    [' and ', 'salt and pepper', ['salt', 'pepper']],
    ['\\s*[;/]\\s*', 'a ;b/ c', ['a', 'b', 'c']],
    ['(,)|(;)', 'a,b;c', ['a', 'b', 'c']],
    ['^a', 'ab', ['b']],
    ['[;,]', ' ; ', undefined],
    ['(a+)+$', `${'a'.repeat(40)}!`, [`${'a'.repeat(40)}!`]],
  ])('at the pattern %j splits %j into %j', (match, text, parts) => {
    expect(apply('split', { match }, text).value).toEqual(parts);
  });
  test('replaces in the whole cell first, and may leave nothing', () => {
    const list = [
      { match: '^\\[|\\]$', with: '' },
      { match: "'", with: '' },
    ];
    expect(apply('split', { by: ',', replace: list }, "['a','b']").value).toEqual(['a', 'b']);
    expect(apply('split', { match: '[;,]', replace: list }, "['a';'b']").value).toEqual(['a', 'b']);
    expect(apply('split', { by: ',', replace: { match: '.*', with: '' } }, 'a,b').value).toBeUndefined();
  });
  test('has one separator, which is not found between all letters', () => {
    expect(accepts('split', { by: ',', match: ';' })).toBe(false);
    expect(accepts('split', { match: ';', escape: '\\' })).toBe(false);
    expect(accepts('split', { replace: { match: 'a', with: '' } })).toBe(false);
    for (const match of ['x*', '', ',|', '(?=a)']) expect(accepts('split', { match })).toBe(false);
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
  test.each(['constructor', '__proto__', 'toString', '', 'activ'])('%j is unknown', (text) => {
    expect(apply('map', args, text).messages).toEqual([
      `"${text}" is not known here; use one of: active, Draft, no, none`,
    ]);
  });
  test('turns an unknown word into else, also if that is false', () => {
    expect(apply('map', { ...args, else: false }, 'sold')).toMatchObject({ value: false, codes: [] });
  });
  test('shortens long words in the message', () => {
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
  ])('%s is parsed', (text, value) => {
    expect(apply('json', true, text).value).toEqual(value);
  });
  test.each(['', '{a:1}', "{'a':1}", '[1,]', 'NaN', '{"a":{"b":[{"__proto__":1}]}}'])(
    '%s is an issue',
    (text) => {
      expect(apply('json', true, text)).toMatchObject({ value: undefined, codes: ['not-json'] });
    },
  );
  test('with a refused __proto__ changes no object', () => {
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
  ])('%j turns %j into %j', (args, text, out) => {
    expect(apply('replace', args, text).value).toBe(out);
  });
  test('gives nothing if no text is left', () => {
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

test('case writes upper and lower case of any alphabet', () => {
  expect(apply('case', 'upper', 'éß').value).toBe('ÉSS');
  expect(apply('case', 'lower', 'ÉÀ').value).toBe('éà');
  expect(accepts('case', 'camel')).toBe(false);
});

describe('html', () => {
  test.each([
    ['<div>a<div>b</div>c</div>', 'a\nb\nc'],
    ['a<br/>b<BR>c', 'a\nb\nc'],
    ['one <em>two</em>, <a href="x">three</a>', 'one two, three'],
    ['<table><tr><td>S</td><td>M</td></tr><tr><td>1</td></tr></table>', 'S M\n1'],
    ['a<!-- <p>hidden --> b', 'a b'],
    ['<script>if (a < b) alert("x")</SCRIPT>shown', 'shown'],
    ['&lt;b&gt; &eacute; &#8217; &#x1F600; &nosuch; &amp;amp;', '<b> é ’ 😀 &nosuch; &amp;'],
    ['a < b and b > a', 'a < b and b > a'],
    ['5 <3 hearts', '5 <3 hearts'],
    ['never <b closed', 'never <b closed'],
    ['<p>  many\n\n   blanks </p>', 'many blanks'],
    ['plain', 'plain'],
  ])('strips %j to %j', (text, out) => {
    expect(apply('html', 'strip', text).value).toBe(out);
  });

  test('takes time linear in the text', () => {
    for (const piece of ['<', '<a', '<!--', '<script>', '</p', '&', '<a "'])
      expect(typeof apply('html', 'strip', piece.repeat(200_000)).value).toBe('string');
  });
});

describe('currencies', () => {
  test.each([
    [true, '$12.50', 12.5],
    [true, '12.50 €', 12.5],
    [true, '-€12', -12],
    [true, 'US$ 5', 5],
    [true, 'R$5', 5],
    [true, 'eur 5', 5],
    [true, 'Fr. 5', 5],
    [true, 'kr 5', 5],
    [true, '5 د.ج', 5],
    [true, '5', 5],
    ['pts', '5 pts', 5],
  ])('with currency: %j, %j is %d', (currency, text, out) => {
    expect(apply('number', { currency }, text).value).toBe(out);
  });
  test.each([
    [true, '5 kg'],
    [true, '€'],
    [true, '€ 5 €'],
    [true, '5%'],
    ['pts', '€5'],
    [true, '1,299 €'],
  ])('with currency: %j, %j is an issue', (currency, text) => {
    expect(apply('number', { currency }, text)).toMatchObject({ value: undefined, codes: ['not-a-number'] });
  });
});

describe('split with an escape', () => {
  const args = { by: ',', escape: '\\' };
  test.each([
    ['a\\,b,c', ['a,b', 'c']],
    ['a\\\\,b', ['a\\', 'b']],
    ['a\\nb', ['a\\nb']],
    ['a\\', ['a\\']],
  ])('splits %j into %j', (text, parts) => {
    expect(apply('split', args, text).value).toEqual(parts);
  });
});

describe('slug', () => {
  test.each([
    ['Straße & Łódź', 'strasse-lodz'],
    ['İstanbul', 'istanbul'],
    ['हिन्दी किताब', 'हिन्दी-किताब'],
    ['한국어 책', '한국어-책'],
    ['--a__b--', 'a-b'],
  ])('of %j is %j', (text, out) => {
    expect(apply('slug', true, text).value).toBe(out);
  });
});

describe('pairs', () => {
  test('keep all values, and have no inherited keys', () => {
    expect(apply('pairs', true, 'a=1,b=,c=x=y').value).toEqual({ a: '1', b: '', c: 'x=y' });
    expect(apply('pairs', { key: 'constructor' }, 'a=1')).toMatchObject({ value: undefined, codes: [] });
    expect(apply('pairs', true, '=1').codes).toEqual(['not-pairs']);
  });
});

test('a lookup of a record in doubt is an issue that says what to do', () => {
  expect(apply('lookup', { from: 'suppliers' }, 'Asked')).toMatchObject({
    codes: ['not-settled'],
    messages: [
      'whether "Asked" is among the suppliers of this store is in doubt: settle it first. To find its run: storeport run list',
    ],
  });
  expect(accepts('lookup', { from: 'suppplier' })).toBe(false);
  expect(accepts('lookup', { file: 'a.csv', key: 'a' })).toBe(false);
});
