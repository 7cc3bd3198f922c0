import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import iconv from 'iconv-lite';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { environmentOf, readReports, readTable, storeport, temporaryFolder } from '../../support/run.ts';

let cwd: string;
let sandbox: Sandbox;
beforeEach(() => {
  cwd = temporaryFolder();
});

const MAPPING = `resource: products
group: { by: SKU }
fields:
  reference: SKU
  name: Name
  price.salePrice: { from: Price, number: true }
  variants: { each: row, fields: { name: Size, price.salePrice: { from: Price, number: true } } }
`;

/** Rows with each damage that is invisible in a rewritten file, a group with such a row, and a merely invalid row. */
const FILE = Buffer.concat([
  Buffer.from('SKU,Name,Size,Price\nA1,Widget, large,5,4.50\nA2,Short\nA3,"Mug" blue,M,7\n'),
  Buffer.from('A4,Caf\xe9 =1,S,12.50\n', 'latin1'),
  Buffer.from('A5,"Open,S,7\nA6,Tea,S,3\nA6,,M\nA7,=HYPERLINK("x"),S,abc\nA8,Sound,S,0017\n'),
]);
const CODES = [
  ...['ragged-row', 'ragged-row', 'text-after-quote', 'bad-bytes', 'unterminated-quote'],
  ...['ragged-row', 'not-a-number'],
];

const run = (...args: string[]) => storeport(args, { cwd, env: sandbox ? environmentOf(sandbox) : {} });

/** The codes of the records that `validate` refuses in this file. */
async function refused(file: string, ...more: string[]): Promise<string[]> {
  await run('validate', 'products', file, '--mapping', './m.yaml', '--out', 'again', ...more);
  const { results } = readReports(join(cwd, 'again'));
  return results.filter(({ outcome }) => outcome !== 'planned').map(({ code }) => code ?? '');
}

/** Ways in which programs rewrite a table. */
const REWRITTEN = {
  unchanged: undefined,
  'with its columns in another order, and without the empty ones': (rows: Row[]) =>
    stringify(
      rows.map((row) => Object.fromEntries(Object.entries(row).reverse())),
      { header: true },
    ),
  'trimmed, all cells quoted, in another dialect and encoding': (rows: Row[]) =>
    iconv.encode(
      stringify(
        rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell.trim()]))),
        { header: true, delimiter: ';', record_delimiter: '\r\n', quoted: true },
      ),
      'utf16le',
      { addBOM: true },
    ),
  'with numbers as a spreadsheet shows them, in an encoding without the sign for a lost letter': (
    rows: Row[],
  ) =>
    iconv.encode(
      stringify(
        rows.map((row) => ({
          ...row,
          Price: row.Price === '' ? '' : String(Number(row.Price) || row.Price),
        })),
        { header: true },
        // As spreadsheets do. iconv-lite writes a byte that the encoding does not have.
      ).replaceAll('\uFFFD', '?'),
      'windows-1252',
    ),
};

type Row = Record<string, string>;

describe.each([
  ['validate', ['validate', '--out', 'one'], 'one/errors.csv'],
  ['clean', ['clean', '--out', 'good.csv', '--rejects', 'bad.csv'], 'bad.csv'],
  ['an import into a sandbox', ['import', '--sandbox', '--out', 'one'], 'one/errors.csv'],
] as const)('uncorrected rows from %s', (_what, [command, ...options], file) => {
  beforeEach(async () => {
    writeFileSync(join(cwd, 'm.yaml'), MAPPING);
    writeFileSync(join(cwd, 'in.csv'), FILE);
    await run(command, 'products', 'in.csv', '--mapping', './m.yaml', '--encoding', 'utf-8', ...options);
  });

  test.each(Object.entries(REWRITTEN))('uncorrected rows are refused again: %s', async (_how, rewrite) => {
    if (rewrite) writeFileSync(join(cwd, 'back.csv'), rewrite(readTable(join(cwd, file))));
    expect(await refused(rewrite ? 'back.csv' : file)).toEqual(CODES);
    // And once more from there.
    expect(await refused('again/errors.csv')).toEqual(CODES);
  });
});

describe('rows reimported after an import', () => {
  beforeEach(async () => {
    sandbox = await startSandbox();
    writeFileSync(join(cwd, 'm.yaml'), MAPPING);
    writeFileSync(join(cwd, 'in.csv'), FILE);
    await run('import', 'products', 'in.csv', '--mapping', './m.yaml', '--encoding', 'utf-8', '--out', 'one');
    return () => sandbox.close();
  });
  const errors = () => readTable(join(cwd, 'one/errors.csv'));
  const back = (change: (row: Row) => Row) =>
    writeFileSync(join(cwd, 'back.csv'), stringify(errors().map(change), { header: true }));
  const importing = async (...more: string[]) => {
    const ended = await run(
      'import',
      'products',
      'back.csv',
      '--mapping',
      './m.yaml',
      '--out',
      'two',
      ...more,
    );
    return { ...ended, ...readReports(join(cwd, 'two')) };
  };

  test('an uncorrected row is refused by another ledger, and by its own without the message', async () => {
    back((row) => row);
    expect((await importing('--home', 'other')).results.map(({ code }) => code)).toEqual(CODES);
    back(({ storeport_message: _, ...row }) => row);
    expect((await importing()).results.map(({ code }) => code)).toEqual(CODES);
  });

  test('a damaged cell holds its row while only other cells are corrected, also once more', async () => {
    const inCell = ['text-after-quote', 'bad-bytes', 'unterminated-quote'];
    const other = (row: Row, price: string) =>
      inCell.includes(row.storeport_code ?? '')
        ? { ...row, SKU: `B${row.SKU}`, Size: 'XL', Price: price }
        : row;
    back((row) => other(row, '8'));
    expect((await importing()).results.map(({ code }) => code)).toEqual(CODES);
    const again = readTable(join(cwd, 'two/errors.csv')).map((row) => other(row, '9'));
    writeFileSync(join(cwd, 'back.csv'), stringify(again, { header: true }));
    expect((await importing('--home', 'other')).results.map(({ code }) => code)).toEqual(CODES);
    back(({ storeport_message: _, ...row }) => other(row as Row, '8'));
    expect((await importing()).results.map(({ code }) => code)).toEqual(CODES);
    expect(
      (sandbox.records('products') as { reference: string }[]).map(({ reference }) => reference),
    ).toEqual(['A8']);
  });

  test('a corrected row is accepted, with formulas as in the source', async () => {
    const right: Record<string, Row> = {
      A1: { Name: 'Widget, large', Size: '5', Price: '4.50', storeport_surplus: '' },
      A2: { Name: 'Short', Price: '1' },
      A3: { Name: '"Mug" blue', Size: 'M', Price: '7' },
      A4: { Name: 'Café =1' },
      A5: { Name: 'Open', Size: 'S', Price: '7' },
      A7: { Price: '2' },
    };
    back((row) => ({
      ...row,
      ...right[row.SKU ?? ''],
      ...(row.SKU === 'A6' && row.Size === 'M' ? { Price: '3' } : {}),
    }));
    const { code, results } = await importing();
    expect([code, results.map(({ outcome }) => outcome)]).toEqual([0, results.map(() => 'created')]);
    const names = (sandbox.records('products') as { reference: string; name: string }[]).map(
      ({ reference, name }) => [reference, name],
    );
    expect(Object.fromEntries(names)).toMatchObject({
      A1: 'Widget, large',
      A7: '=HYPERLINK("x")',
      A6: 'Tea',
    });
  });

  test('an uncorrected row is accepted if its code cell is cleared', async () => {
    back((row) => (row.SKU === 'A2' ? { ...row, storeport_code: '' } : row));
    const { results } = await importing();
    expect(results.find(({ key }) => key === 'A2')?.outcome).toBe('created');
    expect(results.filter(({ outcome }) => outcome === 'invalid')).toHaveLength(CODES.length - 1);
  });

  test('an uncorrected row keeps its cells without a column', async () => {
    back((row) => row);
    const { errors: again } = await importing();
    expect(again.find(({ SKU }) => SKU === 'A1')).toMatchObject({
      storeport_surplus: '4.50',
      storeport_message: expect.stringContaining('[ragged-row '),
    });
  });

  test('a row is held until its surplus cells are empty, whatever else was corrected', async () => {
    back((row) => (row.SKU === 'A1' ? { ...row, Name: 'Tea', Price: '5', storeport_code: '' } : row));
    const { results, errors: again } = await importing();
    expect(results.find(({ key }) => key === 'A1')).toMatchObject({
      ...{ outcome: 'invalid', code: 'ragged-row' },
      message: expect.stringContaining('column "storeport_surplus": "4.50" belongs to no column'),
    });
    expect(again.find(({ SKU }) => SKU === 'A1')).toMatchObject({ Name: 'Tea', storeport_surplus: '4.50' });
    expect(JSON.stringify(sandbox.records('products'))).not.toContain('"A1"');

    const rows = again.map((row) => (row.SKU === 'A1' ? { ...row, storeport_surplus: '' } : row));
    writeFileSync(join(cwd, 'back.csv'), stringify(rows, { header: true }));
    expect((await importing()).results.find(({ key }) => key === 'A1')?.outcome).toBe('created');
  });

  test('a row is accepted as it is once its surplus cells are empty', async () => {
    back((row) => (row.SKU === 'A1' ? { ...row, storeport_surplus: ' ' } : row));
    expect((await importing()).results.find(({ key }) => key === 'A1')?.outcome).toBe('created');
  });

  test('a file that lacks the column of surplus cells does not show that they were emptied', async () => {
    back(({ storeport_surplus: _, storeport_message: __, ...row }) => row);
    expect((await importing()).results.find(({ key }) => key === 'A1')).toMatchObject({
      ...{ outcome: 'invalid', code: 'ragged-row' },
    });
  });
});

describe('part of a group with rows elsewhere', () => {
  const HEADER =
    'SKU,Name,Size,Price,storeport_run,storeport_row,storeport_outcome,storeport_code,storeport_field,storeport_message';
  const part = (cells: string, code = 'group-split', id = 'r1') =>
    `${cells},${id},4,invalid,${code},,"""tee"" began in row 2 and is in row 4 again, with others between"`;

  /** Outcomes of the records of these lines in `validate`. */
  async function endings(...lines: string[]): Promise<(string | undefined)[]> {
    writeFileSync(join(cwd, 'm.yaml'), MAPPING);
    writeFileSync(join(cwd, 'back.csv'), [HEADER, ...lines, ''].join('\n'));
    await run('validate', 'products', 'back.csv', '--mapping', './m.yaml', '--out', 'again');
    const { results } = readReports(join(cwd, 'again'));
    return results.map(({ outcome, code }) => code || outcome);
  }

  test('a part of a split group is refused in every round, whatever was changed in it', async () => {
    expect(await endings(part('tee,Filled in,M,3'))).toEqual(['group-split']);
    const [message] = readReports(join(cwd, 'again')).errors.map((row) => row.storeport_message);
    expect(message).toMatch(/^"tee" began in other rows of the run r1, and these are only a part of it/);
    expect(await refused('again/errors.csv')).toEqual(['group-split']);
  });

  test.each([
    ['after its other rows', ['tee,Tee,S,2,,,,,,', part('tee,,M,3')]],
    ['with other reimported rows', [part('tee,Tee,S,2', 'required'), part('tee,,M,3')]],
    ['under another key', [part('tee-2,Another,M,3')]],
    ['if the user confirms that these are all rows', [part('tee,Tee,M,3', 'group-split', '')]],
  ])('a part of a split group is accepted %s', async (_how, lines) => {
    expect(await endings(...lines)).toEqual(['planned']);
  });
});

describe('corrected row with an already sent key', () => {
  beforeEach(async () => {
    sandbox = await startSandbox();
    writeFileSync(join(cwd, 'm.yaml'), MAPPING);
    return () => sandbox.close();
  });

  test.each([
    ['a row', [], 'duplicate', 'clear its cell in storeport_run'],
    ['a group', ['--mapping', './m.yaml'], 'invalid', 'import all its rows again from the source'],
  ] as const)(
    'a corrected row does not overwrite a record that its run sent: %s',
    async (_what, mapping, outcome, advice) => {
      const isGroup = mapping.length > 0;
      const header = isGroup ? 'SKU,Name,Price' : 'reference,name,price.salePrice';
      writeFileSync(join(cwd, 'in.csv'), `${header}\nT,Tea,3\nTypo,Other tea,abc\n`);
      await run('import', 'products', 'in.csv', '--out', 'one', ...mapping);
      const [row] = readTable(join(cwd, 'one/errors.csv')) as [Row];
      const key = isGroup ? { SKU: 'T', Price: '4' } : { reference: 'T', 'price.salePrice': '4' };
      writeFileSync(join(cwd, 'back.csv'), stringify([{ ...row, ...key }], { header: true }));
      await run('import', 'products', 'back.csv', '--out', 'two', ...mapping);
      const [result] = readReports(join(cwd, 'two')).results;
      expect(result?.outcome).toBe(outcome);
      expect(result?.message).toContain('has sent "T" from row 2');
      expect(result?.message).toContain(advice);
      expect((sandbox.records('products') as { name: string }[]).map(({ name }) => name)).toEqual(['Tea']);
      // It is sent if the user confirms that it replaces the other.
      const cleared = { ...row, ...key, storeport_run: '' };
      writeFileSync(join(cwd, 'back.csv'), stringify([cleared], { header: true }));
      await run('import', 'products', 'back.csv', '--out', 'three', ...mapping);
      expect(readReports(join(cwd, 'three')).results[0]?.outcome).toBe('updated');
    },
  );
});

test('a group reimported in two halves keeps the half that was sent', async () => {
  sandbox = await startSandbox();
  try {
    writeFileSync(join(cwd, 'm.yaml'), MAPPING);
    writeFileSync(join(cwd, 'in.csv'), 'SKU,Name,Size,Price\ntee,,S,1\ntee,,M,3\n');
    const importing = (file: string, out: string) =>
      run('import', 'products', file, '--out', out, '--mapping', './m.yaml');
    await importing('in.csv', 'one');
    const rows = readTable(join(cwd, 'one/errors.csv')).map((row) => ({ ...row, Name: 'Tee' }));
    const sizes = () =>
      (sandbox.records('products') as { variants: { name: string }[] }[]).map(({ variants }) =>
        variants.map(({ name }) => name).join(),
      );
    for (const [index, row] of rows.entries())
      writeFileSync(join(cwd, `half-${index}.csv`), stringify([row], { header: true }));
    await importing('half-0.csv', 'two');
    expect((await importing('half-1.csv', 'three')).code).toBe(1);
    expect(sizes()).toEqual(['S']);
    expect(readReports(join(cwd, 'three')).results[0]).toMatchObject({
      outcome: 'invalid',
      code: 'group-split',
    });
    // The store already has the same half.
    expect((await importing('half-0.csv', 'four')).code).toBe(0);
    // All rows, confirmed as complete, are an update.
    const all = rows.map((row) => ({ ...row, storeport_run: '' }));
    writeFileSync(join(cwd, 'all.csv'), stringify(all, { header: true }));
    expect((await importing('all.csv', 'five')).code).toBe(0);
    expect(sizes()).toEqual(['S,M']);
  } finally {
    await sandbox.close();
  }
});

test('a group with contradictory, non-adjacent rows is refused until they agree', async () => {
  writeFileSync(join(cwd, 'm.yaml'), MAPPING);
  writeFileSync(join(cwd, 'in.csv'), 'SKU,Name,Size,Price\ntee,Tee,S,1\ncap,Cap,S,2\ntee,Other,M,3\n');
  expect(await refused('in.csv')).toEqual(['group-split']);
  expect(await refused('again/errors.csv')).toEqual(['group-split']);
  const rows = readTable(join(cwd, 'again/errors.csv'));
  const back = (change: (row: Row) => Row) =>
    writeFileSync(join(cwd, 'back.csv'), stringify(rows.map(change), { header: true }));
  back((row) => ({ ...row, SKU: row.Name === 'Tee' ? 'tee' : 'other' }));
  expect(await refused('back.csv')).toEqual([]);
  back((row) => ({ ...row, Name: 'Tee' }));
  expect(await refused('back.csv')).toEqual([]);
});

test('a row without a key does not join another record if its own was deleted', async () => {
  writeFileSync(join(cwd, 'm.yaml'), MAPPING.replace('by: SKU', 'by: SKU, empty: continues'));
  writeFileSync(join(cwd, 'in.csv'), 'SKU,Name,Size,Price\nA,Tea,S,abc\n,,M,2\nB,Mug,S,abc\n,,L,3\n');
  expect(await refused('in.csv')).toEqual(['not-a-number', 'not-a-number']);
  const rows = readTable(join(cwd, 'again/errors.csv')).map((row) => ({
    ...row,
    Price: row.Price === 'abc' ? '1' : row.Price,
  }));
  const back = (kept: readonly Row[]) =>
    writeFileSync(join(cwd, 'back.csv'), stringify(kept as Row[], { header: true }));
  back(rows as Row[]);
  expect(await refused('back.csv')).toEqual([]);
  back((rows as Row[]).filter(({ SKU }) => SKU !== 'B'));
  expect(await refused('back.csv')).toEqual(['group-split']);
  expect(await refused('again/errors.csv')).toEqual(['group-split']);
  back(readTable(join(cwd, 'again/errors.csv')).filter(({ Size }) => Size !== 'L'));
  expect(await refused('back.csv')).toEqual([]);
});
