import type { FieldView } from '../api/index.ts';

const SURE = 0.85;
const LIKELY = 0.6;

/** A score of a suggestion, 0 to 1, in words. */
export function confidenceOf(score: number): NonNullable<FieldView['confidence']> {
  if (score >= SURE) return 'sure';
  return score >= LIKELY ? 'likely' : 'a guess';
}
