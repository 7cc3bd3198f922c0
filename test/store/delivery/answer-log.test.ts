import { expect, test } from 'vitest';
import { createAnswerLog } from '../../../src/store/delivery/answer-log.ts';
import type { Situation } from '../../../src/store/response/rules.ts';

const countsOf = (situation: Situation) => {
  const log = createAnswerLog();
  log.note(100, situation);
  return log.counts();
};

test.each([
  'no-answer',
  'server-error',
  'unavailable',
  'unreadable',
  'accepted-without-id',
  'redirect',
  'refused-by-page',
] as const)('%s is no usable answer', (situation) => {
  expect(countsOf(situation)).toMatchObject({ all: 1, refused: 0, faults: 1 });
});

test.each(['done', 'refused', 'body-says-failed', 'unauthorized'] as const)('%s is one', (situation) => {
  expect(countsOf(situation)).toMatchObject({ all: 1, refused: 0, faults: 0 });
});

test('429 is a refusal and no fault, and what was not sent is not counted', () => {
  expect(countsOf('throttled')).toMatchObject({ all: 1, refused: 1, faults: 0 });
  for (const unsent of ['not-sent', 'unsendable'] as const)
    expect(countsOf(unsent)).toMatchObject({ all: 0 });
});
