import { beforeEach, expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';

const cli = cliForEachTest();
beforeEach(() => {
  cli.writeLines(
    'list.yaml',
    'resource: products',
    'carry: [Department, Category]',
    'skip: { when: { SKU: "" } }',
    'fields:',
    '  reference: SKU',
    '  name: Name',
    '  collections: { all: [Department, Category] }',
    '  price.salePrice: { from: Price, number: true }',
  );
});

const importing = (...args: string[]) =>
  cli.run('import', 'products', '--mapping', './list.yaml', '--out', 'out', ...args);

/** Reference and collections of each product in the store. */
const inStore = () =>
  cli
    .products()
    .map(({ reference, collections }) => [reference, ...((collections ?? []) as string[])].join(' '))
    .sort();

const HEADER = 'Department,Category,SKU,Name,Price';

test('cells take the value above them, and a new department ends the category', async () => {
  cli.writeLines(
    'in.csv',
    HEADER,
    ',,LOOSE,Loose,1',
    'Writing,,,,',
    ' ,Pens,PEN-01,Fountain pen,1',
    ',,PEN-02,Felt pen,1',
    'Writing,,PEN-03,Ball pen,1',
    'Paper,,PAD-03,Notepad,1',
  );
  expect((await importing('in.csv')).code).toBe(0);
  expect(inStore()).toEqual([
    'LOOSE',
    'PAD-03 Paper',
    'PEN-01 Writing Pens',
    'PEN-02 Writing Pens',
    'PEN-03 Writing Pens',
  ]);
  expect(cli.reports('out').summary.files[0].skipped_rows).toBe(1);
});

test('each file begins without a value', async () => {
  cli.writeLines('a.csv', HEADER, 'Writing,Pens,PEN-01,Fountain pen,1');
  cli.writeLines('b.csv', HEADER, ',,PAD-03,Notepad,1');
  expect((await importing('a.csv', 'b.csv')).code).toBe(0);
  expect(inStore()).toEqual(['PAD-03', 'PEN-01 Writing Pens']);
});

test('errors.csv has the carried values, and nothing is carried when it is imported', async () => {
  cli.writeLines('a.csv', HEADER, 'Writing,Pens,,,', ',,PEN-01,Fountain pen,x', ',,PEN-02,Felt pen,1');
  cli.writeLines('b.csv', HEADER, ',,PAD-03,Notepad,x');
  expect((await importing('a.csv', 'b.csv')).code).toBe(1);
  cli.editRows('out/errors.csv', (row) => ({ ...row, Price: '2' }));
  expect(
    (await cli.run('import', 'products', 'out/errors.csv', '--mapping', './list.yaml', '--out', 'again'))
      .code,
  ).toBe(0);
  expect(inStore()).toEqual(['PAD-03', 'PEN-01 Writing Pens', 'PEN-02 Writing Pens']);
});

test('below a row that could not be read, empty cells are issues until the next value', async () => {
  cli.writeLines(
    'in.csv',
    HEADER,
    'Writing,Pens,,,',
    'Paper,Pads,,,,,too,many',
    ',,PAD-03,Notepad,1',
    'Writing,,,,',
    ',,PEN-01,Fountain pen,1',
    ',Pens,PEN-02,Felt pen,1',
  );
  expect((await importing('in.csv')).code).toBe(1);
  expect(inStore()).toEqual(['PEN-02 Writing Pens']);
  const issues = cli
    .reports('out')
    .errors.map(({ storeport_row, storeport_message }) => [
      storeport_row,
      /row 3 could not be read/.test(storeport_message ?? ''),
    ]);
  expect(issues).toEqual([
    ['3', false],
    ['4', true],
    ['6', true],
  ]);
});

test('rows are grouped by values that are carried down', async () => {
  cli.writeLines(
    'list.yaml',
    'resource: products',
    'carry: SKU',
    'group: { by: SKU }',
    'fields:',
    '  reference: SKU',
    '  name: Name',
    '  variants: { each: row, fields: { name: Size } }',
  );
  cli.writeLines('in.csv', 'SKU,Name,Size', 'T,Shirt,S', ',,M', 'T,,L', 'H,Hat,One');
  const { code, stderr } = await importing('in.csv');
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('apart')]);
  const sizes = cli
    .products()
    .map(({ reference, variants }) => [reference, (variants as { name: string }[]).map(({ name }) => name)]);
  expect(Object.fromEntries(sizes as [string, string[]][])).toEqual({ T: ['S', 'M', 'L'], H: ['One'] });
});

test.each([['a file without the column', 'SKU,Name', 'Missing: "Department", whose value is carried down']])(
  '%s is refused',
  async (_what, header, expected) => {
    cli.writeLines('in.csv', header, 'T,Shirt');
    const { code, stderr } = await importing('in.csv');
    expect([code, stderr]).toEqual([2, expect.stringContaining(expected)]);
  },
);

test('JSON objects are refused, since they have no rows above them', async () => {
  cli.writeLines('in.json', '[{"Department": "Writing", "SKU": "T", "Name": "Shirt"}]');
  const { code, stderr } = await importing('in.json');
  expect([code, stderr]).toEqual([2, expect.stringContaining('carries the cells of rows down')]);
});

test('a suggested mapping gives each variant the value of its merged cell', async () => {
  cli.writeLines(
    'merged.csv',
    'Product name,Color,Size,SKU,Price',
    ...['Tee,Red,S,T-1,10', ',,M,T-2,10', ',Blue,S,T-3,11', ',,M,T-4,11', 'Cap,Black,M,C-1,8', ',,L,C-2,8'],
  );
  await cli.run('mapping', 'suggest', 'products', 'merged.csv', '--out', 'merged.yaml');
  expect((await cli.run('import', 'products', 'merged.csv', '--mapping', './merged.yaml')).code).toBe(0);
  const names = cli
    .products()
    .map(({ variants }) => (variants as { name: string }[]).map(({ name }) => name))
    .sort();
  expect(names).toEqual([
    ['Black - M', 'Black - L'],
    ['Red - S', 'Red - M', 'Blue - S', 'Blue - M'],
  ]);
});
