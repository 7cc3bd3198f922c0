/**
 * Statuses of a record. Each has one meaning in results.csv, summary.json, the ledger and messages.
 *
 * | word | meaning |
 * |---|---|
 * | created, updated | the store confirmed it |
 * | unchanged | nothing to send: the store has these values, no field is filled, it is there and has no update, or a program left it out |
 * | planned | with `validate`: it would be sent |
 * | duplicate | another row of this run, or an earlier run, has sent this record already |
 * | invalid | has issues, so it was not sent |
 * | rejected | the store refused it |
 * | failed | an update, or a create that was never sent, ran out of attempts |
 * | in-doubt | a create was sent and no usable answer was received |
 * | unsent | the run stopped before it, the API cannot do it, or an undo put it into the trash |
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

/** Outcomes whose source rows are written to errors.csv, to be corrected and imported again. */
export const IN_ERRORS_CSV: ReadonlySet<OutcomeStatus> = new Set(['invalid', 'rejected', 'failed', 'unsent']);

/** Outcomes that make the exit code 1, if the run was not stopped. */
export const INCOMPLETE: ReadonlySet<OutcomeStatus> = new Set([...IN_ERRORS_CSV, 'in-doubt']);

/** Codes of `unsent` that a retry cannot change: the API lacks it, the user must decide first, or the rows are lost. */
export const NOT_POSSIBLE: ReadonlySet<string> = new Set(['no-update', 'taken-back', 'rows-lost']);

const IN_STORE: ReadonlySet<OutcomeStatus> = new Set(['created', 'updated', 'unchanged', 'in-doubt']);

/** True if the store has, or may have, what was sent. Its digests are then remembered. */
export function mayBeInStore({ outcome }: Pick<Outcome, 'outcome'>): boolean {
  return IN_STORE.has(outcome);
}

/** All issues of a record that share a code and a field. */
export interface IssueKind {
  readonly code: string;
  /** See `generalField`; undefined if the issues concern no field. */
  readonly field?: string | undefined;
  /** Number of issues, at least 1. */
  readonly count: number;
  /** Message of the first issue. */
  readonly example: string;
  /** Rows and columns of the issues that the message of the outcome only counts; undefined if it has all. */
  readonly cells?: readonly (readonly [row: number, column: string])[] | undefined;
}

/** Replaces list indexes: `images.0.src` and `images.7.src` become `images.*.src`. */
export function generalField(field: string): string {
  return field.replaceAll(/(?<=^|\.)\d+(?=\.|$)/g, '*');
}

/** Final state of one record: a line of results.csv. */
export interface Outcome {
  readonly outcome: OutcomeStatus;
  /** `_id` in the store. */
  readonly id?: string | undefined;
  /** Status of the last answer; undefined if there was none. */
  readonly httpStatus?: number | undefined;
  /** HTTP exchanges for this record. */
  readonly attempts: number;
  readonly durationMs: number;
  readonly code?: string | undefined;
  readonly field?: string | undefined;
  readonly message?: string | undefined;
  /** All issues by kind, if there is more than one. `code` and `field` are those of the first. */
  readonly kinds?: readonly IssueKind[] | undefined;
}
