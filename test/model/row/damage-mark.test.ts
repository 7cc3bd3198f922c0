import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentDigest, damageMark, damageMarkIn, defuse, notCorrected } from '../../../src/model/index.ts';

const HEADER = ['SKU', 'Name', 'Price', ''];
const CELLS = ['0017', 'Cre\u0301me brûlée', '12.50', ''];
const digest = contentDigest(HEADER, CELLS);

describe('the digest of what a row says', () => {
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

  test('does not change where an encoding lacks the sign for a lost letter', () => {
    expect(contentDigest(['a'], ['Caf\uFFFD'])).toBe(contentDigest(['a'], ['Caf?']));
  });

  test.each([
    ['another cell', HEADER, ['0018', CELLS[1], '12.50', '']],
    ['a cell that was cleared', HEADER, ['0017', CELLS[1], '', '']],
    ['a cell that was filled', HEADER, [...CELLS.slice(0, 3), 'x']],
    ['cells that changed places', HEADER, ['12.50', CELLS[1], '0017', '']],
    ['an accent that was corrected', HEADER, ['0017', 'Crème brûlée', '12.50', '']],
    ['another amount', HEADER, ['0017', CELLS[1], '125.0', '']],
  ])('changes with %s', (_what, header, cells) => {
    expect(contentDigest(header, cells as string[])).not.toBe(digest);
  });

  test('is that of the original cells, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (cells) => {
        const header = cells.map((_, index) => `c${index}`);
        const changed = cells.map((cell) => ` ${defuse(cell.trim()).replaceAll('\n', '\r\n')}\t`);
        expect(contentDigest(header.toReversed(), changed.toReversed())).toBe(contentDigest(header, cells));
      }),
    );
  });
});

test('a mark is found at the end of a message, and nowhere else', () => {
  const mark = damageMark('ragged-row', HEADER, CELLS);
  expect(damageMarkIn(`too few ${mark} `)).toEqual({ code: 'ragged-row', digest, at: 8 });
  expect(damageMarkIn(`too few ${mark} cells`)).toBeUndefined();
  expect(damageMarkIn(mark.replace('ragged-row', 'required'))).toBeUndefined();
});

test('what was said is repeated once, however often a row comes back', () => {
  const once = notCorrected('r1', 'row 3: too few');
  expect(once).toMatch(/^not corrected since the run r1 refused it .*: row 3: too few$/);
  expect(notCorrected('r2', `row 2: ${once}`)).toBe(once);
});
