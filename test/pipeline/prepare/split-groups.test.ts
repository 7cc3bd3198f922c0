import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Checkpoint } from '../../../src/ledger/index.ts';
import { openInputs } from '../../../src/pipeline/index.ts';
import { prepareRecords } from '../../../src/pipeline/prepare/prepare-records.ts';
import { readAndGroup } from '../../../src/pipeline/prepare/read-and-group.ts';
import { products } from '../../../src/resources/products.ts';
import { openFilesBelow } from '../../support/open-files.ts';
import { scaledRuns } from '../../support/property-tests.ts';
import { temporaryFolder } from '../../support/run.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
const shared = { resource: products, mode: 'create' } as const;
const HEADER = 'SKU,Name,Size,Price';

const sizes = { each: 'row', fields: { size: 'Size' } };
const FIELDS = { name: 'Name', reference: 'SKU', 'price.salePrice': 'Price', variants: sizes };

interface Given {
  readonly mapping?: object;
  readonly from?: Checkpoint;
  readonly stdin?: string;
}

async function opened(files: readonly (string | Buffer)[], { mapping, from, stdin }: Given = {}) {
  const file = join(folder, 'mine.json');
  writeFileSync(
    file,
    JSON.stringify({ resource: 'products', fields: FIELDS, group: { by: 'SKU' }, ...mapping }),
  );
  const paths = files.map((bytes, index) => {
    const path = join(folder, `${index + 1}.csv`);
    writeFileSync(path, bytes);
    return path;
  });
  const bytes = stdin === undefined ? undefined : Readable.from([Buffer.from(stdin)]);
  const stream = bytes && { stdinName: 'orders', stdin: () => bytes };
  const onWarning = () => {};
  const named = { files: stdin === undefined ? paths : ['-'], mapping: file, constants: {}, from };
  return openInputs({ ...shared, ...named, read: {}, ...stream, onWarning });
}

/** For each record the sizes of its rows, or the code of its issue. */
async function planned(inputs: Awaited<ReturnType<typeof opened>>) {
  const warnings: string[] = [];
  const records: string[] = [];
  const seqs: number[] = [];
  const marks: Checkpoint[] = [];
  const options = {
    ...{ ...shared, dryRun: false, offset: 0, maskContacts: false, fromSettings: {}, spillFolder: folder },
    onPrepared: () => {},
    onCheckpoint: (mark: Checkpoint) => marks.push(mark),
    onWarning: (message: string) => warnings.push(message.replaceAll(folder, '')),
  };
  for await (const batch of prepareRecords(inputs, options))
    for (const { record, key, outcome, operation } of batch) {
      seqs.push(record.seq);
      const variants = (operation?.payload.variants ?? []) as { readonly size?: string }[];
      records.push(
        outcome ? `${key}: ${outcome.code}` : `${key}: ${variants.map(({ size }) => size).join(' ')}`,
      );
    }
  for (const { mappingWarnings } of inputs.files)
    for (const { message, count } of mappingWarnings.all())
      warnings.push(`${count} × ${message.replaceAll(folder, '')}`);
  return { records, warnings, seqs, marks };
}

const text = (...lines: string[]) => `${[HEADER, ...lines].join('\n')}\n`;
const APART = ['T,Tee,S,9', 'C,Cap,One,5', 'T,,M,', 'D,Dot,One,1', 'T,,L,'];
const WHOLE = ['T: S M L', 'C: One', 'D: One'];

describe('a record whose rows are apart', () => {
  const long = Array.from({ length: 3000 }, (_, n) => `P${n},Name,S,1`);
  test.each<[string, readonly (string | Buffer)[], Given?]>([
    ['in a file', [text(...APART)]],
    ['in a gzipped file', [gzipSync(text(...APART))]],
    ['in UTF-16', [Buffer.from(`\ufeff${text(...APART)}`, 'utf16le')]],
    ['if quotes are irregular', [text('T,"Tee" ,S,9', ...APART.slice(1))]],
    [
      'if other columns come first',
      ['Name,Price,SKU,Size\nTee,9,T,S\nCap,5,C,One\n,,T,M\nDot,1,D,One\n,,T,L\n'],
    ],
    ['on standard input', [], { stdin: text(...APART) }],
    ['in two files', [text(...APART.slice(0, 2)), text(...APART.slice(2))]],
    [
      'in two files, if the record continues in the second',
      [text('T,Tee,S,9'), text('T,,M,', 'T,,L,', 'C,Cap,One,5', 'D,Dot,One,1')],
    ],
  ])('has all of them %s', async (_where, files, given = {}) => {
    const { records, seqs } = await planned(await opened(files, given));
    expect(records).toEqual(WHOLE);
    expect(seqs).toEqual([0, 1, 2]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('has all of them if several columns are the key', async () => {
    const variants = { each: 'row', fields: { size: 'Size' } };
    const fields = { name: 'Name', reference: { from: ['Brand', 'SKU'], join: '-' }, variants };
    const mapping = { group: { by: ['Brand', 'SKU'] }, fields };
    const lines = [
      ...['A,T,Tee,S', 'B,T,Top,S', 'A,C,Cap,One', 'A,T,Tee,M', 'B,T,Top,M'],
      ...['A,,Nib,S', 'A,,Nib,M', ',T,Nobody,S'],
    ];
    const { records, warnings } = await planned(
      await opened([`Brand,SKU,Name,Size\n${lines.join('\n')}\n`], { mapping }),
    );
    expect(records).toEqual(['A-T: S M', 'B-T: S M', 'A-C: One', 'A: S', 'A: duplicate-key', 'T: S']);
    expect(warnings).toEqual([
      '3 rows have no "Brand" or "SKU" in /1.csv, and each is a record of its own.',
      '2 × Rows of a record are apart from its others, and were put together with them.',
    ]);
  });

  test('has all of them in any order of rows', async () => {
    const groups = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 });
    const shuffled = groups.chain((counts) => {
      const rows = counts.flatMap((count, group) => Array.from({ length: count }, () => group));
      return fc.shuffledSubarray(rows, { minLength: rows.length });
    });
    await fc.assert(
      fc.asyncProperty(shuffled, async (order) => {
        const met = new Map<number, string[]>();
        const lines = order.map((group, row) => {
          const first = !met.has(group);
          met.set(group, [...(met.get(group) ?? []), `s${row}`]);
          return `G${group},${first ? 'Name' : ''},s${row},1`;
        });
        const { records, seqs } = await planned(await opened([text(...lines)]));
        expect(records).toEqual([...met].map(([group, all]) => `G${group}: ${all.join(' ')}`));
        expect(seqs).toEqual(records.map((_, index) => index));
      }),
      { numRuns: scaledRuns(60) },
    );
  });

  test('is the same in a run that is resumed from any checkpoint', async () => {
    const lines = long.map((line, n) => (n % 100 === 50 ? `P${n - 40},,M,1` : line));
    const { records, marks } = await planned(await opened([text(...lines)]));
    expect(records).toHaveLength(2970);
    expect(records).toContain('P10: S M');
    expect(marks.length).toBeGreaterThan(1);
    for (const from of marks) {
      const again: string[] = [];
      for await (const batch of readAndGroup(
        await opened([text(...lines)], { from }),
        { spillFolder: folder },
        from,
      ))
        again.push(
          ...batch.records.map(
            ({ rows }) => `${rows[0]?.cells[0]}: ${rows.map(({ cells }) => cells[2]).join(' ')}`,
          ),
        );
      expect(again).toEqual(records.slice(from.seq));
    }
  });

  test.each([
    ['carries values down', { carry: 'Name' }],
    ['skips rows', { skip: { when: { SKU: 'none' } } }],
  ])('a resumed run reads the files from their beginning if its mapping %s', async (_what, mapping) => {
    const { records, marks } = await planned(await opened([text(...long)], { mapping }));
    expect([records.length, marks]).toEqual([long.length, []]);
  });

  test('has all of them in JSON', async () => {
    const items = APART.map((line) => {
      const [SKU, Name, Size, Price] = line.split(',');
      return { SKU, ...(Name ? { Name } : {}), Size, ...(Price ? { Price: Number(Price) } : {}) };
    });
    const { records } = await planned(await opened([JSON.stringify(items)]));
    expect(records).toEqual(WHOLE);
  });

  test('has the rows that continue each of its parts', async () => {
    const mapping = { group: { by: 'SKU', empty: 'continues' } };
    const lines = ['T,Tee,S,9', ',,M,', 'C,Cap,One,5', 'T,,L,', ',,XL,'];
    expect((await planned(await opened([text(...lines)], { mapping }))).records).toEqual([
      'T: S M L XL',
      'C: One',
    ]);
  });

  test('has the lead that the mapping names, in any part', async () => {
    const mapping = { group: { by: 'SKU', lead: { Size: 'M' } } };
    expect((await planned(await opened([text(...APART)], { mapping }))).records).toEqual([
      'T: M S L',
      ...WHOLE.slice(1),
    ]);
  });

  test('lacks the rows that the mapping leaves out', async () => {
    const mapping = { skip: { when: { Size: 'M' } } };
    expect((await planned(await opened([text(...APART)], { mapping }))).records).toEqual([
      'T: S L',
      ...WHOLE.slice(1),
    ]);
  });

  test('is invalid as a whole if one row is invalid', async () => {
    const lines = ['T,Tee,S,9', 'C,Cap,One,5', 'T,,M,,too,many'];
    expect((await planned(await opened([text(...lines)]))).records).toEqual(['T: ragged-row', 'C: One']);
  });

  test('gives a warning, and a repeated row is used once', async () => {
    const { records, warnings } = await planned(await opened([text(...APART, 'C,Cap,One,5')]));
    expect(records).toEqual(WHOLE);
    expect(warnings).toEqual([
      '2 × Rows of a record are apart from its others, and were put together with them.',
      '1 × A row that is apart repeats a row of its record cell by cell, and was left out.',
    ]);
  });

  test('has each row once if it is re-imported from two runs', async () => {
    const returned = (run: string) =>
      `${HEADER},storeport_run,storeport_row\nT,Tee,S,9,${run},2\nT,,M,,${run},4\n`;
    const { records, warnings } = await planned(await opened([returned('r1'), returned('r2')]));
    expect(records).toEqual(['T: S M']);
    expect(warnings).toContain(
      '1 × A row that is apart repeats a row of its record cell by cell, and was left out.',
    );
  });

  test('is refused if its parts contradict each other', async () => {
    const { records, warnings } = await planned(
      await opened([text('T,Tee,S,9', 'C,Cap,One,5', 'T,Top,M,9')]),
    );
    expect(records).toEqual(['T: group-split', 'C: One']);
    // Nothing of it is sent, so no value is lost and no warning of that is given.
    expect(warnings).toEqual([expect.stringContaining('are apart from its others')]);
  });
});

describe('rows of one record that contradict each other', () => {
  test('give a warning for each column, which names both rows', async () => {
    const lines = ['T,Tee,S,9', 'T,Top,M,8', 'C,Cap,S,5', 'C,Cap,M,6'];
    const { records, warnings } = await planned(await opened([text(...lines)]));
    expect(records).toEqual(['T: S M', 'C: S M']);
    expect(warnings).toEqual([
      '1 × "Name": rows of one record differ, and the first is used for name, such as "Tee" in "/1.csv", row 2 and "Top" in "/1.csv", row 3. The other is lost. If these are several records, give each a "SKU" of its own; if the first is meant, write "across: first" into the mapping.',
      '2 × "Price": rows of one record differ, and the first is used for price.salePrice, such as "9" in "/1.csv", row 2 and "8" in "/1.csv", row 3. The other is lost. If these are several records, give each a "SKU" of its own; if the first is meant, write "across: first" into the mapping.',
    ]);
  });

  test.each([
    ['the mapping chooses one', { 'price.salePrice': { from: 'Price', across: 'first' } }],
    ['a list uses each of them', { variants: { each: 'row', fields: { size: 'Size', price: 'Price' } } }],
    ['an expression sees all rows', { model: { expression: '$sum($rows.Price)' } }],
  ])('give no warning if %s', async (_why, more) => {
    const mapping = { fields: { ...FIELDS, ...more } };
    const { warnings } = await planned(await opened([text('T,Tee,S,9', 'T,,M,8')], { mapping }));
    expect(warnings).toEqual([]);
  });

  test('are not rows whose cells differ only in blanks or in defused formulas', async () => {
    const { warnings } = await planned(await opened([text("T,'=Tee,S,9", 'T,=Tee ,M, 9')]));
    expect(warnings).toEqual([]);
  });

  test('are an issue if a row that continues the one above has another name', async () => {
    const mapping = { group: { by: 'SKU', empty: 'continues' } };
    const lines = ['T,Tee,S,9', ',Cap,M,5', 'D,Dot,S,1', ',Dot,M,1'];
    expect((await planned(await opened([text(...lines)], { mapping }))).records).toEqual([
      'T: group-conflict',
      'D: S M',
    ]);
  });
});

test('a reader that stops during the search for rows that are apart leaves no file open', async () => {
  const rows = Array.from({ length: 40_000 }, (_, n) => `P-${n},Product,S,1\n`).join('');
  const inputs = await opened([`${HEADER}\n${rows}`]);
  const before = openFilesBelow(folder).length;
  const options = {
    ...{ ...shared, dryRun: false, offset: 0, maskContacts: false, fromSettings: {}, spillFolder: folder },
    onPrepared: () => {},
    onWarning: () => {},
  };
  for await (const { records } of readAndGroup(inputs, options, undefined)) {
    expect(records).toEqual([]);
    expect(openFilesBelow(folder).length).toBeGreaterThan(before);
    break;
  }
  expect(openFilesBelow(folder).length).toBe(before);
});
