import type { StoreFacts } from '../oracle.ts';
import type { Sent } from './machines/traffic.ts';

/** A record of an import in the ledger. */
export interface LedgerRecord {
  readonly seq: number;
  readonly key: string;
  readonly outcome: string;
  /** Its outcome in reports: that of an earlier record if it only shares the doubt of that one. */
  readonly current: string;
  /** True if it has the outcome of an earlier record, which may have been sent since. */
  readonly shares: boolean;
  readonly id: string | null;
}

/** An import in the ledger, with the totals that its task reports. */
export interface LedgerRun {
  readonly id: string;
  readonly store: string;
  readonly state: string;
  /** Number of records in its file. */
  readonly wanted: number;
  readonly records: readonly LedgerRecord[];
  /** Outcomes as the task reports them; undefined if it reports none. */
  readonly outcomes: Readonly<Record<string, number>> | undefined;
}

export interface LedgerTask {
  readonly id: string;
  readonly store: string;
  readonly state: string;
}

/** A time at which a worker no longer had the lease of a store, as Postgres knew it. */
export interface Loss {
  readonly store: string;
  readonly pid: number;
  readonly epoch: number;
  /** From then on, another worker was seen with it. */
  readonly fromMs: number;
  /** Until then. */
  readonly untilMs: number;
}

export interface FleetHistory {
  readonly stores: ReadonlyMap<string, StoreFacts>;
  readonly runs: readonly LedgerRun[];
  readonly tasks: readonly LedgerTask[];
  readonly losses: readonly Loss[];
  readonly sent: readonly Sent[];
  /** Requests in flight to a store. */
  readonly concurrency: number;
  /** Number of faults that a store may have noticed. */
  readonly faultsAt: ReadonlyMap<string, number>;
}

/** Unsent: a doubt that the answer of a lost worker settled, once it could send nothing more. */
const MAY_BE = new Set(['created', 'updated', 'unchanged', 'in-doubt', 'unsent']);
/** The journal of a sandbox ends there. */
const JOURNAL_LIMIT = 100_000;

/** Violations of the guarantees by the journals of the stores, the ledger and the traffic; empty if there are none. */
export function fleetViolations(history: FleetHistory): string[] {
  const found = [...history.stores].flatMap(([store, facts]) =>
    doubles(store, facts).concat(ledgerMismatches(store, facts, history.runs)),
  );
  return found.concat(
    history.runs.flatMap(runFaults),
    tooManyInDoubt(history),
    history.tasks
      .filter(({ state }) => state !== 'done' && state !== 'stopped')
      .map(({ id, store, state }) => `${store}: task ${id} is ${state} at the end`),
    zombieCreates(history),
  );
}

/** Records that a store made more than once, by the journal and by its list of records. */
export function doubles(store: string, { journal, references }: StoreFacts): string[] {
  const made = createsOf(journal).map(({ key }) => key);
  const found = repeated(made).map((key) => `${store}: ${key} was made more than once`);
  if (journal.length >= JOURNAL_LIMIT) found.push(`${store}: its journal is full, so it proves nothing`);
  for (const key of repeated(references)) found.push(`${store}: ${key} is in the store more than once`);
  if (references.length !== made.length)
    found.push(`${store}: has ${references.length} records and made ${made.length}`);
  return found;
}

function createsOf(journal: StoreFacts['journal']): { key: string; id: string }[] {
  return journal.flatMap(({ kind, did }) =>
    kind === 'create' && did ? [{ id: did.id, key: did.key ?? '' }] : [],
  );
}

/** Compares the records that a store made with those that the ledger says it made. */
function ledgerMismatches(store: string, { journal }: StoreFacts, runs: readonly LedgerRun[]): string[] {
  const made = createsOf(journal);
  const ids = new Set(made.map(({ key, id }) => `${key} ${id}`));
  const records = runs.filter((run) => run.store === store).flatMap((run) => run.records);
  const known = new Set(records.flatMap((each) => (each.id === null ? [] : [`${each.key} ${each.id}`])));
  const inDoubt = new Set(records.filter((each) => each.current === 'in-doubt').map(({ key }) => key));
  return [
    ...made
      .filter(({ key, id }) => !known.has(`${key} ${id}`) && !inDoubt.has(key))
      .map(({ key, id }) => `${store}: made ${key} as ${id}, which the ledger does not know`),
    ...records
      .filter(({ outcome, key, id }) => outcome === 'created' && !ids.has(`${key} ${id}`))
      .map(
        ({ key, id }) =>
          `${store}: the ledger has ${key} as created with ${id}, which the store did not make`,
      ),
  ];
}

/** A fault leaves at most those records of a store in doubt that were in flight. Later imports of them stay in doubt. */
function tooManyInDoubt({ runs, concurrency, faultsAt }: FleetHistory): string[] {
  return [...groupBy(runs, ({ store }) => store)].flatMap(([store, all]) => {
    const doubts = all.flatMap(({ records }) => records).filter(({ current }) => current === 'in-doubt');
    const keys = new Set(doubts.map(({ key }) => key));
    const most = concurrency * (faultsAt.get(store) ?? 0);
    return keys.size > most ? [`${store}: has ${keys.size} in doubt, at most ${most} may be`] : [];
  });
}

/** Faults of one run: records without or with several outcomes, and totals that differ. */
function runFaults({ id, store, state, wanted, records, outcomes }: LedgerRun): string[] {
  const say = (text: string) => `${store}: run ${id}: ${text}`;
  const found: string[] = [];
  if (state !== 'done') found.push(say(`is ${state} at the end`));
  const seqs = new Set(records.map(({ seq }) => seq));
  if (seqs.size !== records.length) found.push(say(`has ${records.length - seqs.size} outcomes too many`));
  if (seqs.size !== wanted) found.push(say(`has outcomes for ${seqs.size} of ${wanted} records`));
  const keys = new Set(records.map(({ key }) => key));
  if (keys.size !== records.length) found.push(say(`has ${keys.size} keys in ${records.length} records`));
  for (const { key, outcome, current } of records)
    if (outcome === 'created' && current !== 'created')
      found.push(say(`created ${key} and reports it as ${current}`));
  const counts = countsOf(records.map(({ current }) => current));
  for (const [outcome, count] of Object.entries(counts))
    if (!MAY_BE.has(outcome))
      found.push(
        say(
          `has ${count} ${outcome}: ${records.flatMap((each) => (each.current === outcome ? [each.key] : [])).slice(0, 5)}`,
        ),
      );
  if (outcomes === undefined) found.push(say('has no totals'));
  else if (!isSettledFrom(outcomes, counts, records.filter(({ shares }) => shares).length))
    found.push(say(`its totals are ${sorted(outcomes)}, its records are ${sorted(counts)}`));
  return found;
}

/**
 * True if the counts are those of a report in which only doubts have been settled since, by answers that came late, and at most
 * `sharing` records have got other outcomes.
 */
function isSettledFrom(
  reported: Readonly<Record<string, number>>,
  counts: Readonly<Record<string, number>>,
  sharing: number,
): boolean {
  const words = new Set([...Object.keys(reported), ...Object.keys(counts)]);
  const gained = [...words].map((word) => [word, (counts[word] ?? 0) - (reported[word] ?? 0)] as const);
  const isBalanced = gained.reduce((sum, [, count]) => sum + count, 0) === 0;
  const unexpected = gained.map(([word, count]) => Math.max(0, word === 'in-doubt' ? count : -count));
  return isBalanced && unexpected.reduce((sum, count) => sum + count, 0) <= sharing;
}

/** Creates that a worker sent after another had taken its lease: at most those whose intents it had committed. */
function zombieCreates({ losses, sent, runs, concurrency }: FleetHistory): string[] {
  const creates = sent.filter(({ kind }) => kind === 'create');
  const byStore = groupBy(creates, ({ store }) => store);
  const keysOf = new Map(
    [...groupBy(runs, ({ store }) => store)].map(([store, all]) => [
      store,
      new Set(all.flatMap(({ records }) => records.map(({ key }) => key))),
    ]),
  );
  return losses.flatMap(({ store, pid, epoch, fromMs, untilMs }) => {
    const late = (byStore.get(store) ?? []).filter(
      (each) => each.pid === pid && each.ms > fromMs && each.ms < untilMs,
    );
    const say = (text: string) => `${store}: process ${pid}, which had lost epoch ${epoch}, ${text}`;
    const found = late
      .filter(({ key }) => key !== undefined && !keysOf.get(store)?.has(key))
      .map(({ key }) => say(`sent ${key}, which the ledger does not know`));
    if (late.length > concurrency) found.push(say(`sent ${late.length} creates`));
    return found;
  });
}

export function repeated(keys: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...new Set(keys.filter((key) => seen.size === seen.add(key).size))];
}

function groupBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(nameOf(item));
    if (group) group.push(item);
    else groups.set(nameOf(item), [item]);
  }
  return groups;
}

function countsOf(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

function sorted(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([word, count]) => `${count} ${word}`)
    .join(', ');
}
