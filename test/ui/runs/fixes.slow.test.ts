import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FixRows } from '../../../src/ui/api/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { fixGridIn, THREE_INVALID } from '../../support/fix-grid.ts';

const cli = cliForEachTest();

/** Each call is a server that was started again. */
const openGrid = (run?: string) => fixGridIn(cli.cwd, run);

describe('surplus cells', () => {
  const SURPLUS = 'name,reference,price.salePrice\nMug,M,abc\nKlein,K,1,200\n';
  const set = (column: number, text: string): FixRows => ({ op: 'set', cells: [{ index: 1, column, text }] });

  test('surplus cells are a wrong column beside the others', async () => {
    await cli.importProducts(SURPLUS, 'one');
    const view = await (await openGrid()).rows();
    expect(view.columns).toEqual(['name', 'reference', 'price.salePrice', 'storeport_surplus']);
    expect(view.rows).toMatchObject([
      { cells: ['Mug', 'M', 'abc', ''], marks: [2], isHeld: false },
      { cells: ['Klein', 'K', '1', '200'], marks: [3], isHeld: true },
    ]);
  });

  test('a file without surplus cells has no column for them', async () => {
    await cli.importProducts('name,reference,html\nPot,P\n', 'one');
    expect((await (await openGrid()).rows()).columns).toEqual(['name', 'reference', 'html']);
  });

  test('a row is not sent until its surplus cells are empty', async () => {
    await cli.importProducts(SURPLUS, 'one');
    const grid = await openGrid();
    expect(await grid.edit(set(0, 'Small'))).toMatchObject({ corrected: 0, changed: 1 });
    await expect(grid.words()).rejects.toThrow('No row was corrected yet');
    await grid.edit(set(3, '20'));
    expect((await grid.rows()).rows[1]).toMatchObject({ edited: [0], marks: [3], isHeld: true });
    await grid.edit(set(2, '1200'));
    expect(await grid.edit(set(3, ''))).toMatchObject({ corrected: 1 });
    expect((await grid.rows()).rows[1]).toMatchObject({ edited: [0, 2, 3], isHeld: false });
    expect((await cli.run('import', ...(await grid.words()), '--out', 'two')).code).toBe(0);
    expect(cli.products()).toMatchObject([{ name: 'Small', price: { salePrice: 1200 } }]);
  });

  test('a record with a held row is refused whole, whichever of its rows was corrected', async () => {
    cli.writeLines(
      'm.yaml',
      'resource: products',
      'group: { by: SKU }',
      'fields:',
      '  reference: SKU',
      '  name: Name',
      '  variants: { each: row, fields: { name: Size, price.salePrice: { from: Price, number: true } } }',
    );
    await cli.importProducts(
      'SKU,Name,Size,Price\nA,Tea,S,x\nA,Tea,M,1,200\n',
      'one',
      '--mapping',
      './m.yaml',
    );
    const grid = await openGrid();
    await grid.edit({ op: 'set', cells: [{ index: 0, column: 3, text: '5' }] });
    const ended = await cli.run('import', ...(await grid.words()), '--out', 'two');
    expect(ended.code).toBe(1);
    expect(cli.reports('two').errors.map(({ storeport_code }) => storeport_code)).toEqual(
      Array(2).fill('ragged-row'),
    );
    expect((await grid.rows()).rows[1]).toMatchObject({ cells: ['A', 'Tea', 'M', '1', '200'], isHeld: true });
  });

  test('corrections of a held row are kept when the rows of other runs are removed', async () => {
    await cli.importProducts(SURPLUS, 'one');
    const first = await openGrid();
    await first.edit(set(0, 'Small'));
    // The rows are read again, with the corrections as a part of them.
    await cli.importProducts(SURPLUS.replaceAll(/,([A-Z]),/g, ',$1-1,'), 'two');
    await (await openGrid(first.run)).rows();
    for (let n = 2; n < 9; n++) {
      await cli.importProducts(SURPLUS.replaceAll(/,([A-Z]),/g, `,$1-${n},`), `out-${n}`);
      await (await openGrid()).rows();
    }
    expect((await (await openGrid(first.run)).rows()).rows[1]?.cells[0]).toBe('Small');
  });
});

describe('a check of corrected rows', () => {
  type Grid = Awaited<ReturnType<typeof openGrid>>;
  const set = (index: number, column: number, text: string): FixRows => ({
    op: 'set',
    cells: [{ index, column, text }],
  });
  async function check(grid: Grid) {
    const { words, keepCheck } = await grid.toSend();
    await cli.run('validate', ...words, '--out', 'check');
    await keepCheck(join(cli.cwd, 'check/errors.csv'));
    return (await grid.rows()).rows;
  }

  test('cells that fail now are wrong with the new reason, and name the row of the file', async () => {
    await cli.importProducts(THREE_INVALID, 'one');
    const grid = await openGrid();
    await grid.edit(set(1, 0, ''));
    await grid.edit(set(1, 2, '5'));
    await grid.edit(set(2, 2, '6'));
    expect((await grid.rows()).rows[1]).toMatchObject({ marks: [], edited: [0, 2], fits: false });
    const [mug, pot, jar] = await check(grid);
    expect(mug).toMatchObject({ marks: [2], edited: [], fits: false });
    expect(pot).toMatchObject({ row: 5, marks: [0], edited: [2], fits: false });
    expect(pot?.message).toMatch(/^row 5, column "name": name is missing/);
    expect(jar).toMatchObject({ marks: [], edited: [2], fits: true });
  });

  test('cells that do not fail any more are not wrong, also if nobody changed them', async () => {
    cli.writeLines(
      'm.yaml',
      'resource: products',
      'fields:',
      '  name: name',
      '  reference: reference',
      '  price.salePrice: { from: price, number: true, when: { kind: sold } }',
    );
    const text = 'name,reference,kind,price\nTea,T,sold,abc\n';
    await cli.importProducts(text, 'one', '--mapping', './m.yaml');
    const grid = await openGrid();
    expect((await grid.rows()).rows[0]?.marks).toEqual([3]);
    await grid.edit(set(0, 2, 'free'));
    expect((await check(grid))[0]).toMatchObject({ marks: [], edited: [2], fits: true });
    await grid.edit({ op: 'undo' });
    expect((await grid.rows()).rows[0]).toMatchObject({ marks: [3], edited: [], fits: false });
  });

  test('its result lasts until the cell is changed again, also after the server was started again', async () => {
    await cli.importProducts(THREE_INVALID, 'one');
    const grid = await openGrid();
    await grid.edit(set(0, 2, 'xyz'));
    expect((await check(grid))[0]).toMatchObject({ marks: [2], edited: [] });
    const again = await openGrid();
    expect((await again.rows()).rows[0]).toMatchObject({
      marks: [2],
      message: expect.stringContaining('"xyz"'),
    });
    await again.edit(set(0, 2, '9'));
    expect((await again.rows()).rows[0]).toMatchObject({ marks: [], edited: [2], fits: false });
    await again.edit({ op: 'undo' });
    expect((await again.rows()).rows[0]).toMatchObject({ marks: [2], edited: [] });
    await again.edit({ op: 'undo' });
    expect((await again.rows()).rows[0]).toMatchObject({
      marks: [2],
      message: expect.stringContaining('"abc"'),
    });
    expect(await again.edit({ op: 'redo' })).toMatchObject({ canRedo: true });
  });

  test('its result is dropped when the rows have changed meanwhile', async () => {
    await cli.importProducts(THREE_INVALID, 'one');
    const grid = await openGrid();
    await grid.edit(set(0, 2, '7'));
    const { words, keepCheck } = await grid.toSend();
    await cli.run('validate', ...words, '--out', 'check');
    await cli.run('import', ...words, '--out', 'two');
    await keepCheck(join(cli.cwd, 'check/errors.csv'));
    expect((await grid.rows()).rows).toMatchObject([
      { row: 5, fits: false },
      { row: 6, fits: false },
    ]);
  });

  test('a source of JSON objects is wrong as a whole', async () => {
    writeFileSync(join(cli.cwd, 'in.json'), '[{"name":"A","reference":"R"},{"name":7,"reference":"S"}]');
    await cli.run('import', 'products', 'in.json', '--out', 'one');
    const grid = await openGrid();
    await grid.edit(set(0, 0, '{"name":8,"reference":"S"}'));
    expect((await check(grid))[0]).toMatchObject({ marks: [0], edited: [] });
  });
});
