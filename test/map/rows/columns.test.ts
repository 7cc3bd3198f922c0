import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnsOf, fold } from '../../../src/map/rows/columns.ts';
import { isOwnColumn } from '../../../src/model/index.ts';
import { tableOf } from '../../support/map-rows.ts';

describe('headers', () => {
  test.each([
    ['Variant Price', 'variant price'],
    ['Variant Price', '  VARIANT   Price '],
    ['Variant Price', 'Variant\u00a0Price'],
    ['Prix élevé', 'Prix e\u0301leve\u0301'],
    ['ABC', 'ＡＢＣ'],
    ['Größe', 'GRÖßE'],
    ['السعر', ' السعر '],
  ])('%j matches the header %j', (name, written) => {
    expect(columnsOf(tableOf('Handle', written), new Map()).find(name)).toBe(1);
  });

  test.each([
    ['Price', 'Prices'],
    ['Price', 'Price_'],
    ['E-mail', 'Email'],
    ['', ''],
    ['toString', ''],
    ['__proto__', 'proto'],
  ])('%j does not match the header %j', (name, written) => {
    expect(columnsOf(tableOf(written), new Map()).find(name)).toBeUndefined();
  });

  test('a folded name folds to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(fold(fold(name))).toBe(fold(name));
      }),
    );
  });

  test('aliases are tried in order if the file lacks the name', () => {
    const aliases = new Map([['Handle', ['URL handle', 'Slug']]]);
    expect(columnsOf(tableOf('Slug', 'url HANDLE'), aliases).find('handle')).toBe(1);
    expect(columnsOf(tableOf('Slug', 'URL handle', 'Handle'), aliases).find('Handle')).toBe(2);
    expect(columnsOf(tableOf('Slug'), aliases).find('Handle')).toBe(0);
    expect(columnsOf(tableOf('Slug'), aliases).find('URL handle')).toBeUndefined();
  });

  test('names that fold to the same are repeated, and the first is found; empty names are not repeated', () => {
    expect(columnsOf(tableOf('B', 'A', 'a '), new Map()).find('a')).toBe(1);
    expect([...columnsOf(tableOf('A', 'a ', 'B', '', ''), new Map()).repeated]).toEqual(['a']);
  });

  test.each([
    ['storeport_row', true],
    [' Storeport_Outcome', true],
    ['storeport', false],
    ['my storeport_row', false],
  ])('%j is a column of the tool itself: %s', (name, own) => {
    expect(isOwnColumn(name)).toBe(own);
  });
});
