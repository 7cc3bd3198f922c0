import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  contentDigest,
  damageMark,
  damageMarkIn,
  defuse,
  notCorrected,
  unchangedColumns,
  unseenDamage,
} from '../../../src/model/index.ts';
import { anyText } from '../../support/any-text.ts';

const HEADER = ['SKU', 'Name', 'Price', ''];
const CELLS = ['0017', 'Cre\u0301me brûlée', '12.50', ''];
const digest = contentDigest(HEADER, CELLS);

describe('the digest of the cells of a row', () => {
  test.each([
    ['columns in another order', ['Price', 'SKU', 'Name'], ['12.50', '0017', 'Créme brûlée']],
    ['blanks around names and cells', [' SKU', 'Name ', 'Price'], ['0017 ', ' Créme  brûlée', '12.50']],
    ['numbers as a spreadsheet writes them', ['SKU', 'Name', 'Price'], ['17', 'Créme brûlée', '+12.5']],
    ['other empty columns', ['SKU', 'x', 'Name', 'Price'], ['0017', ' ', 'Créme brûlée', '12.50']],
    ['columns of the tool', [...HEADER, 'storeport_run'], [...CELLS, 'r1']],
    ['another Unicode form', HEADER, CELLS.map((cell) => cell.normalize('NFD'))],
    ['capitals', HEADER, CELLS.map((cell) => cell.toUpperCase())],
  ])('does not change with %s', (_what, header, cells) => {
    expect(contentDigest(header, cells)).toBe(digest);
  });

  test('does not change if an encoding lacks the replacement character', () => {
    expect(contentDigest(['a'], ['Caf\uFFFD'])).toBe(contentDigest(['a'], ['Caf?']));
  });

  test.each([
    ['another cell', HEADER, ['0018', CELLS[1], '12.50', '']],
    ['a cleared cell', HEADER, ['0017', CELLS[1], '', '']],
    ['a filled cell', HEADER, [...CELLS.slice(0, 3), 'x']],
    ['exchanged cells', HEADER, ['12.50', CELLS[1], '0017', '']],
    ['a corrected accent', HEADER, ['0017', 'Crème brûlée', '12.50', '']],
    ['another amount', HEADER, ['0017', CELLS[1], '125.0', '']],
  ])('changes with %s', (_what, header, cells) => {
    expect(contentDigest(header, cells as string[])).not.toBe(digest);
  });

  test('is that of the original cells, whatever they contain', () => {
    fc.assert(
      fc.property(fc.array(anyText()), (cells) => {
        const header = cells.map((_, index) => `c${index}`);
        const changed = cells.map((cell) => ` ${defuse(cell.trim()).replaceAll('\n', '\r\n')}\t`);
        expect(contentDigest(header.toReversed(), changed.toReversed())).toBe(contentDigest(header, cells));
      }),
    );
  });
});

test('a mark is found at the end of a message, and nowhere else', () => {
  const mark = damageMark('ragged-row', HEADER, CELLS);
  expect(damageMarkIn(`too few ${mark} `)).toEqual({ code: 'ragged-row', digests: [digest], at: 8 });
  expect(damageMarkIn(`too few ${mark} cells`)).toBeUndefined();
  expect(damageMarkIn(mark.replace('ragged-row', 'required'))).toBeUndefined();
});

test('the earlier message is repeated once, however often a row is re-imported', () => {
  const once = notCorrected('r1', 'row 3: too few');
  expect(once).toMatch(/^not corrected since the run r1 refused it .*: row 3: too few$/);
  expect(notCorrected('r2', `row 2: ${once}`)).toBe(once);
});

describe('the mark of damage within cells', () => {
  const table = { file: 'in.csv', header: ['SKU', 'Name', 'Text', 'Price'] };
  const cells = ['1', 'Caf\uFFFD', 'Th\uFFFD', '5'];
  const issues = ['Name', 'Text'].map((column) => ({ code: 'bad-bytes', message: '', column }));
  const mark = damageMarkIn(damageMark(unseenDamage({ table, cells, issues }) ?? '', table.header, cells));

  test.each([
    [['Name', 'Text'], cells],
    [
      ['Name', 'Text'],
      ['2', 'caf?', ' Th\uFFFD', '6'],
    ],
    [['Text'], ['1', 'Café', 'Th\uFFFD', '5']],
    [[], ['1', 'Café', 'Thé', '5']],
    [[], ['1', '', '', '5']],
  ])('finds %j unchanged in %j', (columns, now) => {
    expect(unchangedColumns(mark?.digests ?? [], table.header, now)).toEqual(columns);
  });

  test('a mark of the whole row shows if the row was corrected', () => {
    const digests = [contentDigest(table.header, cells)];
    expect(unchangedColumns(digests, table.header, cells)).toEqual([undefined]);
    expect(unchangedColumns(digests, table.header, ['2', ...cells.slice(1)])).toEqual([]);
  });
});

test('a long run of zeros is passed once: by its square it would take minutes', () => {
  const digestOf = (cell: string) => contentDigest(['price'], [cell]);
  const zeros = '0'.repeat(1_000_000);
  expect(digestOf(`1.${zeros}1`)).not.toBe(digestOf('1'));
  expect(digestOf(`1.${zeros}`)).toBe(digestOf('1'));
});
