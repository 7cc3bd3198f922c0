import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { environmentOf, readReports, storeport, temporaryFolder } from '../../support/run.ts';

function folderWith(files: Record<string, string>): string {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return cwd;
}

/** Damage marks as `code column rows`. */
function suspiciousIn(cwd: string): string[] {
  const { files } = readReports(join(cwd, 'out')).summary as {
    files: { suspicious?: { code: string; column: string; cells: { row: number; text: string }[] }[] }[];
  };
  return files.flatMap(({ suspicious = [] }) =>
    suspicious.map(
      ({ code, column, cells }) =>
        `${code} ${column} ${cells.map(({ row, text }) => `${row}: ${text}`).join(', ')}`,
    ),
  );
}

test('unusable values are issues, and words for no value are suspect in optional fields', async () => {
  const rows = [
    'Eve,Lee,eve@@example.com,,x',
    'Max,Ax,max at x,,NULL',
    'NULL,Doe,a@b.example,,',
    'Jim,Low,,NULL,',
    'Kim,Low,k@x.example,NULL, #N/A ',
    'Joe,Null,j@x.example,,Nothing',
  ];
  const cwd = folderWith({ 'c.csv': `firstname,lastname,email,phone,note\n${rows.join('\n')}\n` });
  const args = ['validate', 'customers', 'c.csv', '--out', 'out'];
  expect((await storeport(args, { cwd })).code).toBe(1);
  const { results, summary } = readReports(join(cwd, 'out'));
  expect(summary.outcomes).toEqual({ invalid: 4, planned: 2 });
  expect(results.filter(({ code }) => code !== '').map(({ row, code, field }) => [row, code, field])).toEqual(
    [
      ['2', 'not-a-mail-address', 'email'],
      ['3', 'not-a-mail-address', 'email'],
      ['4', 'no-value', 'firstname'],
      ['5', 'no-value', 'phone'],
    ],
  );
  expect(suspiciousIn(cwd)).toEqual([
    'null-word note 3: NULL',
    'null-word firstname 4: NULL',
    'null-word phone 5: NULL, 6: NULL',
    'formula-error note 6: #N/A',
  ]);
  // Masked contacts are valid; the values of the file are not.
  await storeport([...args, '--mask-contacts'], { cwd });
  expect(readReports(join(cwd, 'out')).summary.outcomes).toEqual({ invalid: 4, planned: 2 });
});

test('JSON objects are checked for unusable values', async () => {
  const items = [
    { name: 'A', reference: 'A1', description: 'NULL', price: { salePrice: -3 } },
    { name: 'B', reference: 'B1', tags: ['#N/A', 'x'], model: null },
  ];
  const cwd = folderWith({ 'j.json': JSON.stringify(items) });
  await storeport(['validate', 'products', 'j.json', '--out', 'out'], { cwd });
  expect(readReports(join(cwd, 'out')).results[0]).toMatchObject({ code: 'below-zero' });
  expect(suspiciousIn(cwd)).toEqual(['null-word description 1: NULL', 'formula-error tags[] 2: #N/A']);
});

test.each(['json', 'ndjson', 'csv'])(
  'a name "null" is data in JSON, and refused in a table: %s',
  async (format) => {
    const items = ['null', 'NULL', 'None', 'nan'].map((name, n) => ({ name, reference: `R-${n}` }));
    const text = {
      json: JSON.stringify(items),
      ndjson: items.map((item) => JSON.stringify(item)).join('\n'),
      csv: `name,reference\n${items.map(({ name, reference }) => `${name},${reference}`).join('\n')}\n`,
    };
    const cwd = folderWith({ [`in.${format}`]: text[format as keyof typeof text] });
    await storeport(['validate', 'products', `in.${format}`, '--out', 'out'], { cwd });
    const isTable = format === 'csv';
    expect(readReports(join(cwd, 'out')).summary.outcomes).toEqual({ [isTable ? 'invalid' : 'planned']: 4 });
    expect(suspiciousIn(cwd)[0]).toMatch(/^null-word name /);
  },
);

test('a key that means "no value" is an issue', async () => {
  const order = '"{""firstname"":""A""}","[{""quantity"":1}]"';
  const cwd = folderWith({ 'o.csv': `_key,customer,details\n#N/A,${order}\nO-1,${order}\n` });
  await storeport(['validate', 'orders', 'o.csv', '--out', 'out'], { cwd });
  const { results } = readReports(join(cwd, 'out'));
  expect(results.map(({ outcome, code }) => [outcome, code])).toEqual([
    ['invalid', 'no-value'],
    ['planned', ''],
  ]);
});

test('variants of one product with the same SKU are reported with both rows', async () => {
  const mapping = {
    resource: 'products',
    group: { by: 'H' },
    fields: { reference: 'H', name: 'T', variants: { each: 'row', fields: { reference: 'S' } } },
  };
  const cwd = folderWith({
    'm.json': JSON.stringify(mapping),
    'p.csv': 'H,T,S\na,Tee,S1\na,Tee,\na,Tee,S1\na,Tee,\nb,Cap,S1\nb,Cap,S2\n',
  });
  const ended = await storeport(['validate', 'products', 'p.csv', '--mapping', 'm.json', '--out', 'out'], {
    cwd,
  });
  expect(ended.code).toBe(0);
  expect(suspiciousIn(cwd)).toEqual(['same-sku S 4: S1, as row 2']);
});

test('texts that cannot be what their field is for are suspect, with column and row', async () => {
  const rows = [
    'a@b.example,none,75001,FR,0171 1234567',
    'b@b.example,0171 1234567,unknown,Germany,ask',
    'c@b.example,,K1A 0B1,uk,0',
    'd@b.example,NULL,,XX,',
    'e@exmaple,abc,none,none,none',
  ];
  const mapping = {
    resource: 'customers',
    fields: {
      ...{ firstname: { const: 'A' }, lastname: { const: 'B' }, email: 'Mail', phone: 'Phone' },
      ...{ 'address.zip': 'Zip', 'address.country.code': 'Land', 'address.phone': 'Phone 2' },
    },
  };
  const cwd = folderWith({
    'm.json': JSON.stringify(mapping),
    'c.csv': `Mail,Phone,Zip,Land,Phone 2\n${rows.join('\n')}\n`,
  });
  const args = ['validate', 'customers', 'c.csv', '--mapping', './m.json', '--out', 'out'];
  const ended = await storeport(args, { cwd });
  expect(ended.stderr).not.toContain('Error');
  expect(suspiciousIn(cwd)).toEqual([
    'not-a-phone-number Phone 2: none, 6: abc',
    'not-a-phone-number Phone 2 3: ask, 4: 0, 6: none',
    'not-a-postcode Zip 3: unknown, 6: none',
    'not-a-country-code Land 3: Germany, 5: XX, 6: none',
    'null-word Phone 5: NULL',
  ]);
  expect(readReports(join(cwd, 'out')).summary.outcomes).toEqual({ planned: 4, invalid: 1 });
});

test('a code of a currency that no country has is suspect', async () => {
  const item = { name: 'A', reference: 'A1', currencies: [{ currency: 'dzd' }, { currency: 'Euro' }] };
  const cwd = folderWith({ 'j.json': JSON.stringify([item]) });
  await storeport(['validate', 'products', 'j.json', '--out', 'out'], { cwd });
  expect(suspiciousIn(cwd)).toEqual(['not-a-currency-code currencies.1.currency 1: Euro']);
});

test('variants that nobody can choose are reported by column and row, and are sent', async () => {
  const mapping = {
    resource: 'products',
    group: { by: 'H' },
    fields: {
      reference: 'H',
      name: 'T',
      options: {
        each: { n: [1] },
        fields: {
          name: { const: 'Size' },
          values: { each: { v: { from: 'V', split: ',' } }, fields: { value1: '{v}' } },
        },
      },
      variants: { each: 'row', fields: { reference: 'S', 'option1.name': 'N', 'option1.value1': 'O' } },
    },
  };
  const cwd = folderWith({
    'm.json': JSON.stringify(mapping),
    'p.csv': 'H,T,V,S,N,O\na,Tee,"S,M",S1,Size,S\na,,,S2,Size,M\na,,,S3,Size,S\nb,Cap,"S,M",S4,Fit,S\n',
  });
  const ended = await storeport(['validate', 'products', 'p.csv', '--mapping', 'm.json', '--out', 'out'], {
    cwd,
  });
  expect(ended.code).toBe(0);
  expect(suspiciousIn(cwd)).toEqual(['same-options O 4: S, as row 2', 'no-such-option O 5: S']);
  expect(ended.stdout).toContain('1 × same-options, column "O": row 4 (S, as row 2)');
});

describe('capitals in mail addresses', () => {
  const header = 'firstname,lastname,email,address.address1\n';
  test('a mail address in other capitals is a duplicate in one file, and names the first', async () => {
    const cwd = folderWith({ 'c.csv': `${header}Ann,Lee,ANN@x.example,\nAnn,Lee,ann@X.example,\n` });
    await storeport(['validate', 'customers', 'c.csv', '--out', 'out'], { cwd });
    const { results } = readReports(join(cwd, 'out'));
    expect(results.map(({ outcome, key }) => [outcome, key])).toEqual([
      ['planned', 'ANN@x.example'],
      ['duplicate', 'ann@X.example'],
    ]);
    expect(results[1]?.message).toContain('"ann@X.example" is already in row 2');
  });

  test.each([
    ['ANN@x.example', 'ann@x.example'],
    ['ann@x.example', 'ANN@x.example'],
    ['ANN@x.example', 'Ann@X.example'],
  ])(
    'a mail address in other capitals is the same customer in two runs: %s, then %s',
    async (first, then) => {
      const sandbox = await startSandbox();
      try {
        const cwd = folderWith({
          'a.csv': `${header}Ann,Lee,${first},\n`,
          'b.csv': `${header}Ann,Lee,${then},\n`,
        });
        const to = { cwd, env: environmentOf(sandbox) };
        await storeport(['import', 'customers', 'a.csv', '--out', 'out'], to);
        expect(readReports(join(cwd, 'out')).summary.outcomes).toEqual({ created: 1 });
        await storeport(['import', 'customers', 'b.csv', '--out', 'out2'], to);
        expect(readReports(join(cwd, 'out2')).summary.outcomes).toEqual({ unchanged: 1 });
      } finally {
        await sandbox.close();
      }
    },
  );

  test('a reference in other capitals is another product', async () => {
    const cwd = folderWith({ 'p.csv': 'name,reference\nA,a@1\nB,A@1\n' });
    await storeport(['validate', 'products', 'p.csv', '--out', 'out'], { cwd });
    expect(readReports(join(cwd, 'out')).summary.outcomes).toEqual({ planned: 2 });
  });
});
