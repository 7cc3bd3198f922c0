import { join } from 'node:path';
import type { JournalEntry } from '../../src/sandbox/journal.ts';
import { type Expected, type StoreFacts, table, violations } from './oracle.ts';

/** The conclusion that a client must draw about one create, from its effect and its answer. */
export type Fate = 'created' | 'lost' | 'rejected' | 'again';

type Answered = Pick<JournalEntry, 'status' | 'whole' | 'fault'>;

/** Whole answers with a 2xx that do not have the identifier of the record. */
const USELESS: ReadonlySet<string | undefined> = new Set(['html', 'empty', 'no-id', 'other-record']);

/** Faults that damage the answer after its status, which is enough for a refusal. */
const CUT: ReadonlySet<string | undefined> = new Set(['cut', 'truncated', 'trickle']);

/**
 * `lost`: no answer arrived, or none that shows whether the record exists. `again`: the answer shows that
 * nothing happened, and that a retry is allowed. The client cannot know whether the record exists, so that does
 * not matter.
 */
export function fateOf(answered: Answered): Fate {
  const { whole, fault } = answered;
  const status = statusOf(answered);
  if (status === undefined) return 'lost';
  if (status < 300) return whole && !USELESS.has(fault) ? 'created' : 'lost';
  if (status === 401 || status === 429 || fault === 'error-503-json') return 'again';
  return status === 408 || status >= 500 ? 'lost' : 'rejected';
}

/** The status that the client received. */
function statusOf({ status, whole, fault }: Answered): number | undefined {
  return status !== null && (whole || CUT.has(fault)) ? status : undefined;
}

export interface ChaosExpected extends Omit<Expected, 'mostInDoubt' | 'othersMayBe'> {
  /** Requests that may have been lost without an entry in the journal. */
  readonly unseen: number;
  /** Concurrency, and executions of the run: most records in doubt for each outage. */
  readonly concurrency: number;
  readonly executions: number;
}

/**
 * Contradictions between store and reports about lost answers: exactly the creates with a lost answer must be
 * in doubt. The journal has no key for a create without effect, so those are counted by status.
 */
export function chaosViolations(facts: StoreFacts, expected: ChaosExpected): string[] {
  const { wanted, out, unseen, concurrency, executions } = expected;
  const creates = facts.journal.filter(({ kind }) => kind === 'create');
  const keysOf = (fate: Fate) =>
    new Set(creates.flatMap((entry) => (fateOf(entry) === fate ? (entry.did?.key ?? []) : [])));
  const created = keysOf('created');
  const lost = keysOf('lost');
  const inVain = creates.filter(({ did }) => did === undefined);
  const lostInVain = countsOf(
    inVain,
    (entry) => fateOf(entry) === 'lost',
    (entry) => String(statusOf(entry) ?? ''),
  );

  const most = lost.size + sumOf(lostInVain) + unseen;
  const found = violations(facts, { ...expected, mostInDoubt: most, othersMayBe: ['rejected'] });
  const inOutage = creates.filter(({ fault }) => fault === 'outage').length;
  if (inOutage > 2 * concurrency * executions)
    found.push(`${inOutage} creates were lost in the outage, of ${executions} executions`);
  const lines = new Map(table(join(out, 'results.csv')).map((line) => [line.key, line]));
  const outcomeOf = (key: string) => lines.get(key)?.outcome ?? 'missing';
  for (const key of [...created, ...lost]) {
    const right = created.has(key) ? 'created' : 'in-doubt';
    if (outcomeOf(key) !== right) found.push(`${key} was made and must be ${right}; it is ${outcomeOf(key)}`);
  }
  const unmade = wanted.filter((key) => !created.has(key) && !lost.has(key));
  const statusIn = (key: string) => lines.get(key)?.http_status ?? '';
  const doubtful = countsOf(unmade, (key) => outcomeOf(key) === 'in-doubt', statusIn);
  for (const status of new Set([...Object.keys(doubtful), ...Object.keys(lostInVain)])) {
    const beyond = (doubtful[status] ?? 0) - (lostInVain[status] ?? 0);
    if (beyond < 0 || beyond > (status === '' ? unseen : 0))
      found.push(
        `${doubtful[status] ?? 0} that were not made are in doubt with status "${status}"; ${lostInVain[status] ?? 0} were answered so`,
      );
  }
  const refusals = inVain.filter((entry) => fateOf(entry) === 'rejected').length;
  const rejected = wanted.filter((key) => outcomeOf(key) === 'rejected');
  if (rejected.length !== refusals)
    found.push(`${rejected.length} are rejected; the store rejected ${refusals}`);
  const returned = table(join(out, 'errors.csv')).map(({ reference = '' }) => reference);
  if (returned.join() !== rejected.join())
    found.push(`errors.csv has ${returned.length} rows of ${rejected.length} records that were rejected`);
  return found;
}

function countsOf<T>(
  items: readonly T[],
  counts: (item: T) => boolean,
  nameOf: (item: T) => string,
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const item of items) if (counts(item)) sums[nameOf(item)] = (sums[nameOf(item)] ?? 0) + 1;
  return sums;
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
