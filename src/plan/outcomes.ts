import type { Outcome } from '../model/index.ts';

/** The outcome of a record that nothing is sent for. */
export function settled(outcome: Outcome['outcome'], code?: string, message?: string, id?: string): Outcome {
  return { outcome, attempts: 0, durationMs: 0, code, message, ...(id === undefined ? {} : { id }) };
}
