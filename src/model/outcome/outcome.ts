/**
 * What became of a record. One word, one meaning, in results.csv, summary.json, the ledger and messages.
 *
 * | word | meaning |
 * |---|---|
 * | created, updated | the store said so |
 * | unchanged | nothing to send: the store already has it |
 * | planned | `validate`: it would be sent |
 * | duplicate | the key stood in the file before, or `--mode create` met a known key |
 * | invalid | issues before sending |
 * | rejected | the store said no |
 * | failed | an update, or a create that was never sent, ran out of attempts |
 * | in-doubt | a create was sent and no usable answer came back |
 * | unsent | the run stopped before it, the API cannot do it, or it is in the trash since an undo |
 */
export const OUTCOMES = [
  'created',
  'updated',
  'unchanged',
  'planned',
  'duplicate',
  'invalid',
  'rejected',
  'failed',
  'in-doubt',
  'unsent',
] as const;
export type OutcomeStatus = (typeof OUTCOMES)[number];

/** Outcomes whose source rows go to errors.csv, to be fixed and imported again. */
export const RETURNED: ReadonlySet<OutcomeStatus> = new Set(['invalid', 'rejected', 'failed', 'unsent']);

/** Outcomes that make the exit code 1: the run is done, but not everything in it. */
export const INCOMPLETE: ReadonlySet<OutcomeStatus> = new Set([...RETURNED, 'in-doubt']);

/** Codes of `unsent` that sending again does not change: the API cannot do it, or the user has to say more. */
export const NOT_POSSIBLE: ReadonlySet<string> = new Set(['no-update', 'taken-back']);

/** Whether the store has what was sent, for all that is known: then it is remembered. */
export function mayBeThere({ outcome }: Pick<Outcome, 'outcome'>): boolean {
  return outcome === 'in-doubt' || !INCOMPLETE.has(outcome);
}

/** All issues of a record that have one code and are about one field. */
export interface IssueKind {
  readonly code: string;
  /** See `generalField`; absent where the issues are about no field. */
  readonly field?: string | undefined;
  /** Issues, at least 1. */
  readonly count: number;
  /** The first of them, in words. */
  readonly example: string;
}

/** The same for all places in a list: `images.0.src` and `images.7.src` are `images.*.src`. */
export function generalField(field: string): string {
  return field.replaceAll(/(?<=^|\.)\d+(?=\.|$)/g, '*');
}

/** The end of one record: one line of results.csv. */
export interface Outcome {
  readonly outcome: OutcomeStatus;
  /** `_id` in the store. */
  readonly id?: string | undefined;
  /** Status of the last answer; absent when none came. */
  readonly httpStatus?: number | undefined;
  /** HTTP exchanges made for it. */
  readonly attempts: number;
  readonly durationMs: number;
  readonly code?: string | undefined;
  readonly field?: string | undefined;
  readonly message?: string | undefined;
  /** Where more than one issue was found: all of them by kind. `code` and `field` are those of the first. */
  readonly kinds?: readonly IssueKind[] | undefined;
}
