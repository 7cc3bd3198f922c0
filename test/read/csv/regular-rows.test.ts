import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { regularRowReader } from '../../../src/read/csv/regular-rows.ts';
import { hostileCsv, splitRows } from '../../support/hostile-csv.ts';
import { scaledRuns } from '../../support/property-tests.ts';

const COMMA = { delimiter: ',', quote: '"' };
const LONGEST = 1_000_000;

/** The rows that are read without csv-parse, and where reading stopped. */
function regularRows(text: string, dialect = COMMA) {
  const read = regularRowReader(dialect, LONGEST);
  const rows: { readonly cells: string[]; readonly breaks: number }[] = [];
  let end = 0;
  const isOver = read?.(Buffer.from(text), 0, (cells, next, breaks) => {
    rows.push({ cells, breaks });
    end = next;
  });
  return { rows: rows.map(({ cells }) => cells), breaks: rows.map(({ breaks }) => breaks), end, isOver };
}

describe('regular rows', () => {
  test('are read up to the first that is not complete', () => {
    expect(regularRows('a,b\n1,\r\n\n,"x"\rlast,r')).toEqual({
      rows: [['a', 'b'], ['1', ''], [''], ['', 'x']],
      ...{ breaks: [0, 0, 0, 0], end: 14, isOver: false },
    });
  });

  test('may have delimiters, line ends and doubled quotes in quotes', () => {
    expect(regularRows('"a, b","say ""hi""","one\r\ntwo\nthree"\nx,,""\n')).toMatchObject({
      rows: [
        ['a, b', 'say "hi"', 'one\r\ntwo\nthree'],
        ['x', '', ''],
      ],
      ...{ breaks: [2, 0], isOver: false },
    });
  });

  test('may have characters of several bytes, beside bytes that are none', () => {
    expect(regularRows('é,€ 5,"😀 ""x"""\n').rows).toEqual([['é', '€ 5', '😀 "x"']]);
    const read = regularRowReader(COMMA, LONGEST);
    const rows: string[][] = [];
    read?.(Buffer.from([0xe2, 0x82, 0x2c, 0xff, 0x61, 0x0a]), 0, (cells) => void rows.push(cells));
    expect(rows).toEqual([['\ufffd', '\ufffda']]);
  });

  test.each([
    ['a quote in a bare cell', '1,15" screen\n'],
    ['text behind a quoted cell', '1,"b" c\n'],
    ['blanks around a quoted cell', '1, "b"\n'],
  ])('do not have %s', (_what, row) => {
    expect(regularRows(`a,b\n${row}2,c\n`)).toMatchObject({ rows: [['a', 'b']], end: 4, isOver: true });
  });

  test.each(['"b', '"b"', '"b""', '"b\n', 'b\r'])('may be unfinished, as after %j', (text) => {
    expect(regularRows(`a\n${text}`)).toMatchObject({ rows: [['a']], isOver: false });
  });

  test('are not looked for with delimiters and quotes of several bytes', () => {
    expect(regularRowReader({ delimiter: '::', quote: '"' }, LONGEST)).toBeUndefined();
    expect(regularRowReader({ delimiter: ',', quote: '“' }, LONGEST)).toBeUndefined();
    expect(regularRows('a;"b\n', { delimiter: ';', quote: '' }).rows).toEqual([['a', '"b']]);
  });
});

test('a padded cell before a delimiter of several bytes is read wherever the bytes are cut', () => {
  const bytes = Buffer.from('a€ "b" €c\nd::€e€ "f" \n');
  for (const delimiter of ['€', '::']) {
    const csv = { dialect: { delimiter, quote: '"' }, maxRowBytes: LONGEST };
    const whole = splitRows({ ...csv, chunks: [bytes] }, false);
    for (let at = 1; at < bytes.length; at++)
      expect(splitRows({ ...csv, chunks: [bytes.subarray(0, at), bytes.subarray(at)] }, false)).toEqual(
        whole,
      );
  }
});

test('hostile rows have the same cells, places, bytes and damage as by csv-parse alone, cut anywhere', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
      const csv = hostileCsv(seed);
      const rows = splitRows(csv, true);
      expect(splitRows(csv, false)).toEqual(rows);
      expect(splitRows({ ...csv, chunks: [Buffer.concat([...csv.chunks])] }, false)).toEqual(rows);
    }),
    { numRuns: scaledRuns(3000) },
  );
});
