import type { Lookup, OpenRun, SourceFile } from '../ledger/index.ts';
import { ConfigError, RunStopped, type Settled } from '../model/index.ts';
import { openReports, type Reports } from '../report/index.ts';
import { createFeed, deliver } from '../send/index.ts';
import type { StoreClient } from '../store/index.ts';
import { createCanary } from './canary.ts';
import { limitOf, sameRefusal } from './error-limit.ts';
import { type ImportOptions, progressOf, sourceFiles, stageOptions } from './run.ts';
import type { Inputs } from './sources.ts';
import { type GoOn, planRecords } from './stages.ts';
import { type RunFacts, type Summary, stopOf, summarise } from './summary.ts';
import type { Tally } from './tally.ts';

/** How an import reaches a store. `validate` has none of this. */
export interface Delivering {
  readonly store: string;
  /** It ends with the command, so nothing of it is worth remembering. */
  readonly passing: boolean;
  readonly storeId?: string | undefined;
  readonly client: Pick<StoreClient, 'authenticate' | 'deliver'>;
  readonly concurrency: number;
}

/** One execution of a run, from the first record that is left to the reports. */
export interface Execution {
  readonly options: ImportOptions;
  readonly inputs: Inputs;
  readonly files: readonly SourceFile[];
  readonly to: Delivering;
  readonly storeId: string | undefined;
  /** `workedMs`: in earlier executions. */
  readonly facts: Omit<RunFacts, 'files' | 'stopped' | 'notRead' | 'finishedAt'>;
  /** Begins the run in the ledger, or takes it up again. */
  readonly open: () => OpenRun;
  /** What earlier runs know of keys at this store. */
  readonly lookup: Lookup | undefined;
  /** Of what earlier executions settled; this one adds to it. */
  readonly tally: Tally;
  readonly goOn?: GoOn | undefined;
}

/** How long counting the records that were not read may take when a run stops early. */
const COUNT_PATIENCE_MS = 5000;

/**
 * read → group → map → validate → plan → send → record → report. Resolves with the summary also when the run stopped
 * early; throws ConfigError or RunStopped when it did not even begin.
 */
export async function execute(execution: Execution): Promise<Summary> {
  const { options, inputs, to, tally, facts } = execution;
  const beganAt = Date.now();
  const reports = await openReports({ folder: facts.out, run: facts.id, header: inputs.header });
  let run: OpenRun | undefined;
  try {
    run = execution.open();
    const planned = planRecords(inputs, {
      ...stageOptions(options, false, tally.onPlanned, execution.storeId),
      onMark: run.mark,
      goOn: execution.goOn,
      lookup: execution.lookup,
    });
    const canary =
      options.canary === undefined ? undefined : createCanary(options.canary, options.watch.canary);
    const feed = createFeed(canary ? canary.hold(planned) : planned);
    const { maxErrors } = options;
    const limit = maxErrors ? limitOf(maxErrors) : execution.goOn ? undefined : sameRefusal();
    options.watch.started(progressOf(inputs, tally));
    const stopped = await deliver(feed, {
      resource: options.resource,
      send: to.client.deliver,
      journal: run,
      concurrency: to.concurrency,
      interrupted: canary ? AbortSignal.any([options.interrupted, canary.refused]) : options.interrupted,
      onSettled(end) {
        tally.add(end.outcome, end.row);
        canary?.settled(end);
        return limit?.(end.outcome);
      },
    });
    const notRead = stopped ? await feed.countRest(COUNT_PATIENCE_MS).catch(() => undefined) : undefined;
    const finishedAt = Date.now();
    const end = {
      files: sourceFiles(inputs.inputs, execution.files),
      stopped: stopOf(stopped),
      notRead,
      finishedAt,
      workedMs: finishedAt - beganAt,
    };
    // A ledger that could not take an outcome cannot take this either; what it has is still good to read.
    if (end.stopped?.reason !== 'ledger-failed') run.end({ ...end, state: stopped ? 'stopped' : 'done' });
    const ended = {
      ...facts,
      ...end,
      finishedAt: new Date(finishedAt),
      workedMs: facts.workedMs + end.workedMs,
    };
    const summary = summarise(ended, tally, options.exitCodeOf);
    const failure = await writeReports(reports, run.settled(), summary);
    if (failure)
      return summarise(
        { ...ended, stopped: stopOf(unreported(failure, facts.id)) },
        tally,
        options.exitCodeOf,
      );
    // A bug is not a way to stop: its stack is shown, but only after the books were written.
    if (stopped && !(stopped instanceof RunStopped || stopped instanceof ConfigError)) throw stopped;
    return summary;
  } catch (error) {
    await reports.abort();
    throw error;
  } finally {
    run?.close();
  }
}

/** Resolves with what kept the reports from being written; nothing of them is then left behind. */
export async function writeReports(
  reports: Reports,
  settled: Iterable<Settled>,
  summary: object | (() => object),
): Promise<RunStopped | undefined> {
  try {
    for (const end of settled) {
      const full = reports.add(end);
      if (full) await full;
    }
    await reports.finish(typeof summary === 'function' ? summary() : summary);
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
  { resource }: ImportOptions,
  { mapping }: Inputs,
  to: Delivering,
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
