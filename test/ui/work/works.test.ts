import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { MappingEdit, MappingView, RecordsView, WorkLine, WorkView } from '../../../src/ui/api/index.ts';
import { workRoutes } from '../../../src/ui/work/routes.ts';
import { keepUpload, safeName } from '../../../src/ui/work/upload.ts';
import { openWorks } from '../../../src/ui/work/works.ts';
import { temporaryFolder } from '../../support/run.ts';
import { callerOf, uiContextIn } from '../../support/ui-context.ts';

/** The works of a server. A new one for the same folder is a server that was started again. */
function serverIn(folder: string) {
  const works = openWorks(uiContextIn(folder));
  const call = callerOf(workRoutes(works));
  return {
    works,
    list: () => call('GET /works') as Promise<readonly WorkLine[]>,
    open: (path: string) => call('POST /works', { path }) as Promise<WorkView>,
    view: (id: string) => call(`GET /works/${id}`) as Promise<WorkView>,
    /** `query`: such as `?version=3`. */
    change: (id: string, change: unknown, query = '') =>
      call(`PATCH /works/${id}${query}`, change) as Promise<WorkView>,
    mapping: (id: string) => call(`GET /works/${id}/mapping`) as Promise<MappingView>,
    edit: (id: string, edit: MappingEdit, query = '') =>
      call(`POST /works/${id}/mapping${query}`, edit) as Promise<MappingView>,
    save: (id: string, path: string, replace?: true) =>
      call(`POST /works/${id}/mapping/file`, {
        path,
        ...(replace ? { replace } : {}),
      }) as Promise<MappingView>,
    records: (id: string, query = '') => call(`GET /works/${id}/records?${query}`) as Promise<RecordsView>,
    remove: (id: string) => call(`DELETE /works/${id}`),
  };
}

const ROWS = `Artikel;Titel;Betrag
T-1;Tea;3,50
M-1;Mug;abc
C-1;Cup;4,00
`;

function shop(text: string | Buffer = ROWS, name = 'shop.csv') {
  const folder = temporaryFolder();
  writeFileSync(join(folder, name), text);
  return { folder, server: serverIn(folder) };
}

const setName: MappingEdit = { op: 'set', field: 'name', rule: { columns: ['Titel'] } };
const setReference: MappingEdit = { op: 'set', field: 'reference', rule: { columns: ['Artikel'] } };
const setPrice: MappingEdit = {
  ...{ op: 'set', field: 'price.salePrice' },
  rule: { columns: ['Betrag'], number: 'german' },
};

describe('edits of a mapping', () => {
  test('are undone and redone byte for byte, also by a server that was started again', async () => {
    const { folder, server } = shop();
    const { id } = await server.open('shop.csv');
    const texts = [(await server.mapping(id)).text];
    const edits: MappingEdit[] = [
      setName,
      setReference,
      setPrice,
      { op: 'constant', field: 'visibility', value: true },
      { op: 'group', by: ['Artikel'] },
      { op: 'remove', field: 'name' },
    ];
    for (const edit of edits) {
      const { text } = await server.edit(id, edit).catch(() => server.mapping(id));
      if (text !== texts.at(-1)) texts.push(text);
    }
    expect(texts.length).toBeGreaterThan(3);
    for (const text of texts.slice(0, -1).reverse())
      expect((await server.edit(id, { op: 'undo' })).text).toBe(text);
    const again = serverIn(folder);
    for (const text of texts.slice(1)) expect((await again.edit(id, { op: 'redo' })).text).toBe(text);
    expect((await again.edit(id, { op: 'redo' })).text).toBe(texts.at(-1));
  });

  test('a new edit after an undo drops what was undone', async () => {
    const { server } = shop();
    const { id } = await server.open('shop.csv');
    await server.edit(id, { op: 'constant', field: 'description', value: 'one' });
    await server.edit(id, { op: 'undo' });
    const view = await server.edit(id, { op: 'constant', field: 'description', value: 'two' });
    expect(view.text).toContain('two');
    expect([view.canUndo, view.canRedo]).toEqual([true, false]);
  });

  test('of an unknown field or column change nothing, and name the nearest', async () => {
    const { server } = shop();
    const { id } = await server.open('shop.csv');
    const { text } = await server.mapping(id);
    await expect(server.edit(id, { ...setName, field: 'nme' } as MappingEdit)).rejects.toThrow('"name"');
    await expect(server.edit(id, { op: 'set', field: 'name', rule: { columns: ['Titl'] } })).rejects.toThrow(
      '"Titel"',
    );
    expect((await server.mapping(id)).text).toBe(text);
  });
});

describe('questions about rows and numbers', () => {
  const TEXT = 'SKU;Titel;Preis\nA1;Tee;1.200\nA2;Kaffee;2.300\nA3;Kakao;3.450\n';
  const idOf = ({ questions }: MappingView, word: string) =>
    questions.find(({ text }) => text.includes(word))?.id ?? '';

  test('an answer makes another suggestion, which can be undone', async () => {
    const { folder, server } = shop(TEXT);
    const { id } = await server.open('shop.csv');
    const before = await server.mapping(id);
    expect(before.questions.map(({ text }) => text)).toEqual([
      'Preis has "1.200" in row 2, which can be read in two ways. Is it 1200?',
      'Preis has "1.200" in row 2, which can be read in two ways. Is it 1.2?',
    ]);
    const after = await server.edit(id, { op: 'answer', id: idOf(before, '1200?'), isYes: true });
    expect(after.text).toContain('price.salePrice: { from: Preis, number: german }');
    expect(after.questions).toEqual([]);
    expect((await serverIn(folder).mapping(id)).questions).toEqual([]);
    expect((await server.edit(id, { op: 'undo' })).text).toBe(before.text);
  });

  test('a no is not asked again, also by a server that was started again', async () => {
    const { folder, server } = shop(TEXT);
    const { id } = await server.open('shop.csv');
    const before = await server.mapping(id);
    const after = await server.edit(id, { op: 'answer', id: idOf(before, '1200?'), isYes: false });
    expect(after.text).toBe(before.text);
    expect(after.questions.map(({ text }) => text)).toEqual([expect.stringContaining('Is it 1.2?')]);
    const again = serverIn(folder);
    await again.edit(id, { op: 'answer', id: idOf(after, '1.2?'), isYes: false });
    expect((await again.mapping(id)).questions).toEqual([]);
  });

  test('a yes about words leaves their cells empty, and keeps other changes', async () => {
    const rows = Array.from({ length: 12 }, (_, n) => `A${n};Tee ${n};${n}.50`);
    const { server } = shop(['SKU;Titel;Preis', ...rows, 'B1;Kakao;auf Anfrage'].join('\n'));
    const { id } = await server.open('shop.csv');
    const before = await server.mapping(id);
    expect(before.sample).toEqual({ records: 13, valid: 12 });
    const after = await server.edit(id, { op: 'answer', id: idOf(before, 'auf Anfrage'), isYes: true });
    expect(after.text).toContain('replace: { match: ^(auf Anfrage)$ }');
    expect([after.sample, after.questions]).toEqual([{ records: 13, valid: 13 }, []]);
  });

  test('another table below the first is left out, and back with a no', async () => {
    const rows = Array.from({ length: 12 }, (_, n) => `A${n};Tee ${n};${n}.50`);
    const { server } = shop(['SKU;Titel;Preis', ...rows, ';;', 'SKU;Lieferant;', 'L;Acme;'].join('\n'));
    const { id } = await server.open('shop.csv');
    const before = await server.mapping(id);
    expect(before.text).toContain('until-blank-row: true');
    expect(before.sample).toEqual({ records: 12, valid: 12 });
    const after = await server.edit(id, {
      op: 'answer',
      id: idOf(before, 'Below a blank row'),
      isYes: false,
    });
    expect(after.text).not.toContain('until-blank-row');
    expect(after.sample.records).toBe(14);
    expect((await server.edit(id, { op: 'undo' })).text).toBe(before.text);
  });

  test('are not asked about a mapping that was changed by hand, and an answer to them is refused', async () => {
    const { server } = shop(TEXT);
    const { id } = await server.open('shop.csv');
    const before = await server.mapping(id);
    const changed = await server.edit(id, { op: 'constant', field: 'description', value: 'one' });
    expect(changed.questions).toEqual([]);
    await expect(server.edit(id, { op: 'answer', id: idOf(before, '1200?'), isYes: true })).rejects.toThrow(
      'not open any more',
    );
  });
});

test('a change of a work that another tab has changed is refused, and changes nothing', async () => {
  const { server } = shop();
  const { id, version } = await server.open('shop.csv');
  const query = `?version=${version}`;
  const after = await server.edit(id, setName, query);
  const refused = 'This file, or its mapping, changed elsewhere';
  await expect(server.edit(id, { op: 'undo' }, query)).rejects.toThrow(refused);
  await expect(server.edit(id, { op: 'text', text: 'resource: products' }, query)).rejects.toThrow(refused);
  await expect(server.change(id, { choice: { delimiter: ',' } }, query)).rejects.toThrow(refused);
  await expect(server.works.sourceWords(id, version)).rejects.toThrow(refused);
  expect(await server.mapping(id)).toMatchObject({ text: after.text, version: after.version });
  for (const edit of [setReference, setPrice]) {
    const shown = await server.mapping(id);
    await server.edit(id, edit, `?version=${shown.version}`);
  }
  // A check or an import writes the mapping to its file, which is no change of a person.
  const { version: last } = await server.view(id);
  await server.works.sourceWords(id, last);
  await server.works.sourceWords(id, last);
});

describe('a mapping file', () => {
  test('that somebody else changed is not overwritten, and the error says what to do', async () => {
    const { folder, server } = shop();
    const { id } = await server.open('shop.csv');
    await server.edit(id, setName);
    await server.edit(id, setReference);
    await server.save(id, 'shop.mapping.yaml');
    const file = join(folder, 'shop.mapping.yaml');
    writeFileSync(file, `${readFileSync(file, 'utf8')}# mine\n`);
    await server.edit(id, setPrice);
    await expect(server.works.sourceWords(id)).rejects.toMatchObject({
      message: expect.stringContaining('was changed by somebody else'),
      hints: [expect.stringContaining('another name')],
    });
    expect(readFileSync(file, 'utf8')).toContain('# mine');
  });

  test('that was chosen, and changed since, is not used in place of the one that was shown', async () => {
    const { folder, server } = shop();
    const file = join(folder, 'own.yaml');
    const text = 'resource: products\nfields:\n  name: Titel\n  reference: Artikel\n';
    writeFileSync(file, text);
    const { id } = await server.open('shop.csv');
    await server.change(id, { mapping: 'file:own.yaml' });
    expect(await server.works.sourceWords(id)).toContain('./own.yaml');
    writeFileSync(file, text.replace('Titel', 'Betrag'));
    await expect(server.works.sourceWords(id)).rejects.toThrow('own.yaml was changed');
    await server.change(id, { mapping: 'file:own.yaml' });
    expect(await server.works.sourceWords(id)).toContain('./own.yaml');
  });

  test('that exists is replaced only if the user says so', async () => {
    const { folder, server } = shop();
    writeFileSync(join(folder, 'notes.yaml'), 'mine');
    const { id } = await server.open('shop.csv');
    await server.edit(id, setName);
    await expect(server.save(id, 'notes.yaml')).rejects.toThrow('exists already');
    expect(readFileSync(join(folder, 'notes.yaml'), 'utf8')).toBe('mine');
    const { text, savedAs, isUnsaved } = await server.save(id, 'notes.yaml', true);
    expect([savedAs, isUnsaved]).toEqual(['notes.yaml', false]);
    expect(readFileSync(join(folder, 'notes.yaml'), 'utf8')).toBe(text);
  });

  test('that is changed finds its lookups as before, and is written beside the one that was chosen', async () => {
    const { folder, server } = shop();
    mkdirSync(join(folder, 'maps'));
    writeFileSync(join(folder, 'maps', 'brands.csv'), 'code,brand\nTea,Leaf\nCup,Clay\nMug,Clay\n');
    writeFileSync(
      join(folder, 'maps', 'own.yaml'),
      [
        'resource: products',
        'fields:',
        '  name: Titel',
        '  reference: Artikel',
        '  brand.name: { from: Titel, lookup: { file: brands.csv, key: code, value: brand } }',
        '',
      ].join('\n'),
    );
    const { id } = await server.open('shop.csv');
    await server.change(id, { mapping: 'file:maps/own.yaml' });
    const { faults } = await server.edit(id, setPrice);
    expect(faults).toEqual([]);
    const { records } = await server.records(id);
    expect(records).toMatchObject([{ payload: { brand: { name: 'Leaf' }, price: { salePrice: 3.5 } } }]);
    const words = await server.works.sourceWords(id);
    expect(words).toContain('maps/shop.mapping.yaml');
    expect(readFileSync(join(folder, 'maps/shop.mapping.yaml'), 'utf8')).toContain('Betrag');
    expect((await server.mapping(id)).faults).toEqual([]);
  });

  test('is written below the folder of the server, and with the ending of mappings', async () => {
    const { server } = shop();
    const { id } = await server.open('shop.csv');
    await server.edit(id, setName);
    await expect(server.save(id, '../outside.yaml')).rejects.toThrow('is not in');
    await expect(server.save(id, 'shop.csv', true)).rejects.toThrow('.yaml');
  });
});

describe('records', () => {
  async function mapped() {
    const { folder, server } = shop();
    const { id } = await server.open('shop.csv');
    for (const edit of [setName, setReference, setPrice]) await server.edit(id, edit);
    return { folder, server, id };
  }

  test('are shown one after another, with the cells that each field comes from', async () => {
    const { server, id } = await mapped();
    const first = await server.records(id, 'count=1');
    expect(first.records).toMatchObject([
      {
        ...{ index: 0, payload: { name: 'Tea', reference: 'T-1', price: { salePrice: 3.5 } } },
        rows: [{ row: 2, cells: { Artikel: 'T-1', Titel: 'Tea', Betrag: '3,50' } }],
        links: expect.arrayContaining([{ field: 'price.salePrice', columns: ['Betrag'] }]),
      },
    ]);
    const second = await server.records(id, `from=${first.next}&count=5`);
    expect(second.records.map(({ key }) => key)).toEqual(['M-1', 'C-1']);
    expect(second.next).toBeNull();
  });

  test('are found by their key, and by having an issue', async () => {
    const { server, id } = await mapped();
    expect((await server.records(id, 'key=C-1')).records.map(({ index }) => index)).toEqual([2]);
    expect((await server.records(id, 'key=none')).records).toEqual([]);
    const wrong = await server.records(id, 'issues=1&count=10');
    expect(wrong.records).toMatchObject([{ key: 'M-1', issues: [{ row: 3, column: 'Betrag' }] }]);
  });

  test('have the cells that belong to no column', async () => {
    const { folder, server, id } = await mapped();
    const file = join(folder, 'shop.csv');
    writeFileSync(file, readFileSync(file, 'utf8').replace('3,50', '3,50;200'));
    const [first] = (await server.records(id, 'count=1')).records;
    expect(first).toMatchObject({
      rows: [{ cells: { Betrag: '3,50', storeport_surplus: '200' } }],
      issues: [{ code: 'ragged-row' }],
    });
  });

  test('with many long texts are shown in part', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `c${at}`);
    const row = (n: number) => [`T-${n}`, `Tea ${n}`, ...names.map(() => 'long '.repeat(1_000))].join(';');
    const rows = Array.from({ length: 50 }, (_, n) => row(n));
    const { server } = shop(`Artikel;Titel;${names.join(';')}\n${rows.join('\n')}\n`);
    const { id } = await server.open('shop.csv');
    for (const edit of [setName, setReference]) await server.edit(id, edit);
    const view = await server.records(id, 'count=50');
    expect(view.records).toHaveLength(50);
    expect(view.records[49]).toMatchObject({ payload: { name: 'Tea 49' } });
    expect(JSON.stringify(view).length).toBeLessThan(2_500_000);
  });

  test('need a column for each required field, and the error names the fields', async () => {
    const { server } = shop('a;b\n1;2\n');
    const { id } = await server.open('shop.csv');
    await expect(server.records(id)).rejects.toThrow(/no column yet for .*name/);
  });
});

describe('files', () => {
  test('show titles above the header as lines that are left out, until a number is chosen', async () => {
    const { server } = shop('Price list 2026;;\nArtikel;Titel;Betrag\nT-1;Tea;3,50\n');
    const { id, found } = await server.open('shop.csv');
    expect(found).toMatchObject({ skippedLines: 1, columns: ['Artikel', 'Titel', 'Betrag'] });
    expect(found?.head[0]).toMatchObject({ row: 3 });
    expect(found?.warnings).toEqual([expect.stringContaining('"Price list 2026"')]);
    const view = await server.change(id, { choice: { skipLines: 0 } });
    expect(view.found).toMatchObject({ skippedLines: 0, warnings: [expect.anything()] });
    expect(view.found?.columns[0]).toBe('Price list 2026');
  });

  test('stay in the list after a restart, with the way of reading that was chosen', async () => {
    const { folder, server } = shop('x\nArtikel;Titel\nT-1;Tea\n');
    const { id } = await server.open('shop.csv');
    await server.change(id, { choice: { skipLines: 1, delimiter: ';' } });
    const again = serverIn(folder);
    expect((await again.list()).map((line) => line.id)).toEqual([id]);
    const view = await again.view(id);
    expect(view).toMatchObject({ choice: { skipLines: 1 }, found: { columns: ['Artikel', 'Titel'] } });
    expect((await again.open('shop.csv')).id).toBe(id);
  });

  test.each([
    ['ASCII in all that was read of a long file', 'Tea', 20_000, 'UTF-8', true],
    ['ASCII to the end of a short one', 'Tea', 20, 'UTF-8', false],
    ['UTF-8', 'Thé', 20_000, 'UTF-8', false],
  ])('the encoding of a file is undecided only for %s', async (_what, name, rows, encoding, isUndecided) => {
    const folder = temporaryFolder();
    const lines = Array.from({ length: rows }, (_, n) => `R-${n},${name} with a longer name,${n}`);
    writeFileSync(join(folder, 'a.csv'), `reference,name,price.salePrice\n${lines.join('\n')}\n`);
    const { found } = await serverIn(folder).open('a.csv');
    expect(found).toMatchObject({ encoding, isGuessed: false, isUndecided });
  });

  test('that are gone, or that nobody can read, are shown with the reason, and can be removed', async () => {
    const { folder, server } = shop();
    const { id } = await server.open('shop.csv');
    writeFileSync(join(folder, 'shop.csv'), '');
    expect((await server.view(id)).failure?.message).toContain('shop.csv');
    rmSync(join(folder, 'shop.csv'));
    expect((await server.view(id)).failure?.message).toContain('There is no file');
    await server.remove(id);
    expect(await server.list()).toEqual([]);
    await expect(server.view(id)).rejects.toThrow('not in the list');
  });

  test('of another folder are neither listed nor opened, and are there again in their folder', async () => {
    const { folder, server } = shop();
    const { id } = await server.open('shop.csv');
    await server.edit(id, setName);
    const upload = await keepUpload(
      Readable.from([Buffer.from(ROWS)]) as never,
      'b.csv',
      server.works.uploads,
    );
    const dropped = await server.works.openUpload(upload);
    const other = join(folder, 'other');
    mkdirSync(other);
    const { home, ownFolder } = uiContextIn(folder);
    const works = openWorks({ ...uiContextIn(other), home, ownFolder });
    expect(works.list().map((line) => line.id)).toEqual([dropped.id]);
    expect((await works.view(dropped.id)).name).toBe('b.csv');
    for (const refused of [
      works.view(id),
      works.mapping(id),
      works.sourceWords(id),
      works.remove(id),
      works.records(id, { from: 0, count: 1, withIssues: false, left: new AbortController().signal }),
    ])
      await expect(refused).rejects.toThrow('is not in');
    expect((await server.list()).map((line) => line.id)).toContain(id);
  });

  test('with a mapping of another folder keep its text, and write it into their own', async () => {
    const { folder } = shop();
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    writeFileSync(join(inner, 'shop.csv'), ROWS);
    const { home, ownFolder } = uiContextIn(folder);
    const text = 'resource: products\nfields:\n  name: Titel\n  reference: Artikel\n';
    writeFileSync(join(folder, 'own.yaml'), text);
    const outer = serverIn(folder);
    const { id } = await outer.open('inner/shop.csv');
    await outer.change(id, { mapping: 'file:own.yaml' });
    const works = openWorks({ ...uiContextIn(inner), home, ownFolder });
    expect(await works.sourceWords(id)).toContain('./shop.mapping.yaml');
    expect(readFileSync(join(inner, 'shop.mapping.yaml'), 'utf8')).toBe(text);
  });

  test('that are removed take the reports of their checks with them', async () => {
    const { folder, server } = shop();
    const { id } = await server.open('shop.csv');
    const check = join(folder, '.storeport/ui/checks', id);
    mkdirSync(check, { recursive: true });
    await server.remove(id);
    expect([existsSync(check), existsSync(join(folder, 'shop.csv'))]).toEqual([false, true]);
  });

  test('do not vanish from the list with one whose state was lost in a power cut', async () => {
    const { folder, server } = shop();
    const { id } = await server.open('shop.csv');
    const works = join(folder, '.storeport/ui/works');
    mkdirSync(join(works, 'deadbeef'));
    writeFileSync(join(works, 'deadbeef/work.json'), '');
    expect((await server.list()).map((line) => line.id)).toEqual([id]);
  });

  test.each([
    ['an image', Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1'), 'image'],
    ['nothing', '', 'empty'],
    ['a broken archive', gzipSync('a,b\n1,2\n').subarray(0, 20), 'shop.csv'],
  ])('with %s get a clear failure, and stay open to another choice', async (_what, content, words) => {
    const { server } = shop(content);
    const view = await server.open('shop.csv');
    expect(view.failure?.message ?? view.found?.warnings.join()).toContain(words);
    expect(view.mapping).toBeNull();
  });
});

describe('files that are dropped on the page', () => {
  const drop = (server: ReturnType<typeof serverIn>, name: string, content: string) =>
    keepUpload(Readable.from([Buffer.from(content)]) as never, name, server.works.uploads);

  test('with one name do not overwrite each other', async () => {
    const { server } = shop();
    const one = await drop(server, 'shop.csv', ROWS);
    const other = await drop(server, 'shop.csv', ROWS.replaceAll('T-1', 'T-2'));
    expect(one).not.toBe(other);
    const digests = [one, other].map((path) => createHash('sha256').update(readFileSync(path)).digest('hex'));
    expect(new Set(digests).size).toBe(2);
    const view = await server.works.openUpload(one);
    expect(view).toMatchObject({ name: 'shop.csv', path: 'dropped on the page' });
    await server.remove(view.id);
    expect([existsSync(one), existsSync(other)]).toEqual([false, true]);
  });

  test('whose upload breaks off leave nothing', async () => {
    const { server } = shop();
    async function* broken() {
      yield Buffer.from(ROWS);
      throw new Error('reset');
    }
    await expect(
      keepUpload(Readable.from(broken()) as never, 'shop.csv', server.works.uploads),
    ).rejects.toThrow('reset');
    expect(readdirSync(server.works.uploads)).toEqual([]);
  });

  test('whose server was killed before they were whole are gone after the next start', async () => {
    const { folder, server } = shop();
    const whole = await drop(server, 'shop.csv', ROWS);
    const half = await drop(server, 'half.csv', ROWS);
    await server.works.openUpload(whole);
    serverIn(folder);
    expect([existsSync(whole), existsSync(half)]).toEqual([true, false]);
  });

  test('with a name of long characters are kept, with its end', () => {
    const name = safeName(`${'€'.repeat(100)}.csv`);
    expect(name).toMatch(/^€+\.csv$/);
    expect(Buffer.byteLength(name)).toBe(118);
    expect(safeName(`${'x'.repeat(300)}-${'y'.repeat(115)}.csv`)).toBe(`${'y'.repeat(115)}.csv`);
  });

  test.each([
    ['../../etc/passwd', '_.._etc_passwd'],
    ['C:\\Users\\me\\shop.csv', 'C__Users_me_shop.csv'],
    ['--out=x.csv', 'out=x.csv'],
    ['...', 'file'],
    ['', 'file'],
    ['a\u0000b\nc.csv', 'a_b_c.csv'],
    [`${'x'.repeat(300)}.csv.gz`, `${'x'.repeat(113)}.csv.gz`],
  ])('called %j are kept as %j', (name, kept) => {
    expect(safeName(name)).toBe(kept);
  });
});
