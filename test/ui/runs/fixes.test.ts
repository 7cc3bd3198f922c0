import fs, {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FixRows, FixRowsView } from '../../../src/ui/api/index.ts';
import { createRuns } from '../../../src/ui/runs/runs.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { fixGridIn, latestRunIn, THREE_INVALID } from '../../support/fix-grid.ts';
import { openFilesBelow } from '../../support/open-files.ts';
import { scaledRuns } from '../../support/property-tests.ts';
import { booksOf, filesBelow, readTable } from '../../support/run.ts';
import { uiContextIn } from '../../support/ui-context.ts';

const cli = cliForEachTest();

/** Each call is a server that was started again. */
const openGrid = (run?: string) => fixGridIn(cli.cwd, run);
const editFiles = () =>
  filesBelow(join(cli.cwd, '.storeport', 'ui')).filter((file) => file.endsWith('edits.ndjson'));
const cellsOf = ({ rows }: FixRowsView) => rows.map(({ cells }) => cells);

describe('rows that a run returned', () => {
  test('a page shows the cells, the reason, and which of them are wrong', async () => {
    await cli.importProducts(THREE_INVALID, 'one');
    const view = await (await openGrid()).rows();
    expect(view).toMatchObject({ total: 3, corrected: 0, canUndo: false, canRedo: false });
    expect(view.columns).toEqual(['name', 'reference', 'price.salePrice']);
    expect(view.rows[0]).toMatchObject({
      ...{ index: 0, row: 3, cells: ['Mug', 'M', 'abc'], marks: [2], edited: [], isDropped: false },
    });
    expect(view.rows[0]?.message).toContain('"abc"');
  });

  test('rows that differ only in names and numbers have one cause', async () => {
    await cli.importProducts(`${THREE_INVALID},X,5\nAxe,A,5,6\n`, 'one');
    const { causes } = await (await openGrid()).rows();
    expect(causes.map(({ code, rows }) => [code, rows])).toEqual([
      ['not-a-number', 3],
      ['required', 1],
      ['ragged-row', 1],
    ]);
  });

  test('rows of many runs are kept only while they are of use: for the latest, and where something was corrected', async () => {
    const runs: string[] = [];
    for (let n = 0; n < 8; n++) {
      await cli.importProducts(THREE_INVALID.replaceAll(/,([A-Z]),/g, `,$1${n},`), `out-${n}`);
      const grid = await openGrid();
      runs.push(grid.run);
      await grid.rows();
      if (n === 0) await grid.edit({ op: 'set', cells: [{ index: 0, column: 2, text: '5' }] });
    }
    const [first = ''] = runs;
    const kept = readdirSync(join(cli.cwd, '.storeport/ui/fixes'));
    expect(kept.toSorted()).toEqual([first, ...runs.slice(2)].toSorted());
    expect((await (await openGrid(first)).rows()).corrected).toBe(1);
    expect((await (await openGrid(runs[1])).rows()).total).toBe(3);
  });

  test('5,000 rows are paged by their cause', async () => {
    const rows = Array.from({ length: 5_000 }, (_, at) =>
      at % 4 === 0 ? `,R${at},1` : `N${at},R${at},x${at}`,
    );
    await cli.importProducts(`name,reference,price.salePrice\n${rows.join('\n')}\n`, 'one');
    const grid = await openGrid();
    const { total, causes } = await grid.rows('count=1');
    expect(total).toBe(5_000);
    const required = causes.find(({ code }) => code === 'required')?.cause;
    const page = await grid.rows(`cause=${required}&from=1240&count=50`);
    expect(page.total).toBe(1_250);
    expect(page.rows.map(({ index }) => index)).toEqual(
      Array.from({ length: 10 }, (_, at) => (1240 + at) * 4),
    );
    expect(page.rows[0]).toMatchObject({
      row: 1240 * 4 + 2,
      cells: ['', `R${1240 * 4}`, '1'],
      cause: required,
    });
    expect((await grid.rows('from=4999&count=5')).rows).toHaveLength(1);
    expect((await grid.rows('from=5000&count=5')).rows).toEqual([]);
  }, 60_000);

  test('a page with long texts has fewer rows than wanted, and the next one has the rest', async () => {
    const rows = Array.from({ length: 130 }, (_, at) => `,R${at},${'long '.repeat(4_000)}`);
    await cli.importProducts(`name,reference,description\n${rows.join('\n')}\n`, 'one');
    const grid = await openGrid();
    const first = await grid.rows('count=130');
    expect(first.total).toBe(130);
    expect(JSON.stringify(first).length).toBeLessThan(2_200_000);
    const next = await grid.rows(`from=${first.rows.length}&count=130`);
    expect([...first.rows, ...next.rows].map(({ index }) => index)).toEqual(rows.map((_, at) => at));
  });

  test('the rows of JSON objects have one column', async () => {
    writeFileSync(join(cli.cwd, 'in.json'), '[{"name":"A","reference":"R"},{"name":7,"reference":"S"}]');
    await cli.run('import', 'products', 'in.json', '--out', 'one');
    const grid = await openGrid();
    expect(await grid.rows()).toMatchObject({ columns: ['json'], rows: [{ marks: [0] }] });
    await grid.edit({ op: 'set', cells: [{ index: 0, column: 0, text: '{"name":"B","reference":"S"}' }] });
    expect((await cli.run('import', ...(await grid.words()), '--out', 'two')).code).toBe(0);
    expect(cli.references().sort()).toEqual(['R', 'S']);
  });

  test('rows that cannot be read any more do no harm when none is left', async () => {
    await cli.importProducts(THREE_INVALID, 'one');
    const grid = await openGrid();
    await grid.edit({ op: 'replace', column: 2, find: 'abc', text: '7' });
    await grid.edit({ op: 'replace', column: 2, find: 'def', text: '7' });
    await grid.edit({ op: 'replace', column: 2, find: 'ghi', text: '7' });
    await cli.run('import', ...(await grid.words()), '--out', 'two');
    const files = filesBelow(join(cli.cwd, '.storeport', 'ui', 'fixes'));
    rmSync(files.find((file) => file.endsWith('rows.ndjson')) ?? '');
    expect((await grid.rows()).total).toBe(0);
    // An error that nobody handles would end the process in the next turn.
    await new Promise((resolve) => setTimeout(resolve, 10));
  });

  test('no file stays open and no index stays behind when one of its files cannot be made', async () => {
    await cli.importProducts(THREE_INVALID, 'one');
    const { open } = fs.promises;
    fs.promises.open = (path, ...rest) =>
      String(path).endsWith('places.f64') ? Promise.reject(new Error('too many')) : open(path, ...rest);
    syncBuiltinESMExports();
    const grid = await openGrid();
    await expect(grid.rows()).rejects.toThrow('too many');
    fs.promises.open = open;
    syncBuiltinESMExports();
    const folder = join(cli.cwd, '.storeport', 'ui', 'fixes');
    expect(openFilesBelow(folder)).toEqual([]);
    expect(readdirSync(join(folder, grid.run))).toEqual([]);
    expect((await grid.rows()).total).toBe(3);
  });

  test('nothing that is kept can be read by others', async () => {
    await cli.importProducts(THREE_INVALID, 'one');
    const grid = await openGrid();
    await grid.edit({ op: 'drop', rows: [0] });
    const folder = join(cli.cwd, '.storeport', 'ui', 'fixes', grid.run);
    for (const file of filesBelow(folder)) expect(statSync(file).mode & 0o077).toBe(0);
    expect(filesBelow(folder).length).toBeGreaterThan(3);
  });
});

describe('corrections', () => {
  test('a replacement concerns every occurrence in one column, of one cause or of all rows', async () => {
    await cli.importProducts('name,reference,price.salePrice\nA,1,a-a\nB,2,a\n,3,5\n', 'one');
    const grid = await openGrid();
    const { causes } = await grid.rows();
    const required = causes.findIndex(({ code }) => code === 'required');
    const price = { op: 'replace', column: 2, find: 'a', text: '1' } as const;
    expect(await grid.edit({ ...price, cause: 0 })).toMatchObject({ corrected: 2, changed: 2 });
    expect((await grid.rows()).rows.map(({ cells }) => cells[2])).toEqual(['1-1', '1', '5']);
    expect(await grid.edit({ ...price, find: '1', text: '25' })).toMatchObject({ corrected: 2, changed: 2 });
    expect(await grid.edit({ ...price, find: '5', text: '6' })).toMatchObject({ corrected: 3, changed: 3 });
    const empty = { op: 'replace', column: 0, find: '', text: 'New', cause: required } as const;
    expect(await grid.edit(empty)).toMatchObject({ corrected: 3, changed: 1 });
    expect((await grid.rows()).rows.map(({ cells }) => cells[0])).toEqual(['A', 'B', 'New']);
    expect(await grid.edit({ op: 'undo' })).toMatchObject({ changed: 1, canRedo: true });
  });

  test('a row that is left out is not corrected, and one that has its old text again is not either', async () => {
    await cli.importProducts(THREE_INVALID, 'one');
    const grid = await openGrid();
    const set = (text: string): FixRows => ({ op: 'set', cells: [{ index: 1, column: 2, text }] });
    expect(await grid.edit(set('5'))).toMatchObject({ corrected: 1, changed: 1 });
    expect(await grid.edit({ op: 'drop', rows: [1] })).toMatchObject({ corrected: 0, changed: 0 });
    expect((await grid.rows()).rows[1]).toMatchObject({ isDropped: true, edited: [2] });
    expect(await grid.edit({ op: 'keep', rows: [1] })).toMatchObject({ corrected: 1 });
    expect(await grid.edit(set('def'))).toMatchObject({ corrected: 0, changed: 1 });
    await expect(grid.words()).rejects.toThrow('No row was corrected yet');
  });

  test('places that do not exist are refused', async () => {
    await cli.importProducts(THREE_INVALID, 'one');
    const grid = await openGrid();
    const set = (index: number, column: number): FixRows => ({
      op: 'set',
      cells: [{ index, column, text: 'x' }],
    });
    await expect(grid.edit(set(3, 0))).rejects.toThrow('There is no row 3');
    // The columns of storeport identify the row.
    await expect(grid.edit(set(0, 3))).rejects.toThrow('There is no such column');
    expect(await grid.edit({ op: 'undo' })).toMatchObject({ changed: 0, canUndo: false });
  });

  test('undo and redo restore what was there, also after the server was started again', async () => {
    const place = { index: fc.nat(2), column: fc.nat(2) };
    const text = fc.constantFrom('', '1', 'a', 'abc', '=1', 'ü\u2028', 'line\nend');
    const edit: fc.Arbitrary<FixRows> = fc.oneof(
      fc.record({
        op: fc.constant('set' as const),
        cells: fc.array(fc.record({ ...place, text }), { minLength: 1 }),
      }),
      fc.record({
        op: fc.constant('replace' as const),
        column: fc.nat(2),
        find: text,
        text,
        cause: fc.nat(1),
      }),
      fc.record({ op: fc.constant('replace' as const), column: fc.nat(2), find: text, text }),
      fc.record({
        op: fc.constantFrom('drop' as const, 'keep' as const),
        rows: fc.array(fc.nat(2), { minLength: 1 }),
      }),
    );
    await cli.importProducts('name,reference,price.salePrice\nA,1,a\n,2,b\nC,3,\u2028c\n', 'one');
    const run = await latestRunIn(cli.cwd);
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), fc.nat(6), async (edits, back) => {
        rmSync(join(cli.cwd, '.storeport', 'ui'), { recursive: true, force: true });
        const grid = await openGrid(run);
        const shown = async (from = grid) => {
          const { rows, corrected } = await from.rows();
          return JSON.stringify([rows, corrected]);
        };
        const states = [await shown()];
        for (const each of edits) {
          await grid.edit(each);
          states.push(await shown());
        }
        const steps = Math.min(back, edits.length);
        for (let n = 1; n <= steps; n++) {
          await grid.edit({ op: 'undo' });
          expect(await shown()).toBe(states[edits.length - n]);
        }
        expect(await shown(await openGrid(run))).toBe(states[edits.length - steps]);
        for (let n = steps - 1; n >= 0; n--) {
          await grid.edit({ op: 'redo' });
          expect(await shown()).toBe(states[edits.length - n]);
        }
        const { corrected, rows } = await (await openGrid(run)).rows();
        expect(corrected).toBe(
          rows.filter(({ edited, isDropped }) => edited.length > 0 && !isDropped).length,
        );
      }),
      { numRuns: scaledRuns(25) },
    );
  }, 120_000);

  test('a step that a crash cut is gone, and those before it are not', async () => {
    await cli.importProducts(THREE_INVALID, 'one');
    const grid = await openGrid();
    await grid.edit({ op: 'set', cells: [{ index: 0, column: 2, text: '5' }] });
    const log =
      filesBelow(join(cli.cwd, '.storeport', 'ui')).find((file) => file.endsWith('edits.ndjson')) ?? '';
    appendFileSync(log, '{"step":{"op":"set","cel');
    const again = await openGrid();
    expect((await again.rows()).rows[0]?.cells[2]).toBe('5');
    await again.edit({ op: 'set', cells: [{ index: 1, column: 2, text: '6' }] });
    expect((await (await openGrid()).rows()).rows.map(({ cells }) => cells[2])).toEqual(['5', '6', 'ghi']);
  });

  test('a crash while steps become a part of the rows loses none of them', async () => {
    await cli.importProducts(THREE_INVALID, 'one');
    const grid = await openGrid();
    const long = 'x'.repeat(1_000_000);
    const places = [0, 1, 2].flatMap((index) => [0, 1, 2].map((column) => ({ index, column, text: long })));
    await grid.edit({ op: 'set', cells: places.slice(0, 5) });
    const { renameSync } = fs;
    fs.renameSync = (from, to) => {
      renameSync(from, to);
      if (String(from).endsWith('.part')) throw new Error('a crash');
    };
    syncBuiltinESMExports();
    await expect(grid.edit({ op: 'set', cells: places.slice(5) })).rejects.toThrow('a crash');
    fs.renameSync = renameSync;
    syncBuiltinESMExports();
    const view = await (await openGrid()).rows();
    expect(
      cellsOf(view)
        .flat()
        .every((cell) => cell.startsWith('xxx')),
    ).toBe(true);
    expect(view).toMatchObject({ corrected: 3, canUndo: true });
  });

  test.each(['index.json', 'edits.ndjson'])(
    'a power cut that leaves nothing of %s loses the corrections of one run, and no more',
    async (name) => {
      await cli.importProducts(THREE_INVALID, 'one');
      const grid = await openGrid();
      await grid.edit({ op: 'set', cells: [{ index: 0, column: 2, text: '5' }] });
      const files = filesBelow(join(cli.cwd, '.storeport', 'ui'));
      const file = files.find((each) => each.endsWith(name)) ?? '';
      writeFileSync(file, Buffer.alloc(name === 'index.json' ? 0 : readFileSync(file).length, '\0\n'));
      expect(cellsOf(await (await openGrid()).rows()).map((cells) => cells[2])).toEqual([
        'abc',
        'def',
        'ghi',
      ]);
      const again = await openGrid();
      await again.edit({ op: 'set', cells: [{ index: 1, column: 2, text: '6' }] });
      expect((await (await openGrid()).rows()).corrected).toBe(1);
      writeFileSync(file, '');
      await cli.importProducts(THREE_INVALID.replaceAll(/,([A-Z]),/g, ',$1-2,'), 'two');
      expect((await (await openGrid()).rows()).total).toBe(3);
    },
  );

  test('many steps become a part of the rows, and the last ones can still be undone', async () => {
    await cli.importProducts(THREE_INVALID, 'one');
    const grid = await openGrid();
    await grid.edit({ op: 'drop', rows: [2] });
    const set = (n: number): FixRows => ({
      op: 'set',
      cells: [{ index: n % 2, column: 2, text: `v${n}` }],
    });
    for (let n = 0; n < 2; n++) await grid.edit(set(n));
    // Most are steps of an earlier server: each request would take some milliseconds.
    const written = editFiles()[0] as string;
    const line = readFileSync(written, 'utf8').trimEnd().split('\n').at(-1) ?? '';
    for (let n = 2; n < 495; n++)
      appendFileSync(written, `${JSON.stringify({ ...JSON.parse(line), step: set(n) })}\n`);
    const later = await openGrid();
    for (let n = 495; n <= 502; n++) await later.edit(set(n));
    const { rows, corrected } = await (await openGrid()).rows();
    expect(rows.map(({ cells }) => cells[2])).toEqual(['v502', 'v501', 'ghi']);
    expect(rows[2]?.isDropped).toBe(true);
    expect(corrected).toBe(2);
    for (let n = 0; n < 100; n++) await later.edit({ op: 'undo' });
    expect((await later.rows()).rows.map(({ cells }) => cells[2])).toEqual(['v402', 'v401', 'ghi']);
    const log = editFiles();
    expect(log).toHaveLength(1);
    expect(readFileSync(log[0] as string, 'utf8').split('\n').length).toBeLessThan(300);
  }, 60_000);
});

describe('two tabs on one grid', () => {
  const set = (index: number, text: string): FixRows => ({ op: 'set', cells: [{ index, column: 2, text }] });

  test('an edit or an undo of rows that another tab has changed is refused, and changes nothing', async () => {
    await cli.importProducts(THREE_INVALID, 'one');
    const grid = await openGrid();
    const { version } = await grid.rows();
    const first = await grid.edit(set(0, '5'), version);
    for (const edit of [set(0, '7'), set(1, '7'), { op: 'undo' } as const])
      await expect(grid.edit(edit, version)).rejects.toThrow('These rows changed elsewhere');
    const shown = await grid.rows();
    expect(shown.version).toBe(first.version);
    expect(cellsOf(shown).map((cells) => cells[2])).toEqual(['5', 'def', 'ghi']);
    expect(await grid.edit(set(1, '6'), shown.version)).toMatchObject({ corrected: 2 });
  });

  test('an edit of rows that have other places meanwhile is refused', async () => {
    await cli.importProducts(THREE_INVALID, 'one');
    const grid = await openGrid();
    const { version } = await grid.edit(set(0, '7'));
    await cli.run('import', ...(await grid.words()), '--out', 'two');
    await expect(grid.edit(set(0, '8'), version)).rejects.toThrow('These rows changed elsewhere');
  });

  test('a check leaves the version, since it changes no correction', async () => {
    await cli.importProducts(THREE_INVALID, 'one');
    const grid = await openGrid();
    const { version } = await grid.edit(set(0, 'xyz'));
    const { words, keepCheck } = await grid.toSend();
    await cli.run('validate', ...words, '--out', 'check');
    await keepCheck(join(cli.cwd, 'check/errors.csv'));
    expect(await grid.edit(set(0, '5'), version)).toMatchObject({ changed: 1 });
  });
});

describe('corrected.csv', () => {
  test('corrected rows arrive, and the first run is complete', async () => {
    await cli.importProducts(THREE_INVALID, 'one', '--set', 'description=-5 = a');
    const grid = await openGrid();
    await grid.edit({ op: 'set', cells: [{ index: 0, column: 2, text: '7' }] });
    await grid.edit({ op: 'replace', column: 2, find: 'def', text: '8' });
    await grid.edit({ op: 'drop', rows: [2] });
    const words = await grid.words();
    expect(words).toEqual(['products', 'one/corrected.csv', '--set=description=-5 = a']);
    expect(readTable(join(cli.cwd, 'one/corrected.csv')).map(({ reference }) => reference)).toEqual([
      'M',
      'P',
    ]);
    expect((await cli.run('validate', ...words, '--out', 'check')).code).toBe(0);
    expect((await cli.run('import', ...words, '--out', 'two')).code).toBe(0);
    expect(booksOf(cli.reports('two'))).toEqual({ balanced: true, counted: { created: 2 } });
    expect(cli.references().sort()).toEqual(['C', 'M', 'P', 'T']);
    expect(cli.products().map(({ description }) => description)).toEqual(Array(4).fill('-5 = a'));
    expect(await cli.outcomesOf(grid.run)).toEqual({ created: 4, invalid: 1 });
    await cli.run('run', 'report', grid.run);
    expect(booksOf(cli.reports('one')).balanced).toBe(true);
    expect(cli.reports('one').errors.map(({ reference }) => reference)).toEqual(['J']);
    // The grid has only the row that was left out.
    expect(await grid.rows()).toMatchObject({
      total: 1,
      corrected: 0,
      rows: [{ cells: ['Jar', 'J', 'ghi'], isDropped: true }],
    });
  });

  test('corrections of other rows stay when some rows arrive', async () => {
    await cli.importProducts(THREE_INVALID, 'one');
    const grid = await openGrid();
    await grid.edit({ op: 'set', cells: [{ index: 0, column: 2, text: '7' }] });
    await cli.run('import', ...(await grid.words()), '--out', 'two');
    // Row 3 arrives while the corrections of the others are being made.
    await cli.run('run', 'report', grid.run);
    const other = await openGrid(grid.run);
    await other.edit({ op: 'set', cells: [{ index: 1, column: 2, text: 'still wrong' }] });
    const [pot] = readTable(join(cli.cwd, 'one/errors.csv'));
    const names = Object.keys(pot ?? {});
    cli.writeLines(
      'by-hand.csv',
      names.join(),
      names
        .map((name) => (name === 'price.salePrice' ? '8' : name === 'storeport_message' ? '' : pot?.[name]))
        .join(),
    );
    await cli.run('import', 'products', 'by-hand.csv', '--out', 'three');
    expect(cellsOf(await other.rows())).toEqual([['Jar', 'J', 'still wrong']]);
    expect(await other.rows()).toMatchObject({
      corrected: 1,
      canUndo: false,
      rows: [{ index: 0, edited: [2] }],
    });
  });

  test('a row that failed again has the cells that were sent, and its number in the first file', async () => {
    await cli.importProducts(THREE_INVALID, 'one');
    const grid = await openGrid();
    await grid.edit({ op: 'set', cells: [{ index: 0, column: 2, text: 'xyz' }] });
    await cli.run('import', ...(await grid.words()), '--out', 'two');
    expect(cli.reports('two').errors[0]?.storeport_message).toMatch(/^row 2, /);
    const { rows, corrected } = await grid.rows();
    expect(rows[0]).toMatchObject({ row: 3, cells: ['Mug', 'M', 'xyz'], edited: [] });
    expect(rows[0]?.message).toMatch(/^row 3, .*"xyz"/);
    expect(corrected).toBe(0);
  });

  test.each(['csv', 'xlsx'])(
    'texts that a spreadsheet would run are imported as they are, with errors as %s',
    async (form) => {
      const texts = ['=1+1', "'=1+1", "'quoted", '-5', '+41 79', '@x', 'a\nb', '"', ' x ', 'ü\u2028z'];
      const rows = texts.map((_, at) => `,R${at}`).join('\n');
      await cli.importProducts(`name,reference\n${rows}\n`, 'one', '--errors-as', form);
      const grid = await openGrid();
      await grid.edit({ op: 'set', cells: texts.map((text, index) => ({ index, column: 0, text })) });
      expect((await grid.rows()).rows.map(({ cells }) => cells[0])).toEqual(texts);
      expect((await cli.run('import', ...(await grid.words()), '--out', 'two')).code).toBe(0);
      // The apostrophe before a formula is how files mark it as a text.
      const expected = texts.map((text) => (text === "'=1+1" ? '=1+1' : text.trim()));
      expect(
        cli
          .products()
          .map(({ name }) => String(name).trim())
          .sort(),
      ).toEqual(expected.sort());
    },
  );

  test('a record of several rows is sent whole', async () => {
    cli.writeLines(
      'shop.yaml',
      'resource: products',
      'group: { by: Code }',
      'fields:',
      '  name: Name',
      '  reference: Code',
      '  variants: { each: row, fields: { name: Size } }',
    );
    cli.writeLines('in.csv', 'Code,Name,Size', 'A,,S', 'A,,M', 'B,,L');
    await cli.run('import', 'products', 'in.csv', '--mapping', './shop.yaml', '--out', 'one');
    const grid = await openGrid();
    expect((await grid.rows()).total).toBe(3);
    await grid.edit({ op: 'set', cells: [{ index: 0, column: 1, text: 'Name' }] });
    const words = await grid.words();
    expect(words).toContain('--mapping=shop.yaml');
    expect(readTable(join(cli.cwd, 'one/corrected.csv')).map(({ Code, Size }) => [Code, Size])).toEqual([
      ['A', 'S'],
      ['A', 'M'],
    ]);
  });

  test.each([
    ['of a record that has it further up', 'B', ['S', 'B'], ['B']],
    ['itself', 'S', ['A', 'S', 'B'], ['A', 'B']],
  ])('a row that several records share is sent with a correction %s', async (_, changed, sent, arrived) => {
    cli.writeLines(
      'shop.yaml',
      'resource: products',
      'group: { name: SKU, parts: { from: Parts, split: "|" }, shared: true }',
      'fields:',
      '  reference: { from: SKU, across: lead }',
      '  name: { from: Name, across: lead }',
      '  variants: { each: child, fields: { reference: SKU, price.salePrice: { from: Price, number: true } } }',
    );
    const price = changed === 'S' ? 'x' : '1';
    const name = changed === 'S' ? 'Name' : '';
    cli.writeLines('in.csv', 'SKU,Name,Price,Parts', `A,${name},,S`, `B,${name},,S`, `S,Small,${price},`);
    await cli.run('import', 'products', 'in.csv', '--mapping', './shop.yaml', '--out', 'one');
    const grid = await openGrid();
    const index = cellsOf(await grid.rows()).findIndex(([sku]) => sku === changed);
    const cell = changed === 'S' ? { column: 2, text: '7' } : { column: 1, text: 'Name' };
    await grid.edit({ op: 'set', cells: [{ index, ...cell }] });
    const words = await grid.words();
    expect(readTable(join(cli.cwd, 'one/corrected.csv')).map(({ SKU }) => SKU)).toEqual(sent);
    expect((await cli.run('import', ...words, '--out', 'two')).code).toBe(0);
    expect(cli.references().sort()).toEqual(arrived);
  });

  test('nothing is kept about a run whose rows have all arrived', async () => {
    await cli.importProducts(THREE_INVALID, 'one');
    const grid = await openGrid();
    await grid.edit({ op: 'replace', column: 2, find: 'abc', text: '7' });
    await grid.edit({ op: 'replace', column: 2, find: 'def', text: '7' });
    const words = await grid.words();
    const check = join(cli.cwd, '.storeport/ui/checks', grid.run);
    mkdirSync(check, { recursive: true });
    expect((await cli.run('import', ...words, '--out', 'two')).code).toBe(0);
    const runs = createRuns(uiContextIn(cli.cwd));
    await runs.dropFixed(grid.run);
    // One row has not arrived.
    expect(readdirSync(join(cli.cwd, '.storeport/ui/fixes'))).toEqual([grid.run]);
    await grid.edit({ op: 'replace', column: 2, find: 'ghi', text: '7' });
    expect((await cli.run('import', ...(await grid.words()), '--out', 'three')).code).toBe(0);
    await runs.dropFixed(grid.run);
    expect(readdirSync(join(cli.cwd, '.storeport/ui/fixes'))).toEqual([]);
    expect(existsSync(check)).toBe(false);
    expect((await grid.rows()).total).toBe(0);
  });

  test('it is kept by the server if the folder of the reports is gone', async () => {
    await cli.importProducts(THREE_INVALID, 'one');
    rmSync(join(cli.cwd, 'one'), { recursive: true });
    const grid = await openGrid();
    await grid.edit({ op: 'set', cells: [{ index: 0, column: 2, text: '7' }] });
    const words = await grid.words();
    expect(words[1]).toBe(`.storeport/ui/fixes/${grid.run}/corrected.csv`);
    expect((await cli.run('import', ...words, '--out', 'two')).code).toBe(0);
    expect(readdirSync(cli.cwd)).not.toContain('one');
  });
});
