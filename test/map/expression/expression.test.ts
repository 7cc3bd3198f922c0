import { describe, expect, test } from 'vitest';
import { compileExpression } from '../../../src/map/expression/expression.ts';
import { bind, parseMapping } from '../../../src/map/index.ts';
import type { JsonObject } from '../../../src/model/index.ts';
import { issuesOf, mapRecord, payloadOf, productMapping, refusal, tableOf } from '../../support/map-rows.ts';

function mistakesIn(...fields: string[]): readonly string[] {
  const lines = ['resource: products', 'fields:', ...fields.map((line) => `  ${line}`)];
  return refusal(() => parseMapping('mine', lines.join('\n'))).hints;
}

describe('an expression', () => {
  test('matches patterns as before after another one was refused', () => {
    const evaluate = compileExpression('$contains(Name, /pen/)').begin();
    expect(() => compileExpression('$contains(Name, /a(?=b)/)')).toThrow();
    expect(() => compileExpression('$random()')).toThrow();
    expect(evaluate({ Name: 'a pen' }, {})).toEqual({ value: true });
  });

  test('reads the cells of the row; empty cells are absent', () => {
    const fields = {
      'price.salePrice': { expression: '$number(Price) * (100 - $number(Discount)) / 100' },
      name: { expression: '$exists(Title) ? Title : "No name"' },
      tags: { expression: '$split(Tags, ",")[$ != "x"].$trim()' },
      sizes: { expression: '{ "unit": `Weight unit` }' },
      model: { expression: 'Nothing' },
      description: { expression: '""' },
    };
    const header = ['Price', 'Discount', 'Title', 'Tags', 'Weight unit'];
    expect(payloadOf(fields, header, ['80', '25', ' ', 'a, b,x', ' kg '])).toEqual({
      price: { salePrice: 60 },
      name: 'No name',
      tags: ['a', 'b'],
      sizes: { unit: 'kg' },
    });
  });

  test('also finds columns by aliases, and in another case', () => {
    const fields = { model: { expression: 'SKU & `list price` & $rows.SKU' } };
    const mapping = productMapping(fields, { columns: { SKU: ['Article no.'] } });
    expect(payloadOf(mapping, ['Article no.', 'List Price'], ['A', '5'])).toEqual({ model: 'A5A' });
  });

  test('reads all rows of the record, and their places', () => {
    const fields = {
      'price.salePrice': { expression: '$min($rows.Price.$number())' },
      source: { expression: '$file & ":" & $row' },
      variants: {
        each: 'row',
        fields: { name: { expression: 'Size & " (" & $row & ")"' } },
      },
    };
    expect(payloadOf(fields, ['Price', 'Size'], ['5', 'S'], ['4', 'M'])).toEqual({
      price: { salePrice: 4 },
      source: 'shop.csv:2',
      variants: [{ name: 'S (2)' }, { name: 'M (3)' }],
    });
  });

  test('reads the parts of a list', () => {
    const variants = {
      each: { part: { from: 'V', split: '|', pairs: true } },
      fields: { price: { expression: '$number($part.price) + $number(Base)' } },
    };
    expect(payloadOf({ variants }, ['V', 'Base'], ['price=1|price=2', '10'])).toEqual({
      variants: [{ price: 11 }, { price: 12 }],
    });
  });

  test('can be followed by steps, a default and a condition', () => {
    const fields = {
      name: { expression: 'Title', case: 'upper' },
      tags: { expression: 'Title & ";" & Title & "s"', split: ';' },
      'price.salePrice': { expression: '$round(2.345, 2)', number: true },
      model: { expression: 'Nothing', default: 'none' },
      description: { expression: 'Title', when: 'Nothing', else: 'nothing' },
      html: { expression: 'Nothing', required: true },
    };
    const { payload, issues } = mapRecord(fields, ['Title'], ['tea']);
    expect(payload).toEqual({
      name: 'TEA',
      tags: ['tea', 'teas'],
      price: { salePrice: 2.34 },
      model: 'none',
      description: 'nothing',
    });
    expect(issuesOf(issues)).toEqual([['required', 'html', undefined, 2]]);
  });

  test('counts the columns that it names as used', () => {
    const fields = { name: { expression: 'Title & `Sub title` & $rows.Size' } };
    const { unused, missing } = bind(
      productMapping(fields),
      tableOf('Title', 'Sub title', 'Size', 'Other'),
      [],
    );
    expect({ unused, missing }).toEqual({ unused: ['Other'], missing: [] });
  });

  test.each<[string, string, string[]]>([
    ['columns', '$number(Prise) * 2', ['Prise']],
    [
      'columns in any structure',
      '{ "a": [Titel, -Prise], "b": Sise ? Colour : $f }',
      ['Titel', 'Prise', 'Sise', 'Colour'],
    ],
    ['columns of rows', '$rows[Sise="M"].Prise', ['Sise', 'Prise']],
    ['columns of sorted rows', '$rows^(>Sise).Prise', ['Sise', 'Prise']],
    [
      'columns of rows in variables',
      '($lead := $rows[0]; $lead.Prise & $$.Sise & $.Titel)',
      ['Prise', 'Sise', 'Titel'],
    ],
    ['columns in a function', '$map($split(Tags, ","), function($t) { $t.name & Prise })', ['Tags', 'Prise']],
    ['columns of a part of the path', '$rows.(Prise & Sise).name', ['Prise', 'Sise']],
    ['no path into cells or into new values', '$split(Title, ",")[name = "a"].b & [{ "c": 1 }][c].c', []],
    ['no path into values of variables', '($x := { "a": 1 }; $x.a & $x[b] & ($x ~> |$|{ "z": y }|).d)', []],
  ])('reports %s that the file lacks as missing', (_what, expression, missing) => {
    const fields = { sizes: { expression: expression.replace('$f', '1') } };
    expect(bind(productMapping(fields), tableOf('Title', 'Price'), []).missing).toEqual(missing);
  });

  test('does not report aliases of a column that the file has as missing', () => {
    const fields = { name: 'Price', sizes: { expression: '[Net, Gross][0] & Brutto' } };
    const mapping = productMapping(fields, { columns: { Price: ['Net', 'Gross'] } });
    expect(bind(mapping, tableOf('Net'), []).missing).toEqual(['Brutto']);
  });

  test('gives numbers without floating-point noise, in any structure', () => {
    const fields = {
      'price.salePrice': { expression: '$number(A) + $number(B)' },
      'price.comparePrice': { expression: '$number(A) + $number(B)', number: true },
      sizes: { expression: '{ "all": [$number(A) + $number(B), { "half": 1.1 * 1.1 }] }' },
      'quantity.instock': { expression: '12345678901234567' },
    };
    expect(payloadOf(fields, ['A', 'B'], ['1.10', '2.20'])).toEqual({
      price: { salePrice: 3.3, comparePrice: 3.3 },
      sizes: { all: [3.3, { half: 1.21 }] },
      // Not computed, and may be an identifier.
      quantity: { instock: Number('12345678901234567') },
    });
  });

  test('can report its own error for a record', () => {
    const fields = { name: { expression: 'Title = "x" ? $error("this title is taken") : Title' } };
    const { issues } = mapRecord(fields, ['Title'], ['x']);
    expect(issues).toMatchObject([
      { code: 'expression-failed', field: 'name', message: 'the expression fails: this title is taken' },
    ]);
  });

  test.each([
    ['a type that does not fit', '$number("abc")', 'expression-failed'],
    ['an object for steps', '{ "a": 1 }', 'expression-failed'],
    ['__proto__ as a name', '{ "__proto__": { "a": 1 } }', 'expression-failed'],
  ])('%s is an issue of its record', (_what, expression, code) => {
    const fields = { name: expression.startsWith('{ "a"') ? { expression, case: 'upper' } : { expression } };
    const { payload, issues } = mapRecord(fields, ['Title'], ['x']);
    expect([payload, issues.map((issue) => issue.code)]).toEqual([{}, [code]]);
    expect({}).not.toHaveProperty('a');
  });

  test('reads a column called __proto__ like any other', () => {
    expect(payloadOf({ name: { expression: '$keys($)[0]' } }, ['__proto__'], ['x'])).toEqual({
      name: '__proto__',
    });
    expect(payloadOf({ name: { expression: 'constructor.name' } }, ['Title'], ['x'])).toEqual({});
  });
});

describe('an endless expression', () => {
  test.each([
    ['calls itself as its last step', '($f := function() { $f() }; $f())'],
    ['recurses', '($f := function($x) { 1 + $f($x) }; $f(1))'],
    ['makes a list of lists', '$reduce([1..60], function($a, $b) { $append($a, $a) }, [1])'],
    ['makes a text of texts', '$reduce([1..60], function($a, $b) { $a & $a }, "xxxxxxxx")'],
    ['counts to a million', '$sum([1..1000000])'],
    ['loops over lists in lists', '$map([1..5000], function($a) { $count([1..5000][$ = $a]) })'],
    ['pads many texts', '$string($map([1..9999], function($n) { $pad("x", 1000 + $n) }))'],
    ['pads one text', '$pad("x", 500000000)'],
    ['pads it with a long one', '$pad("", 900000, $pad("x", 900000))'],
    ['pads without keeping the text', '$count($map([1..9999], function($n) { $length($pad("x", 900000)) }))'],
    ['makes many lists', '$map([1..9999], function($n) { [1..9999] })'],
    ['makes many lists without keeping them', '$sum($map([1..9999], function($n) { $count([1..9999]) }))'],
    ['makes text of lists in lists', '$string($reduce([1..60], function($a, $b) { [[$a], [$a]] }, [1]))'],
    ['joins nested lists to text', '"" & $reduce([1..60], function($a, $b) { [[$a], [$a]] }, [1])'],
    ['returns nested lists', '$reduce([1..60], function($a, $b) { {"a": $a, "b": $a} }, {"c": 1})'],
    ['compares nested lists', '($a := $reduce([1..60], function($a, $b) { [[$a], [$a]] }, [1]); $a = [$a])'],
    ['joins by a long text', '$join([1..9999].$string(), $pad("x", 900000))'],
    ['replaces by a long text', '$replace($pad("x", 900000, "x"), "x", $pad("y", 900000, "y"))'],
    ['replaces each letter by a long text', '$replace($pad("x", 900000, "x"), /x/, $pad("y", 900000, "y"))'],
    ['splits a long text', '$count($split($pad("x", 900000, "x"), ""))'],
    ['finds each letter', '$count($match($pad("x", 900000, "x"), /x/))'],
    [
      'calls a function for the work',
      '$map($map([1..9999], function($n) { $pad("x", 9999) }), $base64encode)',
    ],
    ['searches for distinct values', '$distinct($map([1..9999], function($n) { [$pad("x", 900), $n] }))'],
  ])('%s, and is an issue', (_what, expression) => {
    const { issues } = mapRecord({ name: { expression } }, ['Title'], ['x']);
    expect(issues).toMatchObject([{ code: 'expression-limit', field: 'name' }]);
    expect(issues[0]?.message).toMatch(/^the expression takes more than it may \(50000 steps, /);
  });

  test('is not confused with one that processes a large record', () => {
    const rows = Array.from({ length: 900 }, (_, n) => [`${n}`, 'x'.repeat(500), `${n % 7}`]);
    const fields = {
      name: { expression: '$join($distinct($rows.C))' },
      model: { expression: '$string($count($rows[C = "3"])) & $substring($rows[0].B, 0, 3)' },
      tags: { expression: '$map($rows, function($r) { $r.A & $count($rows) })' },
      html: { expression: '$replace($join($rows.B), /x/, "y")' },
    };
    const { payload, issues } = mapRecord(fields, ['A', 'B', 'C'], ...rows);
    expect(issues).toEqual([]);
    expect(payload).toMatchObject({ name: '0123456', model: '129xxx', html: 'y'.repeat(450_000) });
  });

  test('is not tried again for every record of a large file', () => {
    const fields = { name: { expression: 'Title = "y" ? "fine" : ($f := function() { $f() }; $f())' } };
    const rows = Array.from({ length: 50 }, () => ['x']);
    const variants = { each: 'row', fields };
    const { issues } = mapRecord({ variants }, ['Title'], ...rows);
    expect(issues).toHaveLength(50);
    expect(issues[2]?.message).not.toContain('not tried again');
    expect(issues[3]?.message).toContain('not tried again');
  });

  test('never comes from a regular expression, since matching always ends', () => {
    const fields = {
      tags: { expression: '$match(T, /(a+)+$|b/).match' },
      model: { expression: '$replace(T, /^A/i, "z")' },
    };
    expect(payloadOf(fields, ['T'], [`${'a'.repeat(40)}b`])).toEqual({
      tags: ['b'],
      model: `z${'a'.repeat(39)}b`,
    });
  });
});

describe('a mapping with an expression', () => {
  test.each([
    ['variables that it defines', '($a := T; $f := function($b) { $a & $b }; $f($a))'],
    ['variables that a path defines', 'T@$a#$b.($a & $b)'],
    ['functions and predefined variables', '$ ~> $keys ~> $count & $$.T & $rows.T & $row & $file'],
  ])('accepts %s', (_what, expression) => {
    expect(productMapping({ name: { expression } }).name).toBe('mine');
  });

  test('accepts the parts of all enclosing lists', () => {
    const values = {
      each: { b: { expression: '$split($a, "+")' } },
      fields: { value1: { expression: '$a & $b' } },
    };
    const options = { each: { a: { from: 'T', split: ',' } }, fields: { values } };
    expect(payloadOf({ options }, ['T'], ['x+y'])).toEqual({
      options: [{ values: [{ value1: 'x+yx' }, { value1: 'x+yy' }] }],
    });
  });

  test.each([
    ['name: { expression: "1 +" }', 'line 3, column 11: this is not an expression from character 3 on: '],
    ['name: { expression: 5 }', 'line 3, column 11: expression takes text, such as "$number(Price) * 2".'],
    [
      'name: { expression: "$now()" }',
      'line 3, column 11: this is not an expression: $now is not there in mappings',
    ],
    [
      'name: { expression: "$eval(Title)" }',
      'line 3, column 11: this is not an expression: $eval is not there',
    ],
    [
      'name: { expression: "$match(T, /a(?=b)/)" }',
      'line 3, column 11: this is not an expression: "a(?=b)" is not a regular expression',
    ],
    [
      'name: { expression: "T", across: last }',
      'line 3, column 28: an expression reads the rows itself, as $rows: leave across out.',
    ],
    ['name: { expression: T, from: T }', 'it has from and expression.'],
    ['tags: { expression: T, case: upper }', 'line 3, column 3: tags is a list'],
    [
      'name: { expression: "$number(Price) * $discont" }',
      'line 3, column 11: $discont means nothing here: nothing in this expression makes it, and no list around it has parts of that name. There are $rows, $row, $file, and the functions of JSONata.',
    ],
    [
      'name: { expression: "$rws[0].Title" }',
      '$rws means nothing here: nothing in this expression makes it, and no list around it has parts of that name. Did you mean "$rows"?',
    ],
    ['name: { expression: "$nunber(Price)" }', '$nunber means nothing here'],
    [
      'variants: { each: { colour: { from: C, split: "," } }, fields: { name: { expression: $part } } }',
      'There are $colour, $rows, $row, $file, and',
    ],
    ['images: { each: { n: [1, 2] }, fields: { src: { expression: $n } } }', '$n means nothing here'],
  ])('refuses %s', (field, hint) => {
    expect(mistakesIn(field)[0]).toContain(hint);
  });
});

test.each([
  'constructor',
  '__proto__',
  '$.constructor.constructor("return process")()',
  '$lookup($$, "constructor")',
  '$string.constructor("return process.env")()',
  '($f := function($x){$x}; $f.constructor("return process")())',
  '$process',
  '$require("fs")',
  '$fetch("http://127.0.0.1")',
])('%s gives nothing: expressions cannot access files, network or environment', (source) => {
  const result = compileExpression(source).begin()({ a: '1' }, {});
  expect('value' in result ? result.value : undefined).toBeUndefined();
});

test('the rows of a record are weighed once, although each of its variants is given all of them', () => {
  let reads = 0;
  const row = {
    get sku() {
      reads++;
      return 'A';
    },
  };
  const evaluate = compileExpression('$count($rows) > 1 ? sku').begin();
  const rows = [row, row];
  const readsOf = (cells: JsonObject) => {
    reads = 0;
    expect(evaluate(cells, { rows })).toEqual({ value: 'B' });
    return reads;
  };
  expect(readsOf({ sku: 'B' })).toBeGreaterThan(0);
  expect(readsOf({ sku: 'B' })).toBe(0);
});
