import { type Outcome, type OutcomeStatus, RunStopped } from '../../model/index.ts';
import { problemShape } from '../summary/statistics.ts';

/** Errors that a run may have before it stops: a number, or a percentage of the records. */
export type MaxErrors = { readonly count: number } | { readonly percent: number };

/** Called with every outcome. Returns the reason to stop; undefined to continue. */
export type ErrorLimit = (outcome: Outcome) => RunStopped | undefined;

/** Fewer records than this give no meaningful percentage. */
const PERCENT_FROM = 100;

/** This many equal refusals in a row show a mistake in the settings or the mapping, not in the data. */
const SAME_REFUSALS = 50;

const ERRORS: ReadonlySet<OutcomeStatus> = new Set(['invalid', 'rejected', 'failed', 'in-doubt']);

export function limitOf(max: MaxErrors): ErrorLimit {
  let settled = 0;
  let errors = 0;
  return ({ outcome }) => {
    settled++;
    if (!ERRORS.has(outcome)) return undefined;
    errors++;
    const tooMany =
      'count' in max ? errors > max.count : settled >= PERCENT_FROM && errors * 100 > max.percent * settled;
    if (!tooMany) return undefined;
    return new RunStopped(
      'too-many-errors',
      `${errors} of ${settled} records went wrong, and --max-errors allows ${'count' in max ? max.count : `${max.percent} %`}.`,
    );
  };
}

/** The likely cause of updates that the store answers with 404. */
const FOREIGN_IDS =
  ' It has no record under these identifiers. If they are those of another system, import with --mode create, or rename the column "_id".';

/** The default without `--max-errors`: stops if the first records sent are all refused in the same way. */
export function sameRefusal(): ErrorLimit {
  let refused = 0;
  let first: string | undefined;
  let over = false;
  return ({ outcome, attempts, code, field, message = '', id, httpStatus }) => {
    if (over || attempts === 0) return undefined;
    const shape = [code, field, problemShape(message, id)].join('\n');
    first ??= shape;
    if (outcome !== 'rejected' || shape !== first) {
      over = true;
      return undefined;
    }
    refused++;
    if (refused < SAME_REFUSALS) return undefined;
    over = true;
    return new RunStopped(
      'same-refusal',
      `The store refused each of the first ${refused} records in the same way: ${message}${httpStatus === 404 && id !== undefined ? FOREIGN_IDS : ''}`,
      ['Look at the mapping and the settings. --max-errors says how many refusals a run may take.'],
    );
  };
}
