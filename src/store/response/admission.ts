import type { PacedAnswer } from '../rate/paced-answer.ts';
import type { Situation } from './rules.ts';

/** Translates a situation into an answer about the rate of requests. */
const ADMISSION: Readonly<Record<Situation, PacedAnswer['end']>> = {
  'not-sent': 'lost',
  unsendable: 'lost',
  unauthorized: 'admitted',
  'token-refused': 'admitted',
  throttled: 'refused',
  unavailable: 'lost',
  'no-answer': 'lost',
  'server-error': 'lost',
  unreadable: 'lost',
  'accepted-without-id': 'admitted',
  'other-record': 'admitted',
  redirect: 'admitted',
  refused: 'admitted',
  'refused-by-page': 'admitted',
  'body-says-failed': 'admitted',
  done: 'admitted',
};

/** A store that says when to retry is overloaded. One that does not may be away, or may refuse this record alone. */
export function admissionOf(
  situation: Situation,
  { retryAfterMs }: Pick<PacedAnswer, 'retryAfterMs'>,
): PacedAnswer['end'] {
  return situation === 'unavailable' && retryAfterMs !== undefined ? 'refused' : ADMISSION[situation];
}
