import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FaultValueKind, KINDS, Wrong } from '../../../src/sandbox/misbehave/values.ts';
import { striking, type When, when } from '../../../src/sandbox/misbehave/when.ts';

function struck(text: string, kinds: readonly FaultValueKind[], seed = 1, salt = 1): number[] {
  const hits = striking(when(text) as When, seed, salt);
  return kinds.flatMap((kind, index) => (hits(kind) ? [index + 1] : []));
}

const creates = (count: number): FaultValueKind[] => Array<FaultValueKind>(count).fill('create');

describe('when a fault strikes', () => {
  test.each([
    ['#3', [3]],
    ['#3-5', [3, 4, 5]],
    ['#1,#4', [1, 4]],
    ['0%', []],
    ['100%', [1, 2, 3, 4, 5, 6]],
  ])('%s', (text, expected) => {
    expect(struck(text, creates(6))).toEqual(expected);
  });

  test('counts only the requests of its kind', () => {
    const kinds: FaultValueKind[] = ['token', 'create', 'list', 'create', 'update', 'other', 'create'];
    expect(struck('#2@create', kinds)).toEqual([4]);
    expect(struck('#1@token', kinds)).toEqual([1]);
    expect(struck('100%', kinds)).toEqual([2, 3, 4, 5, 6, 7]);
  });

  test('a share comes out as it is, and bursts have their length', () => {
    expect(struck('5%', creates(20_000)).length / 20_000).toBeCloseTo(0.05, 2);
    const places = struck('0.1%x20', creates(50_000));
    const bursts = places.filter((place, index) => place !== (places[index - 1] ?? 0) + 1);
    expect(bursts.length).toBeGreaterThan(5);
    expect(places.length % 20).toBe(0);
  });

  test('the same seed and order, the same places; another seed, others', () => {
    const at = (seed: number, salt = 1) => struck('3%x2,1%@create', creates(3000), seed, salt);
    expect(at(7)).toEqual(at(7));
    expect(at(7)).not.toEqual(at(8));
    expect(at(7)).not.toEqual(at(7, 2));
  });

  test.each(['', '5', '101%', '#0', '#5-3', '2%x0', '2%@orders', '2%@create@list', '#3,'])(
    '%j is not one',
    (text) => {
      expect(when(text)).toBeInstanceOf(Wrong);
    },
  );

  test('whatever is written, it is read or refused, never thrown at', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...KINDS), (text, kind) => {
        const rules = when(text);
        if (!(rules instanceof Wrong)) striking(rules, 1, 1)(kind);
      }),
    );
  });
});
