import type { Outcome } from '../../model/index.ts';
import type { PackedIntent } from './intents.ts';

/** The content of one write into the log. */
export interface LogEntry {
  readonly intents: readonly PackedIntent[];
  readonly ends: readonly PackedEnd[];
}

/** The outcome of a record whose intent is in the log or in the tables. */
export type PackedEnd = readonly [seq: number, outcome: Outcome];
