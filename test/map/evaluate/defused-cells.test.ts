import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { group } from '../../../src/group/index.ts';
import { bind, parseMapping } from '../../../src/map/index.ts';
import { nativeMapping } from '../../../src/map/presets/native.ts';
import { defuse, type Row } from '../../../src/model/index.ts';
import { products } from '../../../src/resources/products.ts';
import { anyText } from '../../support/any-text.ts';
import { mapRecord, payloadOf, productMapping, rowsOf, tableOf } from '../../support/map-rows.ts';
import { scaledRuns } from '../../support/property-tests.ts';

describe('cells that an export defused are restored', () => {
  test.each([
    ["'=1+1", '=1+1'],
    ["''=x", "'=x"],
    ["'@cmd", '@cmd'],
    ["'\t=1", '=1'],
    ["'＝1", '＝1'],
    ["'=1 ", '=1'],
    // No export writes these.
    [" '=1", "'=1"],
    ["'tis", "'tis"],
    ["'-5", '-5'],
    ["'+44 20 7946 0958", '+44 20 7946 0958'],
    ["'0017", '0017'],
    ["'s-Hertogenbosch", "'s-Hertogenbosch"],
    ["'", "'"],
    ['=1', '=1'],
    // Blanks alone are empty.
    ["'\t", undefined],
  ])('%j is %j', (cell, text) => {
    expect(payloadOf({ name: 'T' }, ['T'], [cell])).toEqual(text === undefined ? {} : { name: text });
  });

  test('in every kind of source', () => {
    const fields = {
      name: { from: ['A', 'B'] },
      model: { from: ['A', 'B'], join: ' ' },
      source: { template: '{B} and {C}' },
      tags: { from: 'C', split: '|' },
      description: { from: 'B', when: { B: { is: '=b', matches: '^=' }, C: { 'is-not': "'=c|=d" } } },
      html: { from: 'B', trim: false },
    };
    expect(payloadOf(fields, ['A', 'B', 'C'], ["'\t", "'=b", "'=c|=d"])).toEqual({
      name: '=b',
      model: '=b',
      source: '=b and =c|=d',
      tags: ['=c', '=d'],
      description: '=b',
      html: '=b',
    });
  });

  test('in the native form too, once', () => {
    const header = ['_id', 'name', 'outStock.note', 'tags'];
    const mapped = mapRecord(nativeMapping(tableOf(...header), products), header, [
      "'=id",
      "''=n",
      "'@note",
      "'=a|b",
    ]);
    expect(mapped).toMatchObject({
      id: '=id',
      payload: { name: "'=n", outStock: { note: '@note' }, tags: ['=a', 'b'] },
    });
  });

  test('in the key of a group and of a record', async () => {
    const table = tableOf('No', 'Title');
    const rows = rowsOf(table, ["'=k", 'a'], ['=k', 'b'], ["''=k", 'c']);
    async function* batches(): AsyncGenerator<Row[]> {
      yield rows;
    }
    const grouped: number[][] = [];
    const { groupKeyOf } = bind(productMapping({ name: 'Title' }, { group: { by: 'No' } }), table, []);
    for await (const records of group(batches(), { keyOf: groupKeyOf }))
      grouped.push(...records.map((record) => record.rows.map(({ row }) => row)));
    expect(grouped).toEqual([[2, 3], [4]]);
    const orders = { resource: 'orders', key: 'No', fields: { customerNote: 'Title' } };
    const { map } = bind(parseMapping('mine', JSON.stringify(orders)), table, []);
    expect(rows.map((row) => map({ seq: 0, rows: [row] }).key)).toEqual(['=k', '=k', "'=k"]);
  });

  test('for any text that the mapping does not trim', () => {
    const mapping = productMapping({ model: { from: 'T', trim: false } });
    const start = fc.constantFrom('', "'", "''", '=', '+', '-', '@', '\t', '\r', '＝', '5', ' ');
    const text = fc
      .tuple(start, start, anyText())
      .map((parts) => parts.join(''))
      .filter((each) => each.trim() !== '');
    fc.assert(
      fc.property(text, (model) => {
        expect(payloadOf(mapping, ['T'], [defuse(model)])).toEqual({ model });
      }),
      { numRuns: scaledRuns(1000) },
    );
  });
});
