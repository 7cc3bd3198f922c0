import { grouped, type Outcome, type OutcomeStatus, RunStopped } from '../../model/index.ts';
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

/** Codes of rows that cannot be read, whatever the mapping is. */
const UNREADABLE: ReadonlySet<string | undefined> = new Set([
  'ragged-row',
  'not-an-object',
  'bad-json',
  'text-after-quote',
  'unterminated-quote',
]);
/** This many of them, and nearly nothing else, are no data with mistakes: the file is read in the wrong way. */
const MAX_UNREADABLE = 100_000;
const MIN_UNREADABLE_SHARE = 0.99;

/** A default without `--max-errors`: stops if nearly all rows so far cannot be read. */
export function unreadableRows(): ErrorLimit {
  let settled = 0;
  let unreadable = 0;
  return ({ outcome, code, message = '' }) => {
    settled++;
    if (outcome !== 'invalid' || !UNREADABLE.has(code)) return undefined;
    unreadable++;
    if (unreadable % MAX_UNREADABLE !== 0 || unreadable < MIN_UNREADABLE_SHARE * settled) return undefined;
    return new RunStopped(
      'source-failed',
      `${grouped(unreadable)} of the first ${grouped(settled)} records cannot be read, such as the last one of them: ${message}`,
      [
        'Look at its delimiter, its quotes and the lines above its header. Options that say how they are: storeport validate --help-all',
        'Or read it to its end all the same with --max-errors 100%',
      ],
    );
  };
}

/** The limit of a run: what the user allows, or else what no run needs. */
export function limitFor(max: MaxErrors | undefined, ...defaults: readonly ErrorLimit[]): ErrorLimit {
  if (max) return limitOf(max);
  const all = [unreadableRows(), ...defaults];
  return (outcome) => {
    for (const limit of all) {
      const stopped = limit(outcome);
      if (stopped) return stopped;
    }
    return undefined;
  };
}

/** The likely cause of updates that the store answers with 404. */
const FOREIGN_IDS =
  ' It has no record under these identifiers. If they are those of another system, import with --mode create, or rename the column "_id".';

/** A default without `--max-errors`: stops if the first records sent are all refused in the same way. */
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
