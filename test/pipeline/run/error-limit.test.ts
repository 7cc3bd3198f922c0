import { describe, expect, test } from 'vitest';
import type { Outcome, OutcomeStatus } from '../../../src/model/index.ts';
import { limitFor, limitOf, sameRefusal, unreadableRows } from '../../../src/pipeline/run/error-limit.ts';

const outcome = (word: OutcomeStatus, more: Partial<Outcome> = {}): Outcome => ({
  outcome: word,
  attempts: 1,
  durationMs: 1,
  ...more,
});
const refused = (message = '"ab" is not a price', more: Partial<Outcome> = {}) =>
  outcome('rejected', { code: 'store-refused', field: 'price', message, ...more });

/** Number of outcomes after which the run stops; undefined if it does not. */
function stopsAfter(limit: ReturnType<typeof limitOf>, ends: readonly Outcome[]): number | undefined {
  const at = ends.findIndex((end) => limit(end) !== undefined);
  return at < 0 ? undefined : at + 1;
}

const times = (count: number, end: Outcome) => Array.from({ length: count }, () => end);

describe('--max-errors', () => {
  test.each([
    [0, 1],
    [3, 4],
  ])('%i stops at error number %i', (count, expected) => {
    expect(stopsAfter(limitOf({ count }), times(9, refused()))).toBe(expected);
  });

  test('counts errors only', () => {
    const fine = (['created', 'updated', 'unchanged', 'duplicate', 'planned', 'unsent'] as const).map(
      (word) => outcome(word),
    );
    expect(stopsAfter(limitOf({ count: 0 }), fine)).toBeUndefined();
    for (const word of ['invalid', 'rejected', 'failed', 'in-doubt'] as const)
      expect(stopsAfter(limitOf({ count: 0 }), [...fine, outcome(word)])).toBe(fine.length + 1);
  });

  test('a percentage applies from the hundredth record on', () => {
    const mixed = (every: number) =>
      Array.from({ length: 1000 }, (_, n) => (n % every === 0 ? refused() : outcome('created')));
    expect(stopsAfter(limitOf({ percent: 5 }), mixed(25))).toBeUndefined();
    expect(stopsAfter(limitOf({ percent: 5 }), mixed(10))).toBe(101);
    expect(stopsAfter(limitOf({ percent: 5 }), mixed(1).slice(0, 99))).toBeUndefined();
  });

  test('reports the number of errors and the limit', () => {
    const limit = limitOf({ count: 1 });
    limit(refused());
    expect(limit(refused())).toMatchObject({
      reason: 'too-many-errors',
      message: '2 of 2 records went wrong, and --max-errors allows 1.',
    });
  });
});

describe('equal refusals of the first records', () => {
  test('stop the run at the fiftieth, even if names and numbers differ', () => {
    const ends = Array.from({ length: 60 }, (_, n) => refused(`"x${n}" is not a price, row ${n}`));
    expect(stopsAfter(sameRefusal(), ends)).toBe(50);
  });

  test('do not include records that were never sent', () => {
    const ends = [
      ...times(70, outcome('invalid', { attempts: 0 })),
      ...times(20, outcome('unchanged', { attempts: 0 })),
      ...times(50, refused()),
    ];
    expect(stopsAfter(sameRefusal(), ends)).toBe(140);
  });

  test.each([
    ['a created record', outcome('created')],
    ['another refusal', refused('is required')],
    ['a refusal of another field', refused(undefined, { field: 'name' })],
    ['a record in doubt', outcome('in-doubt', { code: 'no-answer' })],
  ])('do not stop the run after %s', (_what, other) => {
    expect(
      stopsAfter(sameRefusal(), [...times(49, refused()), other, ...times(200, refused())]),
    ).toBeUndefined();
  });
});

describe('rows that cannot be read', () => {
  const ragged = {
    outcome: 'invalid',
    attempts: 0,
    durationMs: 0,
    code: 'ragged-row',
    message: 'It is short',
  } as const;
  const planned = { outcome: 'planned', attempts: 0, durationMs: 0 } as const;

  test('100,000 rows that cannot be read stop a run, also beside one sound row in a hundred', () => {
    expect(stopsAfter(unreadableRows(), times(300_000, ragged))).toBe(100_000);
    expect(stopsAfter(unreadableRows(), [...times(900, planned), ...times(300_000, ragged)])).toBe(100_900);
  });

  test('rows that cannot be read do not stop a run with more sound rows, and rows with wrong values never do', () => {
    const file = [...times(5_000, planned), ...times(150_000, ragged)];
    expect(stopsAfter(unreadableRows(), file)).toBeUndefined();
    const wrong = { ...ragged, code: 'not-a-number' };
    expect(stopsAfter(unreadableRows(), times(150_000, wrong))).toBeUndefined();
  });

  test('rows that cannot be read do not stop a run with --max-errors', () => {
    expect(stopsAfter(limitFor({ percent: 100 }), times(150_000, ragged))).toBeUndefined();
    expect(stopsAfter(limitFor(undefined, sameRefusal()), times(150_000, ragged))).toBe(100_000);
  });
});
