import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { questionText, runSuggest } from '../../../src/pipeline/suggest/index.ts';
import { resourceNamed } from '../../../src/resources/index.ts';
import { storeport, temporaryFolder } from '../../support/run.ts';

const FIGURES = Array.from({ length: 20 }, (_, n) => `A${n},Tea ${n},${n}.50`);

/** Suggests a mapping of products. Questions that contain one of the words are answered with yes. */
async function asking(lines: readonly string[], ...yes: string[]) {
  const file = join(temporaryFolder(), 'shop.csv');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const asked: string[] = [];
  const suggested = await runSuggest({
    file,
    resources: [resourceNamed('products')],
    read: {},
    ask: async (question) => {
      const text = questionText(question);
      asked.push(text);
      return yes.some((word) => text.includes(word));
    },
  });
  return { asked, ...suggested };
}

describe('rows that are no records', () => {
  const lines = ['SKU,Name,Price', ...FIGURES, 'TOTAL,,210.00'];

  test('a row of totals is shown with what it says and lacks, and a yes leaves it out', async () => {
    const { asked, text, records, valid } = await asking(lines, 'TOTAL');
    expect(asked).toEqual([
      'Nearly all rows have a cell in Name. Row 22 does not, and says "TOTAL". Leave it out?',
    ]);
    expect(text).toContain('skip: [ { when: { SKU: TOTAL } } ]');
    expect({ records, valid }).toEqual({ records: 20, valid: 20 });
  });

  test('a row of totals stays with a no, and has an issue', async () => {
    const { text, records, valid } = await asking(lines, 'Use Name');
    expect(text).not.toContain('skip');
    expect({ records, valid }).toEqual({ records: 21, valid: 20 });
  });

  test('rows that repeat the header are one question', async () => {
    const again = ['SKU,Name,Price', ...FIGURES, 'SKU,Name,Price', ...FIGURES.map((line) => `B${line}`)];
    const { asked } = await asking([...again, 'SKU,Name,Price'], 'header');
    expect(asked).toEqual(['Rows 22, 43 each repeats the header. Leave them out?']);
  });
});

describe('rows that belong together', () => {
  const lines = [
    'Style,Name,Size,Price',
    'T1,Tee,S,12.00',
    'T1,Tee,M,12.00',
    'T2,Hat,S,9.50',
    'T2,Hat,M,9.50',
  ];

  test('rows of a group are shown with their text, and are one record with a yes', async () => {
    const { asked, draft, records } = await asking(lines, 'belong together');
    expect(asked[0]).toBe(
      'Rows 2, 3 belong together by "T1" in Style; 2 of 2 records have several rows like that. Are such rows one record?',
    );
    expect(draft.group).toEqual({ by: 'Style' });
    expect(records).toBe(2);
  });

  test('rows of a group are a record each with a no', async () => {
    const { draft, records } = await asking(lines);
    expect(draft.group).toBeUndefined();
    expect(records).toBe(4);
  });
});

describe('numbers that can be read in two ways', () => {
  const lines = ['SKU,Titel,Preis', 'A1,Tee,1.200', 'A2,Kaffee,2.300', 'A3,Kakao,3.450'];

  test.each([
    ['Is it 1200?', { from: 'Preis', number: 'german' }, 1],
    ['Is it 1.2?', { from: 'Preis', number: 'english' }, 2],
  ])('numbers are read as the answer says: %s', async (yes, rule, questions) => {
    const { asked, draft } = await asking(lines, yes);
    expect(asked).toHaveLength(questions);
    expect(asked.at(-1)).toBe(`Preis has "1.200" in row 2, which can be read in two ways. ${yes}`);
    expect(draft.fields.find(({ field }) => field === 'price.salePrice')?.rule).toEqual(rule);
  });

  test('numbers are left out if neither reading is confirmed', async () => {
    const { asked, draft } = await asking(lines);
    expect(asked).toHaveLength(2);
    expect(draft.fields.map(({ field }) => field)).not.toContain('price.salePrice');
  });
});

describe('amounts in several currencies', () => {
  const inCells = ['SKU,Name,Price', 'A,Tea,€ 10.00', 'B,Cup,$ 12.00', 'C,Pot,€ 14.00', 'D,Jar,$ 16.00'];
  const inColumn = [
    'SKU,Name,Price,Currency',
    'A,Tea,10,EUR',
    'B,Cup,12,USD',
    'C,Pot,14,EUR',
    'D,Jar,16,USD',
  ];

  test.each([
    ['cells', inCells, 'EUR', { from: 'Price', number: { currency: '€' } }],
    ['cells', inCells, '$', { from: 'Price', number: { currency: '$' } }],
    ['a column', inColumn, 'USD', { from: 'Price', number: true, when: { Currency: ['USD'] } }],
  ])('of %s, the one that is the currency of the store is used', async (_, lines, code, rule) => {
    const { asked, draft } = await asking(lines, `Is ${code} the currency`, 'Use ');
    const question =
      /has ".*" in row [23], and other rows have another currency\. Is \S+ the currency of the store\?$/;
    expect(asked.filter((text) => question.test(text))).toHaveLength(code === 'EUR' ? 1 : 2);
    const price = draft.fields.find(({ field }) => field === 'price.salePrice');
    expect([price?.rule].flat().at(-1)).toEqual(rule);
  });

  test.each([
    ['cells', inCells],
    ['a column', inColumn],
  ])('of %s, none is used if neither is confirmed', async (_, lines) => {
    const { asked, draft } = await asking(lines);
    expect(asked).toHaveLength(2);
    expect(draft.fields.map(({ field }) => field)).not.toContain('price.salePrice');
  });

  test('a column of currencies is not asked about if there are no amounts', async () => {
    const { asked } = await asking(['SKU,Name,Currency', 'A,Tea,EUR', 'B,Cup,USD', 'C,Pot,EUR', 'D,Jar,USD']);
    expect(asked.filter((text) => text.includes('currency of the store'))).toEqual([]);
  });
});

describe('prices that are left out on the safe side', () => {
  const sales = [
    'SKU,Name,Price,Sale price,Zzz',
    'A,Tea,10,8,2026-12-31',
    'B,Cup,12,,',
    'C,Pot,14,9,2020-10-31',
    'D,Jar,16,,',
  ];
  const packs = [
    'SKU,Name,Price,Price unit',
    'A,Screw,12.50,100',
    'B,Saw,24.90,1',
    'C,File,9.90,1',
    'D,Nail,8.90,1000',
  ];

  test.each([
    [
      sales,
      'Zzz has "2026-12-31" in row 2. Is Sale price the price today, wherever it has one?',
      'Sale price',
    ],
    [packs, 'Price unit has "100" in row 2. Is Price the price of one piece all the same?', 'Price'],
  ])('they are used with a yes, and stay out with a no', async (lines, question, column) => {
    const price = ({ draft }: Awaited<ReturnType<typeof asking>>) =>
      draft.fields.find(({ field }) => field === 'price.salePrice');
    const yes = await asking(lines, question);
    expect(yes.asked[0]).toBe(question);
    expect(price(yes)?.columns[0]).toBe(column);
    expect(JSON.stringify(price(yes)?.rule)).not.toMatch(/Zzz|Price unit/);
    const no = await asking(lines, 'Use ');
    expect(no.asked[0]).toBe(question);
    expect(price(no)).toMatchObject({ columns: ['Price'] });
  });
});

describe('words among numbers', () => {
  const lines = [
    'SKU,Name,Price',
    ...FIGURES,
    'A20,Tea 20,on request (call)',
    'A21,Tea 21,on request (call)',
  ];

  test('words are shown with their rows, and leave the field out with a yes', async () => {
    const { asked, valid, draft } = await asking(lines, 'on request');
    expect(asked).toEqual([
      'Price has "on request (call)" in rows 22, 23, which is no number. Leave price.salePrice out there? Otherwise these records are invalid.',
    ]);
    expect(valid).toBe(22);
    expect(draft.fields.at(-1)).toMatchObject({
      rule: { from: 'Price', replace: { match: '^(on request \\(call\\))$' }, number: true },
      doubt: undefined,
    });
  });

  test('words make their records invalid with a no, and the comment offers the step', async () => {
    const { valid, text } = await asking(lines);
    expect(valid).toBe(20);
    expect(text).toContain("add replace: { match: '^(on request \\(call\\))$' }");
  });

  test('words of many kinds are not offered', async () => {
    const many = Array.from({ length: 6 }, (_, n) => `B${n},Tea,ask ${'abcdef'[n]}`);
    const { asked, text } = await asking(['SKU,Name,Price', ...FIGURES, ...many], 'nothing');
    expect(asked.filter((each) => each.includes('no number'))).toEqual([]);
    expect(text).not.toContain('replace');
  });
});

test('an uncertain column is shown with cells and their rows', async () => {
  const { asked } = await asking(
    ['Item No.;Item Description', '1000;Bicycle', '1001;Touring bicycle'],
    'name',
  );
  expect(asked).toEqual(['Use Item Description for name? Row 2 has "Bicycle", row 3 "Touring bicycle".']);
});

test('the command that asks writes no file that exists', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'shop.csv'), 'SKU,Titel,Preis\nA1,Tee,1.200\nA2,Kaffee,2.300\n');
  const { stderr } = await storeport(['mapping', 'suggest', 'products', 'shop.csv', '--out', 'm.yaml'], {
    cwd,
  });
  const [, printed = ''] = /only you can decide: storeport (.*)/.exec(stderr) ?? [];
  expect(printed).toContain('--ask');
  expect(printed).not.toContain('m.yaml');
  expect((await storeport(printed.split(' '), { cwd })).stderr).toContain('no terminal to ask on');
});

test('without a terminal, the questions are in the JSON, and the command that asks them is named', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'shop.csv'), 'SKU,Titel,Preis\nA1,Tee,1.200\nA2,Kaffee,2.300\n');
  const args = ['mapping', 'suggest', 'products', 'shop.csv'];
  const { stderr } = await storeport(args, { cwd });
  expect(stderr).toContain(
    'To answer what only you can decide: storeport mapping suggest products shop.csv --ask\n',
  );
  const { stdout } = await storeport([...args, '--json'], { cwd });
  expect(JSON.parse(stdout).questions).toEqual([
    'Preis has "1.200" in row 2, which can be read in two ways. Is it 1200?',
    'Preis has "1.200" in row 2, which can be read in two ways. Is it 1.2?',
  ]);
});

test('words are not offered for a group, whose variants read the same cells', async () => {
  const rows = FIGURES.flatMap((line) => [`${line},S`, `${line},M`]);
  const { asked, text } = await asking(['Style,Name,Price,Size', ...rows, 'B1,Tea,on request,S'], 'together');
  expect(asked.filter((each) => each.includes('no number'))).toEqual([]);
  expect(text).not.toContain('replace');
});

describe('another table in the same file', () => {
  const below = ['SKU,Name,Price', ...FIGURES, '', 'SKU,Supplier,', 'S1,Acme,', 'S2,Bazaar,'];

  test('a table below a blank row is left out by the mapping, and counted when the file is checked', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'shop.csv'), `${below.join('\n')}\n`);
    const suggested = await storeport(['mapping', 'suggest', 'products', 'shop.csv', '--out', 'm.yaml'], {
      cwd,
    });
    expect(suggested.stderr).toContain('Left out: rows 23, 24, 25, since another table begins there.');
    const { stdout } = await storeport(
      ['validate', 'products', 'shop.csv', '--mapping', './m.yaml', '--json'],
      { cwd },
    );
    expect(JSON.parse(stdout)).toMatchObject({
      outcomes: { planned: 20 },
      files: [{ left_out_rows: 3 }],
      exit_code: 0,
    });
  });

  test('a table with other names is left out too, if its rows lack what the others have', async () => {
    const { asked } = await asking([
      'SKU,Name,Price',
      ...FIGURES.slice(0, 4),
      ',,',
      'Shop,Street,',
      'Lyon,Rue A,',
      'Paris,Rue B,',
    ]);
    expect(asked[0]).toBe('Below a blank row, another table seems to begin: rows 7, 8, 9. Leave them out?');
  });

  test('rows below a blank row that have what the others have are records', async () => {
    const { records } = await asking(
      ['SKU,Name,Price', ...FIGURES.slice(0, 4), ',,', 'X,Tea,on request', 'B1,Cup,3.00'],
      'Use ',
    );
    expect(records).toBe(6);
  });

  test('a table below a blank row is asked about, and stays with a no', async () => {
    const { asked, records, text } = await asking(below, 'Use ');
    expect(asked[0]).toBe(
      'Below a blank row, another table seems to begin: rows 23, 24, 25. Leave them out?',
    );
    expect(records).toBe(23);
    expect(text).not.toContain('until-blank-row');
  });

  test('a table is not cut off if an earlier blank row would be the end', async () => {
    const { text } = await asking([...below.slice(0, 5), '', ...below.slice(5)], 'Leave');
    expect(text).not.toContain('until-blank-row');
  });

  test('a table beside an empty column gives no fields, and is named', async () => {
    const beside = FIGURES.map((line, n) => (n < 3 ? `${line},,Acme ${n},France` : `${line},,,`));
    const { draft, skipped } = await asking(['SKU,Name,Price,,Supplier,Country', ...beside], 'Use ');
    expect(draft.fields.map(({ field }) => field)).toEqual(['name', 'reference', 'price.salePrice']);
    expect(skipped).toEqual([
      'Left out: Supplier, Country, since an empty column sets them apart, as another table.',
    ]);
  });

  test('no table is seen in columns that an empty one sets apart from records of the same length', async () => {
    const apart = FIGURES.map((line, n) => `${line},,Acme ${n}`);
    const { skipped, draft } = await asking(['SKU,Name,Price,,Supplier', ...apart], 'Use ');
    expect(skipped).toEqual([]);
    expect(draft.fields.some(({ columns }) => columns.includes('Supplier'))).toBe(true);
  });

  test.each([5, 12])('a last row of %i that lacks a supplier makes no other table', async (count) => {
    const rows = FIGURES.slice(0, count).map((line, n) => `${line},,${n < count - 1 ? `Acme ${n}` : ''}`);
    const { skipped } = await asking(['SKU,Name,Price,,Supplier', ...rows], 'Use ');
    expect(skipped).toEqual([]);
  });
});
