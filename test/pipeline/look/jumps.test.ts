import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, OpenLook, SourceRecord } from '../../../src/model/index.ts';
import { findingsIn } from '../../../src/pipeline/look/findings.ts';
import { createLook, noteRecord, openLook } from '../../../src/pipeline/look/look.ts';
import { createDigester } from '../../../src/plan/index.ts';
import { resourceNamed } from '../../../src/resources/index.ts';
import { scaledRuns } from '../../support/property-tests.ts';

const digestsOf = createDigester(resourceNamed('products'));

interface Known {
  readonly price: number;
  readonly stock: number;
}

function catalogue(size: number): Known[] {
  return Array.from({ length: size }, (_, at) => ({ price: 10 + (at % 17), stock: 3 + (at % 5) }));
}

function payloadOf({ price, stock }: Known, at: number): JsonObject {
  return {
    name: `Product ${at}`,
    reference: `P-${at}`,
    images: [{ src: `https://example.com/${at}.jpg` }],
    price: { salePrice: price },
    quantity: { instock: stock },
  };
}

type Change = (product: Known, at: number) => Partial<Known>;

/** Notes the products of a catalogue that an earlier run has sent, and that have changed since. */
function lookAfter(
  size: number,
  change: Change,
  { from = 0, earlier }: { from?: number; earlier?: OpenLook } = {},
) {
  const look = createLook('products', earlier);
  for (const [seq, before] of catalogue(size).entries()) {
    if (seq < from) continue;
    noteRecord(look, {
      ...{
        record: recordAt(seq),
        issues: [],
        payload: payloadOf({ ...before, ...change(before, seq) }, seq),
      },
      known: knownAs(before, seq),
    });
  }
  return openLook(look);
}

function recordAt(seq: number): SourceRecord {
  const table = { file: 'shop.csv', header: ['a'] };
  return { seq, rows: [{ table, row: seq + 2, line: seq + 2, cells: [''] }] };
}

function knownAs(product: Known, seq: number) {
  const ref = [1, seq] as const;
  return { run: 'r1', row: seq + 2, ref, id: `id-${seq}`, digests: digestsOf(payloadOf(product, seq)) };
}

function jumpsAfter(size: number, change: Change) {
  const found = findingsIn([{ file: 'shop.csv', look: lookAfter(size, change) }]);
  return found.filter(({ code }) => code.endsWith('-jump'));
}

describe('what was sent last', () => {
  test.each([
    ['price-jump', ({ price }: Known) => ({ price: price * 100 })],
    ['price-jump', ({ price }: Known) => ({ price: price / 100 })],
    ['stock-jump', ({ stock }: Known) => ({ stock: stock * 1000 })],
  ])('a %s is found wherever it is, with its row and both values', (code, plant) => {
    fc.assert(
      fc.property(fc.integer({ min: 9, max: 40 }), fc.nat(8), (size, place) => {
        const before = catalogue(size)[place] as Known;
        const found = jumpsAfter(size, (product, at) => (at === place ? plant(product) : {}));
        expect(found).toMatchObject([{ code, count: 1, rows: [place + 2] }]);
        const was = code === 'price-jump' ? before.price : before.stock;
        expect(found[0]?.message).toContain(`${was} → `);
      }),
      { numRuns: scaledRuns(20) },
    );
  });

  test.each([
    ['nothing changed', () => ({})],
    ['some are on sale', ({ price }: Known, at: number) => (at % 3 === 0 ? { price: price / 2 } : {})],
    ['all cost a little more', ({ price }: Known) => ({ price: price * 1.1 })],
    ['goods have arrived', () => ({ stock: 400 })],
    ['a third is sold out', (_: unknown, at: number) => (at % 3 === 0 ? { stock: 0 } : {})],
  ])('nothing is said if %s', (_what, change) => {
    expect(jumpsAfter(40, change)).toEqual([]);
  });

  test('prices without their tax are found, since nearly all change', () => {
    const found = jumpsAfter(40, ({ price }, at) => (at === 7 ? {} : { price: price / 1.19 }));
    expect(found).toMatchObject([
      {
        ...{ code: 'price-jump', field: 'price.salePrice', count: 39, rows: [2, 3, 4, 5, 6] },
        message: '39 of 40 prices are lowered by 15 % or more since they were sent last.',
      },
    ]);
  });

  test('one finding says that all prices became a hundred times', () => {
    const found = jumpsAfter(40, ({ price }) => ({ price: price * 100 }));
    expect(found).toMatchObject([{ code: 'price-jump', count: 40 }]);
  });

  test('stocks are found if half of them become 0', () => {
    expect(jumpsAfter(40, (_, at) => (at % 2 === 0 ? { stock: 0 } : {}))).toMatchObject([
      { code: 'stock-jump', message: 'The stock of 20 of 40 products that had some becomes 0.' },
    ]);
  });

  test('two halves of a file show what the whole shows', () => {
    const change: Change = ({ price }, at) => (at % 5 === 0 ? { price: price * 10 } : {});
    const earlier = JSON.parse(JSON.stringify(lookAfter(20, change))) as OpenLook;
    const rest = lookAfter(40, change, { from: 20, earlier });
    expect(findingsIn([{ file: 'shop.csv', look: rest }])).toEqual(jumpsAfter(40, change));
  });

  test('nothing is compared with another record of the store', () => {
    const look = createLook('products');
    const payload = payloadOf({ price: 100, stock: 1 }, 0);
    const known = knownAs({ price: 1, stock: 1 }, 0);
    noteRecord(look, { record: recordAt(0), payload, issues: [], known, id: 'other' });
    expect(findingsIn([{ file: 'shop.csv', look: openLook(look) }])).toEqual([]);
  });
});
