import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { filesBelow, readHeader, readTable, sample, storeport, temporaryFolder } from '../../support/run.ts';

const FILE = sample('clean-up/customers.csv');
const MAPPING = sample('clean-up/customers.yaml');

/** Runs clean in a folder of its own; returns the summary and the paths of the files. */
async function clean(args: readonly string[], cwd = temporaryFolder()) {
  const ended = await storeport(['clean', ...args, '--json'], { cwd });
  return { cwd, code: ended.code, stderr: ended.stderr, summary: JSON.parse(ended.stdout || 'null') };
}

function rowsOf(path: string, delimiter = ','): string[][] {
  return parse(readFileSync(path), { delimiter }) as string[][];
}

const namesBelow = (folder: string) => filesBelow(folder).map((path) => relative(folder, path));

describe('clean', () => {
  test('clean writes good records in the native form and the others to a second file, and counts changes', async () => {
    const { cwd, code, summary } = await clean([
      'customers',
      FILE,
      '--mapping',
      MAPPING,
      '--out',
      'clean.csv',
    ]);
    expect(code).toBe(1);
    expect(summary).toMatchObject({
      command: 'clean',
      resource: 'customers',
      records: 8,
      outcomes: { planned: 4, duplicate: 2, invalid: 2 },
      out: 'clean.csv',
      rejects: 'clean.rejects.csv',
    });
    const counts = summary.changes.map(({ kind, count }: { kind: string; count: number }) => [kind, count]);
    expect(counts).toEqual([
      ['invisible', 2],
      ['line-ends', 1],
      ['unicode', 1],
      ['blanks', 3],
      ['yes-or-no', 3],
      ['guard', 1],
    ]);
    expect(summary.changes[0].example).toEqual({
      file: FILE,
      row: 3,
      column: 'E-mail',
      before: 'bruno\u200B.caillet@example.com',
      after: 'bruno.caillet@example.com',
    });
    expect(readTable(join(cwd, 'clean.csv'))).toMatchObject([
      { firstname: 'Amélie', lastname: 'Roussel', phone: '+33 1 99 00 12 34', isSubscriber: 'true' },
      { email: 'bruno.caillet@example.com', note: 'Rappeler\nle matin', 'address.zip': '75011' },
      { firstname: 'Chlo\u00e9', email: 'chloe.ferrand@example.com', isSubscriber: 'true' },
      { note: "'=SUM(A1:A9)", 'address.address1': '14 bis rue Haute' },
    ]);
  });

  test('clean returns rejected rows unchanged, with the reason', async () => {
    const { cwd } = await clean([
      'customers',
      FILE,
      '--mapping',
      MAPPING,
      '--out',
      'a.csv',
      '--rejects',
      'r.csv',
    ]);
    const source = rowsOf(FILE, ';');
    const [header, ...rejects] = rowsOf(join(cwd, 'r.csv'));
    const width = source[0]!.length;
    expect(header!.slice(0, width)).toEqual(source[0]);
    const numbers = rejects.map((row) => Number(row[header!.indexOf('storeport_row')]));
    expect(numbers).toEqual([5, 6, 7, 9]);
    expect(rejects.map((row) => row.slice(0, width))).toEqual(numbers.map((row) => source[row - 1]));
    const said = rejects.map((row) => [row[header!.indexOf('storeport_outcome')], row.at(-1)]);
    expect(said).toEqual([
      ['duplicate', expect.stringMatching(/is already in row 4/)],
      ['invalid', expect.stringMatching(/lastname is missing/)],
      ['invalid', expect.stringMatching(/"peut-être" is neither yes nor no/)],
      ['duplicate', expect.stringMatching(/is already in row 3/)],
    ]);
  });

  test('clean changes nothing in a clean file', async () => {
    const { cwd } = await clean(['customers', FILE, '--mapping', MAPPING, '--out', 'once.csv']);
    const again = await clean(['customers', 'once.csv', '--out', 'twice.csv'], cwd);
    expect(again.code).toBe(0);
    // The apostrophe that the first run added for spreadsheets is removed, and added again.
    expect(again.summary.changes.map(({ kind }: { kind: string }) => kind)).toEqual(['guard']);
    expect(readFileSync(join(cwd, 'twice.csv'), 'utf8')).toBe(readFileSync(join(cwd, 'once.csv'), 'utf8'));
  });

  test('clean --keep-columns keeps the columns, words and delimiter of the source', async () => {
    const { cwd, summary } = await clean([
      ...['customers', FILE, '--mapping', MAPPING, '--keep-columns', '--out', 'kept.csv'],
    ]);
    const source = rowsOf(FILE, ';');
    const kept = rowsOf(join(cwd, 'kept.csv'), ';');
    expect(kept[0]).toEqual(source[0]);
    expect(kept.slice(1).map(([number]) => number)).toEqual(['1001', '1002', '1003', '1007']);
    expect(kept[1]).toEqual(source[1]!.map((cell) => cell.trim()));
    expect(kept[1]).toContain('oui');
    expect(kept[4]).toContain("'=SUM(A1:A9)");
    expect(summary.changes.map(({ kind }: { kind: string }) => kind)).toEqual([
      'invisible',
      'line-ends',
      'unicode',
      'blanks',
    ]);
    const native = await clean(['customers', 'kept.csv', '--mapping', MAPPING, '--out', 'b.csv'], cwd);
    await clean(['customers', FILE, '--mapping', MAPPING, '--out', 'a.csv'], cwd);
    expect(native.summary.outcomes).toEqual({ planned: 4 });
    expect(readFileSync(join(cwd, 'b.csv'), 'utf8')).toBe(readFileSync(join(cwd, 'a.csv'), 'utf8'));
  });

  test('clean without --out writes to standard output and messages to standard error', async () => {
    const cwd = temporaryFolder();
    const ended = await storeport(['clean', 'customers', FILE, '--mapping', MAPPING], { cwd });
    expect(ended.code).toBe(1);
    expect(parse(ended.stdout, { columns: true })).toHaveLength(4);
    const [rejects, ...others] = namesBelow(cwd);
    expect({ rejects, others }).toEqual({
      rejects: expect.stringMatching(/^storeport-runs.[\w-]+.rejects\.csv$/),
      others: [],
    });
    expect(ended.stderr).toContain(`Set apart: 2 duplicate, 2 invalid, in ${rejects}.`);
    expect(readTable(join(cwd, rejects ?? ''))).toHaveLength(4);
    expect(ended.stderr).toMatch(/1 letters .*"Chloe\\u0301" → "Chloé" \(row 4, Prénom\)/);
  });

  test('clean --quiet to standard output still names the rows that it set apart', async () => {
    const cwd = temporaryFolder();
    const input = 'name,reference\nMug,A\nCup,A\nPot,B\n';
    const ended = await storeport(['clean', 'products', '-', '--quiet'], { cwd, input });
    const [rejects = ''] = namesBelow(cwd);
    expect(ended.stderr).toBe(`Set apart: 1 duplicate, in ${rejects}.\n`);
    expect(readTable(join(cwd, rejects))).toMatchObject([{ name: 'Cup', storeport_row: '3' }]);
    expect(parse(ended.stdout, { columns: true })).toHaveLength(2);
    expect(ended.code).toBe(0);
  });

  test('clean to standard output makes no file if every record is good', async () => {
    const cwd = temporaryFolder();
    const input = 'name,reference\nMug,A\nPot,B\n';
    const ended = await storeport(['clean', 'products', '-', '--quiet'], { cwd, input });
    expect({ stderr: ended.stderr, files: namesBelow(cwd) }).toEqual({ stderr: '', files: [] });
  });

  test('clean to standard output stops if the rows that it sets apart cannot be kept', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'storeport-runs'), 'no folder');
    const input = 'name,reference\nMug,A\nCup,A\n';
    const ended = await storeport(['clean', 'products', '-', '--quiet'], { cwd, input });
    expect(ended.code).toBe(3);
    expect(ended.stderr).toMatch(
      /^Error: Rejected rows cannot be kept: .*\n {2}Name another file with --rejects/,
    );
  });

  test('clean to standard output leaves no folder for rejects if it fails', async () => {
    const cwd = temporaryFolder();
    const bad = '"a" b,c\n'.repeat(2000);
    const input = `name,reference\nMug,A\nCup,A\n${'Pot,A\n'.repeat(20_000)}${bad}`;
    const ended = await storeport(['clean', 'products', '-', '--quiet'], { cwd, input });
    expect(ended.code).toBe(3);
    expect(existsSync(join(cwd, 'storeport-runs'))).toBe(false);
  });

  test('clean writes no file beside a device', async () => {
    const args = ['products', '-', '--out', '/dev/null', '--json'];
    const cwd = temporaryFolder();
    const input = 'name,reference\nMug,A\nCup,A\n';
    const ended = await storeport(['clean', ...args], { cwd, input });
    const files = namesBelow(cwd);
    expect(files).toEqual([expect.stringContaining('rejects.csv')]);
    expect(JSON.parse(ended.stdout).rejects).toBe(files[0]);
    expect(existsSync('/dev/null.rejects.csv')).toBe(false);
  });

  test('clean reads any encoding, or the given one, and writes UTF-8', async () => {
    const cwd = temporaryFolder();
    const text = readFileSync(FILE, 'utf8');
    writeFileSync(join(cwd, 'utf16.csv'), Buffer.from(`\uFEFF${text}`, 'utf16le'));
    writeFileSync(
      join(cwd, 'latin.csv'),
      Buffer.from('firstname,lastname,note\nZo\u00e9,Br\u00fcn,\u20ac', 'latin1'),
    );
    await clean(['customers', FILE, '--mapping', MAPPING, '--out', 'a.csv'], cwd);
    await clean(['customers', 'utf16.csv', '--mapping', MAPPING, '--out', 'b.csv'], cwd);
    expect(readFileSync(join(cwd, 'b.csv'), 'utf8')).toBe(readFileSync(join(cwd, 'a.csv'), 'utf8'));
    await clean(['customers', 'latin.csv', '--encoding', 'iso-8859-1', '--out', 'c.csv'], cwd);
    expect(readTable(join(cwd, 'c.csv'))).toMatchObject([{ firstname: 'Zo\u00e9', lastname: 'Br\u00fcn' }]);
  });

  test('clean writes JSON in the native form and refuses to keep its columns', async () => {
    const cwd = temporaryFolder();
    const items = [
      { name: 'A', reference: 'a', price: { salePrice: 1.5 } },
      { name: '', reference: 'b' },
    ];
    writeFileSync(join(cwd, 'in.json'), JSON.stringify({ products: items }));
    const { summary } = await clean(['products', 'in.json', '--out', 'out.csv'], cwd);
    expect(summary.outcomes).toEqual({ planned: 1, invalid: 1 });
    expect(readTable(join(cwd, 'out.csv'))).toMatchObject([{ name: 'A', 'price.salePrice': '1.5' }]);
    expect(readTable(join(cwd, 'out.rejects.csv'))).toMatchObject([{ json: JSON.stringify(items[1]) }]);
    const kept = await clean(['products', 'in.json', '--keep-columns', '--out', 'kept.csv'], cwd);
    expect(kept.code).toBe(2);
    expect(kept.stderr).toMatch(/holds JSON objects, which have no columns to be kept/);
  });

  test('clean keeps product groups and ids, and writes JSON on request', async () => {
    const cwd = temporaryFolder();
    const shopify = await clean(['products', sample('shopify-products.csv'), '--out', 'clean.ndjson'], cwd);
    expect(shopify.summary.outcomes).toEqual({ planned: 20, invalid: 5 });
    const lines = readFileSync(join(cwd, 'clean.ndjson'), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).reference)).toHaveLength(20);
    expect(new Set(readTable(join(cwd, 'clean.rejects.csv')).map((row) => row.Handle)).size).toBe(5);

    const updates = sample('native-product-updates.csv');
    await clean(['products', updates, '--mode', 'update', '--out', 'updates.csv'], cwd);
    expect(readHeader(join(cwd, 'updates.csv'))).toContain('_id');
    expect(readTable(join(cwd, 'updates.csv')).every((row) => row._id !== '')).toBe(true);

    await clean(['orders', sample('native-orders.csv'), '--out', 'orders.csv'], cwd);
    expect(readTable(join(cwd, 'orders.csv')).every((row) => row._key !== '')).toBe(true);
  });

  test('clean leaves the previous output if the source cannot be read to its end', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'clean.csv'), 'of before\n');
    const broken = `name,reference\n${'"a" b,c\n'.repeat(2000)}`;
    writeFileSync(join(cwd, 'broken.csv'), broken);
    const { code, stderr } = await clean(['products', 'broken.csv', '--out', 'clean.csv'], cwd);
    expect(code).toBe(3);
    expect(stderr).toMatch(/quotes are broken in \d+ rows/);
    expect(readFileSync(join(cwd, 'clean.csv'), 'utf8')).toBe('of before\n');
    expect(existsSync(join(cwd, 'clean.rejects.csv'))).toBe(false);
  });

  test.each([
    [['--json'], /add --out FILE/],
    [['--keep-columns', '--out', 'a.json'], /--keep-columns writes the columns of the source/],
    [['--out', 'nowhere/a.csv'], /there is no folder nowhere/],
  ])('clean refuses %j', async (args, message) => {
    const cwd = temporaryFolder();
    const ended = await storeport(['clean', 'customers', FILE, '--mapping', MAPPING, ...args], { cwd });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(message);
    expect(filesBelow(cwd)).toEqual([]);
  });
});

test('the summary of clean lists values that are lost because rows of a record differ', async () => {
  const folder = temporaryFolder();
  const mapping = { resource: 'products', group: { by: 'SKU' }, fields: { reference: 'SKU', name: 'Name' } };
  writeFileSync(join(folder, 'm.json'), JSON.stringify(mapping));
  writeFileSync(join(folder, 'in.csv'), 'SKU,Name\nT,Tee\nT,Top\n');
  const args = ['clean', 'products', 'in.csv', '--mapping', './m.json', '--out', 'good.csv', '--json'];
  const { code, stdout } = await storeport(args, { cwd: folder });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).warnings).toMatchObject([
    { message: expect.stringContaining('such as "Tee" in'), count: 1, records: [{ row: 2, key: 'T' }] },
  ]);
});
