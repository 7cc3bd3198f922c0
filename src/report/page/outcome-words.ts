import { INCOMPLETE } from '../../model/index.ts';

/** How an outcome is shown: a colour, always with a shape. */
export type Tone = 'good' | 'plain' | 'attention' | 'wrong' | 'doubt';

/** Words for the outcomes of records, in the order in which they are shown. */
export const OUTCOME_TONES: ReadonlyMap<string, Tone> = new Map([
  ['created', 'good'],
  ['updated', 'good'],
  ['planned', 'good'],
  ['unchanged', 'plain'],
  ['duplicate', 'plain'],
  ['unsent', 'attention'],
  ['invalid', 'wrong'],
  ['rejected', 'wrong'],
  ['failed', 'wrong'],
  ['in-doubt', 'doubt'],
]);

/** The meanings of the words, for people who do not know them. */
export const OUTCOME_MEANINGS: Readonly<Record<string, string>> = {
  created: 'new in the store',
  updated: 'changed in the store',
  planned: 'ready to be sent',
  unchanged: 'the store has these values already',
  duplicate: 'another row has this record already',
  unsent: 'not sent',
  invalid: 'wrong in the file, so not sent',
  rejected: 'refused by the store',
  failed: 'not sent after several attempts',
  'in-doubt': 'sent, but the answer was lost: look in the store',
};

/** Outcomes of records that are in the store as the file has them. A duplicate is not: its record may be invalid. */
const ARRIVED = ['created', 'updated', 'unchanged'];

export function arrivedIn(outcomes: Readonly<Record<string, number>>): number {
  return sumOf(outcomes, ARRIVED);
}

/** Number of records that a person must look at. */
export function incompleteIn(outcomes: Readonly<Record<string, number>>): number {
  return sumOf(outcomes, [...INCOMPLETE]);
}

function sumOf(outcomes: Readonly<Record<string, number>>, words: readonly string[]): number {
  return words.reduce((sum, word) => sum + (outcomes[word] ?? 0), 0);
}
