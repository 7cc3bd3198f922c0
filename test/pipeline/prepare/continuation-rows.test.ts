import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Checkpoint } from '../../../src/ledger/index.ts';
import { openInputs } from '../../../src/pipeline/index.ts';
import { prepareRecords } from '../../../src/pipeline/prepare/prepare-records.ts';
import { readAndGroup } from '../../../src/pipeline/prepare/read-and-group.ts';
import { products } from '../../../src/resources/products.ts';
import { temporaryFolder } from '../../support/run.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
const shared = { resource: products, mode: 'create' } as const;

/** Opens files of these lines with a mapping that groups their rows. */
async function opened(more: object, files: readonly (readonly string[])[], from?: Checkpoint) {
  const mapping = join(folder, 'mine.json');
  const fields = { name: 'Name', reference: 'SKU' };
  writeFileSync(mapping, JSON.stringify({ resource: 'products', fields, ...more }));
  const paths = files.map((lines, index) => {
    const path = join(folder, `${index + 1}.csv`);
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  });
  return openInputs({ ...shared, files: paths, mapping, constants: {}, read: {}, onWarning: () => {}, from });
}

async function planned(inputs: Awaited<ReturnType<typeof opened>>) {
  const marks: Checkpoint[] = [];
  const warnings: string[] = [];
  const rows: number[][] = [];
  const options = {
    ...{ ...shared, dryRun: true, offset: 0, maskContacts: false, fromSettings: {}, spillFolder: folder },
    onPrepared: () => {},
    onCheckpoint: (mark: Checkpoint) => marks.push(mark),
    onWarning: (message: string) => warnings.push(message.replaceAll(folder, '')),
  };
  for await (const batch of prepareRecords(inputs, options))
    rows.push(...batch.map(({ record }) => record.rows.map(({ row }) => row)));
  return { marks, warnings, rows };
}

const CONTINUED = { group: { by: 'SKU', empty: 'continues' } };

describe('a resumed run does not split a record', () => {
  test.each([
    ['that is continued', CONTINUED, (n: number) => [`P${n},Product,S`, ',,M', ',,L']],
    [
      'whose lead is further down',
      { group: { by: 'SKU', lead: { Size: 'M' } } },
      (n: number) => [`P${n},Product,S`, `P${n},,M`, `P${n},,L`],
    ],
  ])('%s', async (_what, mapping, rowsOf) => {
    const files = [['SKU,Name,Size', ...Array.from({ length: 5000 }, (_, n) => rowsOf(n)).flat()]];
    const { marks, rows } = await planned(await opened(mapping, files));
    expect(rows.every((each) => each.length === 3)).toBe(true);
    expect(marks.length).toBeGreaterThan(1);
    for (const from of marks) {
      const again: number[][] = [];
      for await (const { records } of readAndGroup(
        await opened(mapping, files, from),
        { spillFolder: folder },
        from,
      ))
        again.push(...records.map((record) => record.rows.map(({ row }) => row)));
      expect(again).toEqual(rows.slice(from.seq));
    }
  });
});

describe('rows that continue the row above', () => {
  test('do not continue a row of another file', async () => {
    const files = [
      ['SKU,Name,Size', 'A,Shirt,S', ',,M'],
      ['SKU,Name,Size', ',,L', 'B,Hat,S', ',,M'],
    ];
    const { rows, warnings } = await planned(await opened(CONTINUED, files));
    expect(rows).toEqual([[2, 3], [2], [3, 4]]);
    expect(warnings).toEqual([]);
  });

  test('are left out with the row above, and counted', async () => {
    const filled = ['A,Shirt,,S', ',,,M', 'B,Hat,old,S', ',,,M', ',,old,L', 'C,Cap,,S', ',,old,M', ',,,L'];
    const lines = ['SKU,Name,State,Size', ...filled];
    const inputs = await opened({ ...CONTINUED, skip: { when: { State: 'old' } } }, [lines]);
    expect((await planned(inputs)).rows).toEqual([
      [2, 3],
      [7, 9],
    ]);
    expect(inputs.files[0]?.skipped.rows).toBe(4);
  });

  test('continue the record above a header that repeats, if that row is left out alone', async () => {
    const lines = ['SKU,Name,Size', 'A,Shirt,S', ',,M', 'SKU,Name,Size', ',,L', 'TOTAL,,', 'B,Hat,S'];
    const skip = [{ when: { SKU: 'SKU' }, alone: true }, { when: { SKU: 'TOTAL' } }];
    const inputs = await opened({ ...CONTINUED, skip }, [lines]);
    expect((await planned(inputs)).rows).toEqual([[2, 3, 5], [7]]);
    expect(inputs.files[0]?.skipped.rows).toBe(2);
  });
});

test('rows without a key below rows with one give one warning for each file', async () => {
  const byKey = { group: { by: 'SKU' } };
  const files = [
    ['SKU,Name,Size', 'A,Shirt,S', ',,M', ',,L', 'B,Hat,S'],
    ['SKU,Name,Size', ',,S', 'C,Cap,S'],
    ['SKU,Name,Size', 'D,Sock,S', ',,M'],
  ];
  expect((await planned(await opened(byKey, files))).warnings).toEqual([
    '2 rows have no "SKU" in /1.csv, and each is a record of its own. If they continue the row above, write "empty: continues" into the mapping\'s group.',
    '1 row has no "SKU" in /3.csv, and it is a record of its own. If it continues the row above, write "empty: continues" into the mapping\'s group.',
  ]);
});
