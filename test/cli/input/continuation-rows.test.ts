import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { readReports, readTable } from '../../support/run.ts';

const cli = cliForEachTest();
beforeEach(async () => {
  write(
    'shop.yaml',
    'resource: products',
    'group: { by: SKU, empty: continues }',
    'fields:',
    '  reference: SKU',
    '  name: Name',
    '  variants:',
    '    each: row',
    '    fields:',
    '      name: Size',
    '      price.salePrice: { from: Price, number: true }',
  );
});

const { writeLines: write } = cli;

const importing = (out: string, ...files: string[]) =>
  cli.run('import', 'products', ...files, '--mapping', './shop.yaml', '--out', out);

/** Name and variants of each product in the store. */
const inStore = () =>
  cli
    .products()
    .map(({ reference, variants = [] }) =>
      [reference, ...(variants as JsonObject[]).map(({ name }) => name)].join(' '),
    );

/** Lines of an errors.csv without its header. */
const errorsOf = (out: string) =>
  readFileSync(join(cli.cwd, out, 'errors.csv'), 'utf8')
    .trim()
    .split('\n');

async function firstRun(): Promise<JsonObject> {
  const [row] = readTable(join(cli.cwd, 'first', 'errors.csv'));
  const shown = await cli.run('run', 'show', row?.storeport_run ?? '', '--json');
  return (JSON.parse(shown.stdout) as { outcomes: JsonObject }).outcomes;
}

describe('record with continuation rows', () => {
  test('a record with continuation rows is sent, returned and corrected as a whole', async () => {
    write('in.csv', 'SKU,Name,Size,Price', 'T,Shirt,S,9', ',,M,x', ',,L,9', 'H,Hat,One,5', ',,Two,5');
    expect((await importing('first', 'in.csv')).code).toBe(1);
    expect(inStore()).toEqual(['H One Two']);
    expect(readTable(join(cli.cwd, 'first', 'errors.csv')).map(({ Size }) => Size)).toEqual(['S', 'M', 'L']);

    write('fixed.csv', ...errorsOf('first').map((line) => line.replace(',M,x', ',M,8')));
    expect((await importing('second', 'fixed.csv')).code).toBe(0);
    expect(inStore()).toEqual(['H One Two', 'T S M L']);
    expect(await firstRun()).toEqual({ created: 2 });
  });

  test('continuation rows without their first row do not join the record above', async () => {
    write('in.csv', 'SKU,Name,Size,Price', 'T,Shirt,S,x', ',,M,9', 'H,Hat,One,x', ',,Two,5');
    await importing('first', 'in.csv');
    const lines = errorsOf('first').map((line) => line.replace(',x,', ',7,'));
    write('fixed.csv', ...lines.filter((line) => !line.startsWith('H,')));
    expect((await importing('second', 'fixed.csv')).code).toBe(1);
    expect(inStore()).toEqual([]);
    expect(readReports(join(cli.cwd, 'second')).results).toMatchObject([
      { key: 'T', outcome: 'invalid', code: 'group-split', message: expect.stringContaining('it was row 5') },
    ]);

    // A user who drops a product deletes all its rows.
    write('given-up.csv', ...lines.filter((line) => !line.startsWith('H,') && !line.includes(',Two,')));
    await importing('third', 'given-up.csv');
    expect(inStore()).toEqual(['T S M']);
  });

  test.each(['T', 'H'])(
    'a reimported record of several files is recognised by its first row: %s',
    async (corrected) => {
      write('a.csv', 'SKU,Name,Size,Price', 'T,Shirt,S,x', ',,M,9');
      write('b.csv', 'SKU,Name,Size,Price', 'H,Hat,S,x', ',,M,9');
      await importing('first', 'a.csv', 'b.csv');
      const [header = '', ...lines] = errorsOf('first').map((line) => line.replace(',x,', ',7,'));
      write('fixed.csv', header, ...(corrected === 'T' ? lines.slice(0, 2) : lines.slice(2)));
      expect((await importing('second', 'fixed.csv')).code).toBe(0);
      expect(inStore()).toEqual([`${corrected} S M`]);
      expect(await firstRun()).toEqual({ created: 1, invalid: 1 });
    },
  );

  test('continuation rows above the first key are an issue', async () => {
    write('in.csv', 'SKU,Name,Size,Price', ',Shirt,S,9', 'H,Hat,One,5', ',,Two,5');
    expect((await importing('first', 'in.csv')).code).toBe(1);
    expect(inStore()).toEqual(['H One Two']);
    expect(readReports(join(cli.cwd, 'first')).results[0]).toMatchObject({
      row: '2',
      outcome: 'invalid',
      code: 'required',
      message: expect.stringContaining('column "SKU": no row above it has a value here'),
    });
  });
});
