import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readReports, storeport, temporaryFolder } from '../../support/run.ts';

const LONG = '9007199254740993';
const MAPPING = {
  resource: 'products',
  fields: { name: 'name', reference: 'reference', productType: { const: 'PHYSICAL' } },
};

/** The outcome of each record of a file, with its code and message. */
async function checked(file: string, text: string, mapping?: object) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, file), text);
  if (mapping) writeFileSync(join(cwd, 'mine.yaml'), JSON.stringify(mapping));
  const named = mapping ? ['--mapping', './mine.yaml'] : [];
  const { stderr } = await storeport(['validate', 'products', file, '--out', 'out', ...named], { cwd });
  return { stderr, ...readReports(join(cwd, 'out')) };
}

test('a number with more digits than a double is an issue in number fields, and text elsewhere', async () => {
  const header = 'name,reference,productType,price.salePrice\n';
  const csv = await checked(
    'in.csv',
    `${header}A,${LONG},PHYSICAL,5\nB,b,PHYSICAL,${LONG}\nC,c,PHYSICAL,9007199254740992\n`,
  );
  expect(csv.results).toMatchObject([
    { key: LONG, outcome: 'planned' },
    {
      code: 'not-a-number',
      message: expect.stringContaining(`"${LONG}" has more digits than a number can hold`),
    },
    { outcome: 'planned' },
  ]);
  const item = (reference: string, price: string) =>
    `{"name":"A","reference":${reference},"productType":"PHYSICAL","price":{"salePrice":${price}}}\n`;
  const json = await checked('in.ndjson', item(LONG, '5') + item('"b"', LONG) + item('"c"', '1e400'));
  expect(json.results).toMatchObject([
    { key: LONG, outcome: 'planned' },
    { code: 'wrong-type', message: expect.stringContaining(`found "${LONG}"`) },
    { code: 'wrong-type', message: expect.stringContaining('found "1e400"') },
  ]);
});

test('JSON cells and expressions keep all digits of a long number', async () => {
  const fields = {
    ...MAPPING.fields,
    sizes: { from: 'j', json: true },
    model: { expression: 'n' },
    'price.salePrice': { expression: '$number(n)' },
  };
  const text = `name,reference,j,n\nA,a,"{""id"":${LONG}}",5\nB,b,{},${LONG}\n`;
  const { results } = await checked('in.csv', text, { ...MAPPING, fields });
  expect(results).toMatchObject([
    { outcome: 'planned' },
    { code: 'expression-failed', message: expect.stringContaining('has more digits than a number can hold') },
  ]);
});

test('a long number in a mapping is refused with a hint to quote it', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'mine.yaml'), `resource: products\nfields:\n  reference: { const: ${LONG} }\n`);
  const { code, stderr } = await storeport(['mapping', 'check', './mine.yaml'], { cwd });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(
      `line 3, column 23: ${LONG} has more digits than a number can hold: write it in quotes.`,
    ),
  ]);
});
