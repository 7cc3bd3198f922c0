import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { booksOf, readReports, readTable } from '../../support/run.ts';

const cli = cliForEachTest();

const run = (args: string[]) => cli.run(...args);

const { writeLines: write } = cli;

const inStore = () => cli.products();

describe('joined files', () => {
  const MAPPING = `
resource: products
title: a list of models
recognise: [Model, Name]
joined:
  - title: a list of sizes
    recognise: [Of model, Size]
skip: { when: { Name: Total } }
group: { name: Model, parent: Of model }
fields:
  reference: { from: Model, across: lead }
  name: { from: Name, across: lead }
  variants:
    each: row
    when: Of model
    fields:
      name: Size
      price.salePrice: { from: Price, number: true }
`;
  beforeEach(() => {
    write('shop.yaml', MAPPING);
    write('models.csv', 'Model;Name;Price', 'tee;T-shirt;9', 'cap;Cap;5', ';Total;14');
    write('sizes.csv', 'Of model,Size,Price,Code', 'tee,S,19,a', 'hat,M,12,b', 'cap,L,x,c', 'tee,M,20,d');
  });
  const command = (verb: string, ...files: string[]) => [
    ...[verb, 'products', ...files, '--mapping', './shop.yaml', '--out', 'out'],
  ];

  test('joined files are read as one: issues name the column, and errors.csv has the columns of both', async () => {
    const ended = await run(command('import', 'sizes.csv', 'models.csv'));
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('1 row was left out, as the mapping says.');
    expect(inStore()).toMatchObject([
      {
        reference: 'tee',
        name: 'T-shirt',
        variants: [
          { name: 'S', price: { salePrice: 19 } },
          { name: 'M', price: { salePrice: 20 } },
        ],
      },
    ]);
    const { results, errors, summary } = readReports(join(cli.cwd, 'out'));
    // In the order of the first row of each; the lead row of the T-shirt is in the second file.
    expect(results.map(({ row, key, outcome, code }) => [row, key, outcome, code])).toEqual([
      ['2', 'tee', 'created', ''],
      ['3', '', 'invalid', 'no-parent'],
      ['3', 'cap', 'invalid', 'not-a-number'],
    ]);
    expect(results[1]?.message).toMatch(
      /^"sizes.csv", row 3, column "Of model": it belongs to "hat", and no row has that name/,
    );
    expect(summary).toMatchObject({ records: 3, files: [{ skipped_rows: 0 }, { skipped_rows: 1 }] });
    expect(
      errors.map(({ Model, Name, 'Of model': of, Size, Price, Code }) => [
        Model,
        Name,
        of,
        Size,
        Price,
        Code,
      ]),
    ).toEqual([
      ['', '', 'hat', 'M', '12', 'b'],
      ['cap', 'Cap', '', '', '5', ''],
      ['', '', 'cap', 'L', 'x', 'c'],
    ]);
  });

  test('corrected rows of joined files complete the outcomes of the first run', async () => {
    await run(command('import', 'models.csv', 'sizes.csv'));
    const [first] = readTable(join(cli.cwd, 'out', 'errors.csv'));
    const text = readFileSync(join(cli.cwd, 'out', 'errors.csv'), 'utf8');
    writeFileSync(join(cli.cwd, 'fixed.csv'), text.replace(',hat,', ',cap,').replace(',x,', ',7,'));
    await run(['import', 'products', 'fixed.csv', '--mapping', './shop.yaml', '--out', 'second']);
    expect(readReports(join(cli.cwd, 'second')).results.map(({ key, outcome }) => [key, outcome])).toEqual([
      ['cap', 'created'],
    ]);
    expect(inStore().find(({ reference }) => reference === 'cap')).toMatchObject({
      variants: [{ name: 'L', price: { salePrice: 7 } }, { name: 'M' }],
    });
    const shown = await run(['run', 'show', first?.storeport_run ?? '', '--json']);
    expect(JSON.parse(shown.stdout).outcomes).toMatchObject({ created: 2 });
  });

  test('a row is not confused with the row of the same number in another file', async () => {
    write('models.csv', 'Model;Name;Price', 'tee;;9', 'cap;Cap;5');
    write('sizes.csv', 'Of model,Size,Price,Code', 'cap,L,x,c');
    await run(command('import', 'models.csv', 'sizes.csv'));
    const lines = readFileSync(join(cli.cwd, 'out', 'errors.csv'), 'utf8')
      .trim()
      .split('\n');
    const [first] = readTable(join(cli.cwd, 'out', 'errors.csv'));
    // The T-shirt, in row 2 of its file, is dropped; of the cap, the size in row 2 of the other file is
    // corrected.
    write(
      'fixed.csv',
      ...lines.filter((line) => !line.startsWith('tee')).map((line) => line.replace(',x,', ',7,')),
    );
    await run(['import', 'products', 'fixed.csv', '--mapping', './shop.yaml', '--out', 'second']);
    const shown = await run(['run', 'show', first?.storeport_run ?? '', '--json']);
    expect(JSON.parse(shown.stdout).outcomes).toEqual({ created: 1, invalid: 1 });
  });

  test('joined files need a mapping that names all of them, and one main file', async () => {
    write('other.csv', 'Colour', 'red');
    const strange = await run(command('validate', 'models.csv', 'other.csv'));
    expect([strange.code, strange.stderr]).toEqual([
      2,
      expect.stringContaining('other.csv has other columns than models.csv.'),
    ]);
    write('more.csv', 'Of model,Size', 'tee,XL');
    const alone = await run(command('validate', 'sizes.csv', 'more.csv'));
    expect([alone.code, alone.stderr]).toEqual([
      2,
      expect.stringContaining(
        'None of these files is a list of models; they can only be read together with one.',
      ),
    ]);
  });
});

test('a reimported row whose parent was missing completes the refused run once both are imported', async () => {
  write('in.csv', 'Code,Name,Price,Part of', 'TEE,T-shirt,x,', 'CAP,Cap,5,', 'TEE-S,,9,TEA');
  write(
    'shop.yaml',
    'resource: products',
    'group: { name: Code, parent: Part of }',
    'fields:',
    '  reference: { from: Code, across: lead }',
    '  name: Name',
    '  price.salePrice: { from: Price, across: lead }',
    '  variants: { each: child, fields: { name: Code } }',
  );
  const arguments_ = (file: string, out: string) => [
    'import',
    'products',
    file,
    '--mapping',
    './shop.yaml',
    '--out',
    out,
  ];
  await run(arguments_('in.csv', 'out'));
  const text = readFileSync(join(cli.cwd, 'out', 'errors.csv'), 'utf8');
  write('fixed.csv', text.trim().replace(',x,', ',7,').replace('TEA', 'TEE'));
  await run(arguments_('fixed.csv', 'second'));
  expect(inStore().at(-1)).toMatchObject({ reference: 'TEE', variants: [{ name: 'TEE-S' }] });
  const [first] = readTable(join(cli.cwd, 'out', 'errors.csv'));
  const shown = await run(['run', 'show', first?.storeport_run ?? '', '--json']);
  expect(JSON.parse(shown.stdout).outcomes).toEqual({ created: 3 });
});

test('a killed run that groups unordered rows resumes without loss, doubles or miscounted rows', async () => {
  const count = 300;
  const numbers = Array.from({ length: count }, (_, n) => n);
  // Every product has its second row in the second half of the file; every third row is a total and not a
  // product.
  write(
    'in.csv',
    'Model,Name,Size',
    ...numbers.map((n) => `m-${n},Model ${n},S`),
    ...numbers.flatMap((n) => (n % 3 === 0 ? [',Total,', `m-${n},,M`] : [`m-${n},,M`])),
  );
  write(
    'shop.yaml',
    'resource: products',
    'skip: { when: { Name: Total } }',
    'group: { by: Model, order: any }',
    'fields:',
    '  reference: Model',
    '  name: Name',
    '  variants: { each: row, fields: { name: Size } }',
  );
  cli.sandbox.misbehave({ latency: '3ms' });
  const killed = await cli.runProcess(
    ['import', 'products', 'in.csv', '--mapping', './shop.yaml', '--concurrency', '4', '--out', 'out'],
    {
      onStart: (child) => {
        const timer = setInterval(() => {
          if (cli.sandbox.count('products') < count / 2) return;
          clearInterval(timer);
          child.kill('SIGKILL');
        }, 1);
        timer.unref();
      },
    },
  );
  expect(killed.code).toBeNull();
  const before = cli.sandbox.count('products');
  expect(before).toBeLessThan(count);
  cli.sandbox.misbehave({});
  const resumed = await run(['run', 'resume', 'last']);
  const reports = readReports(join(cli.cwd, 'out'));
  expect(booksOf(reports).balanced).toBe(true);
  expect(reports.summary).toMatchObject({ records: count, files: [{ skipped_rows: count / 3 }] });
  expect(reports.inDoubt.length).toBeLessThanOrEqual(8);
  expect([resumed.code, reports.results.map(({ key }) => key)]).toEqual([
    reports.inDoubt.length > 0 ? 1 : 0,
    numbers.map((n) => `m-${n}`),
  ]);
  const made = inStore();
  expect(new Set(made.map(({ reference }) => reference)).size).toBe(made.length);
  expect(
    made.every(({ variants }) => (variants as JsonObject[]).map(({ name }) => name).join() === 'S,M'),
  ).toBe(true);
});

describe('part shared by several records', () => {
  const MAPPING = `
resource: products
group: { name: SKU, parts: { from: Parts, split: "|" }, shared: true }
fields:
  reference: { from: SKU, across: lead }
  name: { from: Name, across: lead }
  variants: { each: child, fields: { reference: SKU, price.salePrice: { from: Price, number: true } } }
`;
  const command = (file: string, out: string) => [
    ...['import', 'products', file, '--mapping', './shop.yaml', '--out', out],
  ];
  const variantsOf = (name: string) =>
    (inStore().find(({ reference }) => reference === name)?.variants as JsonObject[] | undefined)?.map(
      ({ reference, price }) => [reference, (price as JsonObject | undefined)?.salePrice],
    );
  beforeEach(() => write('shop.yaml', MAPPING));

  test('a shared part is a variant of each record and no separate product', async () => {
    write('shop.csv', 'SKU,Name,Price,Parts', 'S,Small,1,', 'A,One,,S|M', 'M,Medium,2,', 'B,Other,,S');
    expect((await run(command('shop.csv', 'out'))).code).toBe(0);
    expect(inStore().map(({ reference }) => reference)).toEqual(['A', 'B']);
    expect([variantsOf('A'), variantsOf('B')]).toEqual([
      [
        ['S', 1],
        ['M', 2],
      ],
      [['S', 1]],
    ]);
  });

  test('a shared part is in errors.csv once, and is corrected once for all records', async () => {
    write('shop.csv', 'SKU,Name,Price,Parts', 'S,Small,x,', 'A,One,,S|M', 'M,Medium,2,', 'B,Other,,S');
    expect((await run(command('shop.csv', 'out'))).code).toBe(1);
    const text = readFileSync(join(cli.cwd, 'out', 'errors.csv'), 'utf8');
    expect(readReports(join(cli.cwd, 'out')).errors.map(({ SKU }) => SKU)).toEqual(['A', 'S', 'M', 'B']);
    writeFileSync(join(cli.cwd, 'fixed.csv'), text.replace(',x,', ',7,'));
    expect((await run(command('fixed.csv', 'second'))).code).toBe(0);
    expect([variantsOf('A'), variantsOf('B')]).toEqual([
      [
        ['S', 7],
        ['M', 2],
      ],
      [['S', 7]],
    ]);
    expect(inStore()).toHaveLength(2);
  });

  test('a shared part reimported with one record leaves the other records unchanged', async () => {
    write('shop.csv', 'SKU,Name,Price,Parts', 'A,,,S', 'B,,,S', 'S,Small,1,');
    await run(command('shop.csv', 'out'));
    const [header = '', ...lines] = readFileSync(join(cli.cwd, 'out', 'errors.csv'), 'utf8')
      .trim()
      .split('\n');
    const own = lines.filter((line) => /^[AS],/.test(line)).map((line) => line.replace(/^A,,/, 'A,One,'));
    write('fixed.csv', header, ...own);
    expect((await run(command('fixed.csv', 'second'))).code).toBe(0);
    const [first] = readReports(join(cli.cwd, 'out')).errors;
    const shown = await run(['run', 'show', first?.storeport_run ?? '', '--json']);
    expect(JSON.parse(shown.stdout).outcomes).toMatchObject({ created: 1, invalid: 1 });
  });
});
