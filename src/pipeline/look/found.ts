import type { LookFinding } from '../../model/index.ts';

/** A finding before it is about a file. */
export type FoundIn = Omit<LookFinding, 'file'>;

/** Rows that a finding names. */
export const MAX_ROWS = 5;

/** Below this many records, nothing is said about what most of them have. */
export const MIN_RECORDS = 8;
