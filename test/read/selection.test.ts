import { describe, expect, test } from 'vitest';
import { ConfigError, MistypedError } from '../../src/model/index.ts';
import { type ReadOptions, settingsOf } from '../../src/read/options.ts';
import { readText } from '../support/read-text.ts';
import { makeWorkbook, textRow } from '../support/workbook.ts';

const TEXT = 'SKU,Name\nA,Mug\n"B\n2",Cup\n\nTotal ,2\nC,"Pot"\n,\nD,Pan\n';

/** Numbers of the rows that are read, and the count of the others. */
async function selected(options: ReadOptions, text: string | Buffer = TEXT, chunkBytes = 1000) {
  const { rows, source } = await readText(text, options, chunkBytes);
  return [rows.map(({ row }) => row), source.leftOutRows?.()];
}

describe('the rows of a text', () => {
  test.each<[ReadOptions, number[], number | undefined]>([
    [{}, [2, 3, 5, 6, 7, 8], undefined],
    [{ rows: '3-5' }, [3, 5], 4],
    [{ rows: '6-' }, [6, 7, 8], 3],
    [{ rows: '-2, 8' }, [2, 8], 4],
    [{ rows: '90-' }, [], 6],
    [{ skipRows: ['SKU=TOTAL'] }, [2, 3, 6, 7, 8], 1],
    [{ skipRows: [' sku = total', 'name=pan'] }, [2, 3, 6, 7], 2],
    [{ skipRows: ['SKU='] }, [2, 3, 5, 6, 8], 1],
    [{ untilBlankRow: true }, [2, 3], 4],
    [{ untilBlankRow: true, rows: '5-' }, [5, 6], 4],
    [{ untilBlankRow: true, rows: '2-3,5-6' }, [2, 3, 5, 6], 2],
    [{ untilBlankRow: true, rows: '5-', skipRows: ['SKU=TOTAL'] }, [6], 5],
  ])('are selected by %j, and the others are counted', async (options, numbers, leftOut) => {
    for (const chunkBytes of [1, 5, 1000])
      expect(await selected(options, TEXT, chunkBytes)).toEqual([numbers, leftOut]);
  });

  test('begin below empty rows', async () => {
    expect(await selected({ untilBlankRow: true }, 'a,b\n\n,\n1,2\n3,4\n\n5,6\n')).toEqual([[3, 4, 5], 1]);
  });

  test('are not in blocks, nor scanned for one column', async () => {
    const { source } = await readText(TEXT, { rows: '3-' });
    expect([source.blocks, source.blockReader]).toEqual([undefined, undefined]);
  });

  test('are skipped by a column whose name has a =', async () => {
    expect(await selected({ skipRows: ['a=b=x'] }, 'a=b,c\nx,1\ny,2\n')).toEqual([[3], 1]);
  });

  test('cannot be skipped by an unknown column, and the names are known', async () => {
    const error = await readText(TEXT, { skipRows: ['SKUS=TOTAL'] }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(MistypedError);
    expect(error).toMatchObject({
      message: 'shop.csv has no column "SKUS", and --skip-rows names it.',
      hints: ['Its columns: "SKU", "Name".'],
      word: 'SKUS',
    });
  });
});

test('the rows of a sheet are selected by its numbers', async () => {
  const rows = [
    textRow(1, 'SKU', 'Name'),
    textRow(2, 'A', 'Mug'),
    textRow(3, 'B', 'Cup'),
    textRow(5, 'C', 'Pot'),
  ].join('');
  const read = async (options: ReadOptions) => {
    const { rows: found, source } = await readText(await makeWorkbook({ rows }), options, 100, 'shop.xlsx');
    return [found.map(({ row }) => row), source.leftOutRows?.()];
  };
  expect(await read({ rows: '3-' })).toEqual([[3, 5], 1]);
  expect(await read({ untilBlankRow: true })).toEqual([[2, 3], 1]);
  expect(await read({ skipRows: ['Name=cup'] })).toEqual([[2, 5], 1]);
});

test('objects are selected by their numbers alone', async () => {
  expect(await selected({ rows: '2' }, '[{"a":1},{"a":2},{"a":3}]')).toEqual([[2], 2]);
  await expect(readText('[{}]', { skipRows: ['a=1'], untilBlankRow: true })).rejects.toThrow(
    '--skip-rows and --until-blank-row are for tables such as CSV; shop.csv is JSON.',
  );
});

test.each<[ReadOptions, string]>([
  [
    { rows: '9-3' },
    '--rows takes rows such as 4-63, 4- or -63, several with commas between them; it is "9-3".',
  ],
  [{ skipRows: ['TOTAL'] }, '--skip-rows takes column=text, such as SKU=TOTAL; it is "TOTAL".'],
])('%j is refused before a file is opened', (options, message) => {
  expect(() => settingsOf(options)).toThrow(new ConfigError(message));
});
