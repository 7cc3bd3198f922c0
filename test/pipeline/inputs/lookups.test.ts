import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type LookupResolver, parseMapping } from '../../../src/map/index.ts';
import { ConfigError } from '../../../src/model/index.ts';
import { createLookupResolver, readLookups, uncheckedLookups } from '../../../src/pipeline/inputs/lookups.ts';
import { temporaryFolder } from '../../support/run.ts';

const TABLE = { file: 'brands.csv', key: 'Name', value: 'Code' } as const;

/** A mapping in a folder of its own, with its lookup file. */
function mappingBeside(csv: string | undefined) {
  const folder = temporaryFolder();
  if (csv !== undefined) writeFileSync(join(folder, 'brands.csv'), csv);
  const fields = { 'brand.name': { from: 'B', lookup: TABLE } };
  return parseMapping(join(folder, 'mine.yaml'), JSON.stringify({ resource: 'products', fields }));
}

async function finding(csv: string, ...keys: string[]) {
  const { tables } = await readLookups(mappingBeside(csv));
  const outside = createLookupResolver(tables, { dryRun: false });
  return keys.map((key) => outside.find(TABLE, key));
}

async function refusalOf(csv: string | undefined): Promise<string> {
  const error: unknown = await readLookups(mappingBeside(csv)).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  return [(error as ConfigError).message, ...(error as ConfigError).hints].join(' ');
}

describe('the folders that a lookup file may be in', () => {
  /** mappings/mine.yaml, mappings/deep/in.csv, elsewhere/out.csv, and links between them. */
  function folders() {
    const root = temporaryFolder();
    for (const name of ['mappings/deep', 'mappings-too', 'elsewhere'])
      mkdirSync(join(root, name), { recursive: true });
    for (const name of ['mappings/deep/in.csv', 'mappings-too/out.csv', 'elsewhere/out.csv'])
      writeFileSync(join(root, name), 'Name,Code\na,1\n');
    symlinkSync('../elsewhere', join(root, 'mappings', 'folder-link'));
    symlinkSync('../elsewhere/out.csv', join(root, 'mappings', 'link.csv'));
    symlinkSync('deep/in.csv', join(root, 'mappings', 'inner.csv'));
    symlinkSync('mappings', join(root, 'linked'));
    return root;
  }

  async function read(
    root: string,
    file: string,
    allowed: readonly string[] = [],
    mapping = 'mappings/mine.yaml',
  ) {
    const fields = { 'brand.name': { from: 'B', lookup: { ...TABLE, file } } };
    const text = JSON.stringify({ resource: 'products', fields });
    const { tables } = await readLookups(parseMapping(join(root, mapping), text), allowed);
    return tables.size;
  }

  test.each(['deep/in.csv', './deep/../deep/in.csv', 'inner.csv', '../mappings/deep/in.csv'])(
    'a lookup file %s is below the folder of the mapping, and is read',
    async (file) => {
      const root = folders();
      expect(await read(root, file)).toBe(1);
      expect(await read(root, file, [], 'linked/mine.yaml')).toBe(1);
      expect(await read(root, join(root, 'mappings', 'deep', 'in.csv'))).toBe(1);
    },
  );

  test.each([
    '../elsewhere/out.csv',
    '../mappings-too/out.csv',
    'deep/../../elsewhere/out.csv',
    'link.csv',
    'folder-link/out.csv',
    '../elsewhere/not-there.csv',
    'folder-link/not-there.csv',
    '/etc/passwd',
    '/etc/not-there',
    '/dev/zero',
    '..',
  ])('a lookup file %s is outside the folder of the mapping, and is refused unread', async (file) => {
    const root = folders();
    const refusal = await read(root, file).catch((error) => error);
    expect(refusal).toBeInstanceOf(ConfigError);
    expect(refusal.message).toContain(
      `looks things up in ${file}, which is outside of the folder of the mapping.`,
    );
    expect(refusal.hints[0]).toContain('with --allow-lookup');
  });

  test('an allowed folder includes all folders below it, and links are resolved first', async () => {
    const root = folders();
    const elsewhere = [join(root, 'elsewhere')];
    for (const file of ['../elsewhere/out.csv', 'link.csv', 'folder-link/out.csv'])
      expect(await read(root, file, elsewhere)).toBe(1);
    expect(await read(root, '../elsewhere/out.csv', [join(root, 'mappings', 'folder-link')])).toBe(1);
    expect(await read(root, '../elsewhere/out.csv', [root])).toBe(1);
    await expect(read(root, '../mappings-too/out.csv', elsewhere)).rejects.toThrow('outside of the folder');
  });

  test('a folder or a device is refused, since reading it might never end', async () => {
    await expect(read(folders(), 'deep')).rejects.toThrow('deep is not a file');
    await expect(read(folders(), '/dev/zero', ['/dev'])).rejects.toThrow('/dev/zero is not a file');
  });
});

describe('a lookup file', () => {
  test('is read in any dialect, by a path relative to the mapping', async () => {
    const csv =
      '\ufeffCode;Name;More\r\n QI ;Quiet Inkwell;x\r\n;No code;y\r\nTM;\u0041\u030angstr\u00f6m;z\r\n';
    expect(
      await finding(csv, 'quiet inkwell', ' Quiet Inkwell ', 'No code', '\u00c5NGSTR\u00d6M', '__proto__'),
    ).toEqual([
      { value: 'QI' },
      { value: 'QI' },
      { missing: 'unknown' },
      { value: 'TM' },
      { missing: 'unknown' },
    ]);
  });

  test('may repeat a value for a key; two values for one key are ambiguous', async () => {
    expect(await finding('Name,Code\na,1\nA,1\nb,1\nb,2\nb,1\n', 'a', 'b')).toEqual([
      { value: '1' },
      { missing: 'ambiguous' },
    ]);
  });

  test.each([
    ['does not exist', undefined, /^There is no file .*brands\.csv\.$/],
    [
      'does not have the column',
      'Name,Id\na,1\n',
      /^brands\.csv has no column "Code", which a lookup needs\. Its columns: Name, Id\.$/,
    ],
    ['has it twice', 'Name,Code,code\na,1,2\n', /^brands\.csv has 2 columns "Code"/],
    ['has a broken row', 'Name,Code\na,1\nb\n', /^brands\.csv, row 3: /],
    [
      'is too large',
      `Name,Code\n${'a,1\n'.repeat(6_000_000)}`,
      /^brands\.csv is too large to look things up in: it has 24000010 bytes\./,
    ],
  ])('is refused when it %s', async (_what, csv, words) => {
    expect(await refusalOf(csv)).toMatch(words);
  });

  test('is refused if its content is too large, even if it is small when compressed', async () => {
    const mapping = mappingBeside('');
    const packed = gzipSync(
      `Name,Code\n${Array.from({ length: 2_500 }, (_, n) => `${n},${'1'.repeat(9_000)}\n`).join('')}`,
    );
    writeFileSync(join(dirname(mapping.name), 'brands.csv'), packed);
    await expect(readLookups(mapping)).rejects.toThrow(
      /^brands\.csv is too large to look things up in: it exceeds that at row 2\d{3}\.$/,
    );
  });

  test('is read up to the size that the message names, even if its rows are short', async () => {
    const csv = `Name,Code\n${'Q,I\n'.repeat(1_000)}`;
    const { tables } = await readLookups(mappingBeside(csv), [], csv.length);
    const outside = createLookupResolver(tables, { dryRun: false });
    expect(outside.find(TABLE, 'q')).toEqual({ value: 'I' });
    await expect(readLookups(mappingBeside(`${csv}\n`), [], csv.length)).rejects.toThrow(
      `brands.csv is too large to look things up in: it has ${csv.length + 1} bytes.`,
    );
  });

  test('is part of the digest of the mapping, which resuming compares', async () => {
    const digests = await Promise.all(
      ['Name,Code\na,1\n', 'Name,Code\na,1\n', 'Name,Code\na,2\n'].map(async (csv) => {
        const { mapping } = await readLookups(mappingBeside(csv));
        return mapping.digest;
      }),
    );
    expect(digests[1]).toBe(digests[0]);
    expect(digests[2]).not.toBe(digests[0]);
  });
});

describe('lookups among records of earlier runs', () => {
  const known = new Map([
    ['Mill', { run: 'r', row: 2, ref: [1, 2] as const, id: 'i1' }],
    ['Lost', { run: 'r', row: 3, ref: [1, 3] as const }],
  ]);

  test('ask the ledger once for each key, and distinguish known, in doubt and unknown', async () => {
    const asked: string[] = [];
    const now = (keys: readonly string[]) => {
      asked.push(`suppliers: ${keys.join()}`);
      return known;
    };
    const history = { lookupAmong: async () => Object.assign(async () => known, { now }) };
    const among = ['suppliers'];
    const { find, fetch } = createLookupResolver(new Map(), { dryRun: false, history, among });
    await fetch(() => expect.unreachable('nothing must be collected'));
    expect(fetch(() => {})).toBeUndefined();
    expect(['Mill', ' Mill ', 'Lost', 'mill'].map((key) => find({ from: 'suppliers' }, key))).toEqual([
      { value: 'i1' },
      { value: 'i1' },
      { missing: 'in-doubt' },
      { missing: 'unknown' },
    ]);
    expect(asked).toEqual(['suppliers: Mill', 'suppliers: Lost', 'suppliers: mill']);
  });

  test('are fetched for a batch, also if the result of one is the key of another', async () => {
    const asked: string[][] = [];
    const ids = new Map([
      ['Mill', 'i1'],
      ['i1', 'i2'],
      ['Ford', 'i3'],
    ]);
    const lookup = async (keys: readonly string[]) => {
      asked.push([...keys]);
      const found = keys.flatMap((key) => {
        const id = ids.get(key);
        return id === undefined ? [] : [[key, { run: 'r', row: 2, ref: [1, 2] as const, id }] as const];
      });
      return new Map(found);
    };
    const history = { lookupAmong: async () => lookup };
    const among = ['suppliers'];
    const resolver = createLookupResolver(new Map(), { dryRun: false, history, among });
    const twice = ({ find }: LookupResolver, key: string) => {
      const first = find({ from: 'suppliers' }, key);
      return 'value' in first ? find({ from: 'suppliers' }, first.value) : first;
    };
    const keys = ['Mill', 'Ford', 'Nobody'];
    await resolver.fetch((collecting) => {
      for (const key of keys) twice(collecting, key);
    });
    expect(asked).toEqual([keys, ['i1', 'i3']]);
    expect(keys.map((key) => twice(resolver, key))).toEqual([
      { value: 'i2' },
      { missing: 'unknown' },
      { missing: 'unknown' },
    ]);
    expect(asked).toHaveLength(2);
    expect(() => resolver.find({ from: 'suppliers' }, 'Late')).toThrow('"Late" is looked up');
  });

  test('succeed in a check without a store, which names them as unchecked', () => {
    const asked = createLookupResolver(new Map(), { dryRun: true }).find({ from: 'suppliers' }, 'x');
    expect(asked).toMatchObject({ value: expect.any(String) });
    expect(createLookupResolver(new Map(), { dryRun: false }).find({ from: 'suppliers' }, 'x')).toEqual({
      missing: 'unknown',
    });
    expect(uncheckedLookups([{ from: 'suppliers' }, TABLE])).toContain('among the suppliers of earlier runs');
    expect(uncheckedLookups([TABLE])).toBeUndefined();
  });
});
