import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidValue, KINDS, type RequestKind } from '../../../src/sandbox/misbehave/values.ts';
import { type FaultTiming, readTiming, striking } from '../../../src/sandbox/misbehave/when.ts';

function struck(text: string, kinds: readonly RequestKind[], seed = 1, salt = 1): number[] {
  const hits = striking(readTiming(text) as FaultTiming, seed, salt);
  return kinds.flatMap((kind, index) => (hits(kind) ? [index + 1] : []));
}

const creates = (count: number): RequestKind[] => Array<RequestKind>(count).fill('create');

describe('a schedule of faults', () => {
  test.each([
    ['#3', [3]],
    ['#3-5', [3, 4, 5]],
    ['#1,#4', [1, 4]],
    ['0%', []],
    ['100%', [1, 2, 3, 4, 5, 6]],
  ])('%s selects requests %j', (text, expected) => {
    expect(struck(text, creates(6))).toEqual(expected);
  });

  test('counts only the requests of its kind', () => {
    const kinds: RequestKind[] = ['token', 'create', 'list', 'create', 'update', 'other', 'create'];
    expect(struck('#2@create', kinds)).toEqual([4]);
    expect(struck('#1@token', kinds)).toEqual([1]);
    expect(struck('100%', kinds)).toEqual([2, 3, 4, 5, 6, 7]);
  });

  test('hits the given share, in bursts of the given length', () => {
    expect(struck('5%', creates(20_000)).length / 20_000).toBeCloseTo(0.05, 2);
    const places = struck('0.1%x20', creates(50_000));
    const bursts = places.filter((place, index) => place !== (places[index - 1] ?? 0) + 1);
    expect(bursts.length).toBeGreaterThan(5);
    expect(places.length % 20).toBe(0);
  });

  test('is the same for the same seed and order, and differs for another seed', () => {
    const at = (seed: number, salt = 1) => struck('3%x2,1%@create', creates(3000), seed, salt);
    expect(at(7)).toEqual(at(7));
    expect(at(7)).not.toEqual(at(8));
    expect(at(7)).not.toEqual(at(7, 2));
  });

  test.each(['', '5', '101%', '#0', '#5-3', '2%x0', '2%@orders', '2%@create@list', '#3,'])(
    '%j is not a schedule',
    (text) => {
      expect(readTiming(text)).toBeInstanceOf(InvalidValue);
    },
  );

  test('any text is parsed or refused, and never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...KINDS), (text, kind) => {
        const rules = readTiming(text);
        if (!(rules instanceof InvalidValue)) striking(rules, 1, 1)(kind);
      }),
    );
  });
});
