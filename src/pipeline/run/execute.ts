import type { OpenRun, RunEnd, SourceFile } from '../../ledger/index.ts';
import {
  ConfigError,
  endDate,
  INCOMPLETE,
  type PlannedRecord,
  type RecordResult,
  RunStopped,
  startStopwatch,
} from '../../model/index.ts';
import { openReports, type Reports } from '../../report/index.ts';
import { createFeed, deliverAll, type Feed } from '../../send/index.ts';
import type { StoreClient } from '../../store/index.ts';
import type { BoundMapping } from '../inputs/inputs.ts';
import { createCanary } from './canary.ts';
import type { ErrorLimit } from './error-limit.ts';
import { type RunFacts, stopOf } from './facts.ts';
import type { ImportOptions } from './options.ts';
import type { Progress, RecordCounts } from './progress.ts';
import { createStatistics, statisticsOf, withStatistics } from './statistics.ts';
import { type Summary, summarise } from './summary.ts';

/** How an import reaches a store. `validate` has none of this. */
export interface StoreTarget {
  readonly store: string;
  /** It ends with the command, so nothing of it is worth remembering. */
  readonly ephemeral: boolean;
  readonly storeId?: string | undefined;
  readonly client: Pick<StoreClient, 'authenticate' | 'deliver' | 'stop'>;
  readonly concurrency: number;
}

/** What one execution of a run works off, wherever its records come from. */
export interface RecordSource {
  /** Column names of the rows that reports give back. */
  readonly header: readonly string[];
  readonly progress: Progress;
  plan(run: Pick<OpenRun, 'mark'>): AsyncIterable<PlannedRecord[]>;
  /** All its records are in the ledger: none of them has yet to be read. */
  readonly whole?: boolean;
  /** The files of the run, with what is known of them now. */
  files(): readonly SourceFile[];
}

/** One execution of a run, from the first record that is left to the reports. */
export interface RunContext {
  readonly options: Pick<ImportOptions, 'resource' | 'canary' | 'watch' | 'interrupted' | 'exitCodeOf'>;
  readonly to: StoreTarget;
  readonly work: RecordSource;
  /** `workedMs`: in earlier executions. */
  readonly facts: Omit<RunFacts, 'files' | 'stopped' | 'notRead' | 'finishedAt'>;
  /** Begins the run in the ledger, or takes it up again. */
  readonly open: () => OpenRun;
  /** Of what earlier executions settled; this one adds to it. */
  readonly count: RecordCounts;
  /** When too much has gone wrong. */
  readonly limit?: ErrorLimit | undefined;
}

/** How long counting the records that were not read may take when a run stops early. */
const COUNT_PATIENCE_MS = 5000;

/**
 * read → group → map → validate → plan → send → record → report. Resolves with the summary also when the run stopped
 * early; throws ConfigError or RunStopped when it did not even begin.
 */
export async function runRecords(execution: RunContext): Promise<Summary> {
  const { options, to, work, count, facts, limit } = execution;
  const stopwatch = startStopwatch();
  const reports = await openReports({ folder: facts.out, run: facts.id, header: work.header });
  let run: OpenRun | undefined;
  try {
    run = execution.open();
    const canary =
      options.canary === undefined ? undefined : createCanary(options.canary, options.watch.canary);
    const { recordFailed } = options.watch;
    const planned = work.plan(run);
    const feed = createFeed(canary ? canary.hold(planned) : planned);
    options.watch.began?.(facts, count.records);
    options.watch.started(work.progress);
    const stopped = await deliverAll(feed, {
      resource: options.resource,
      send: to.client.deliver,
      journal: run,
      concurrency: to.concurrency,
      namesFiles: work.files().length > 1,
      interrupted: canary ? AbortSignal.any([options.interrupted, canary.refused]) : options.interrupted,
      onSettled(end) {
        count.add(end.outcome.outcome);
        canary?.settled(end);
        if (recordFailed && INCOMPLETE.has(end.outcome.outcome)) recordFailed(end);
        return limit?.(end.outcome);
      },
      onLedgerFailed: to.client.stop,
    });
    // Where nothing stopped the sending, all was read, also if a write fails below.
    const notRead = stopped ? await leftIn(work, feed) : 0;
    const workedMs = stopwatch.elapsedMs();
    // From the time worked in all executions: the clock may have been set back since the first of them.
    const finishedAt = endDate(facts.startedAt, facts.workedMs + workedMs);
    const end = {
      files: work.files(),
      stopped: stopOf(stopped),
      notRead,
      finishedAt: finishedAt.getTime(),
      workedMs,
    };
    const unended = endIn(run, end);
    const ended = {
      ...facts,
      ...end,
      ...(unended ? { stopped: stopOf(unended) } : {}),
      finishedAt,
      workedMs: facts.workedMs + end.workedMs,
    };
    // The books are what the ledger has, and so are the reports.
    const books = createStatistics();
    const summary = () => summarise(ended, books, options.exitCodeOf);
    const failure = await writeReports(reports, withStatistics(books, run.settled()), summary);
    if (failure) {
      const unwritten = { ...ended, stopped: stopOf(unreported(failure, facts.id)) };
      return summarise(unwritten, statisticsOf(run.settled()), options.exitCodeOf);
    }
    // A bug is not a way to stop: its stack is shown, but only after the books were written.
    if (stopped && !(stopped instanceof RunStopped || stopped instanceof ConfigError)) throw stopped;
    return summary();
  } catch (error) {
    await reports.abort();
    throw error;
  } finally {
    run?.close();
  }
}

/** A ledger that could not take an outcome cannot take this either; what it has is still good to read. */
function endIn(run: OpenRun, end: Omit<RunEnd, 'state'>): RunStopped | undefined {
  if (end.stopped?.reason === 'ledger-failed') return undefined;
  try {
    run.end({ ...end, state: end.stopped ? 'stopped' : 'done' });
    return undefined;
  } catch (error) {
    if (error instanceof RunStopped) return error;
    throw error;
  }
}

async function leftIn(work: RecordSource, feed: Feed): Promise<number | undefined> {
  return work.whole ? 0 : feed.countRest(COUNT_PATIENCE_MS).catch(() => undefined);
}

/** Resolves with what kept the reports from being written; nothing of them is then left behind. */
export async function writeReports(
  reports: Reports,
  settled: Iterable<RecordResult>,
  summary: () => object,
): Promise<RunStopped | undefined> {
  try {
    for (const end of settled) {
      const full = reports.add(end);
      if (full) await full;
    }
    await reports.finish(summary());
    return undefined;
  } catch (error) {
    await reports.abort();
    if (error instanceof RunStopped) return error;
    throw error;
  }
}

/** Everything was sent and is known; only the reports are missing. */
function unreported(failure: RunStopped, run: string): RunStopped {
  return new RunStopped(
    'output-failed',
    `${failure.message} What became of each record is in the ledger: make space, then \`storeport run report ${run}\` writes the reports. Do not import the file again`,
  );
}

/** Throws ConfigError where records need the store's id and nobody tells it. */
export async function storeIdFrom(
  { resource }: Pick<ImportOptions, 'resource'>,
  { mapping }: Pick<BoundMapping, 'mapping'>,
  to: StoreTarget,
): Promise<string | undefined> {
  // Also where the store's id is known: credentials that are refused must be found out before anything is sent.
  const token = await to.client.authenticate();
  const storeId = to.storeId ?? token.storeId;
  const mapped = mapping.fields.some(({ path }) => path[0] === 'storeId');
  if (storeId === undefined && !mapped && resource.fromSettings?.includes('storeId'))
    throw new ConfigError(`${resource.name} need the store's id, and the token does not tell it.`, [
      'Give --store-id, or set STOREPORT_STORE_ID.',
    ]);
  return storeId;
}
