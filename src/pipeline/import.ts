import { resolve } from 'node:path';
import { type OpenRun, openLedger } from '../ledger/index.ts';
import { ConfigError, RunStopped, type Settled } from '../model/index.ts';
import { openReports, type Reports } from '../report/index.ts';
import { createFeed, deliver } from '../send/index.ts';
import type { StoreClient } from '../store/index.ts';
import { createCanary } from './canary.ts';
import { begin, close, type ImportOptions, open, progressOf, sourceFiles, stageOptions } from './run.ts';
import type { Inputs } from './sources.ts';
import { planRecords } from './stages.ts';
import { reasonOf, type Summary, summarise } from './summary.ts';
import { createTally } from './tally.ts';

/** How `import` reaches a store. `validate` has none of this. */
export interface Delivering {
  readonly home: string;
  readonly store: string;
  readonly storeId?: string | undefined;
  readonly client: Pick<StoreClient, 'authenticate' | 'deliver'>;
  readonly concurrency: number;
}

/** How long counting the records that were not read may take when a run stops early. */
const COUNT_PATIENCE_MS = 5000;

/**
 * One import: read → group → map → validate → plan → send → record → report. Resolves with the summary also when the
 * run stopped early; throws ConfigError or RunStopped when it did not even begin. `connect` is called once the files
 * and the mapping are known to be good.
 */
export async function runImport(
  options: ImportOptions,
  connect: () => Promise<Delivering>,
): Promise<Summary> {
  const started = begin('import');
  const inputs = await open(options);
  try {
    const to = await connect();
    // Also where the store's id is known: credentials that are refused must be found out before anything is sent.
    const token = await to.client.authenticate();
    const storeId = to.storeId ?? token.storeId;
    requireStoreId(options, inputs, storeId);
    const tally = createTally();
    const planned = planRecords(inputs, stageOptions(options, false, tally.onPlanned, storeId));
    const canary =
      options.canary === undefined ? undefined : createCanary(options.canary, options.watch.canary);
    const feed = createFeed(canary ? canary.hold(planned) : planned);
    const out = options.out ?? resolve('storeport-runs', started.run);
    const ledger = openLedger(to.home);
    const reports = await openReports({ folder: out, run: started.run, header: inputs.header }).catch(
      (error) => {
        ledger.close();
        throw error;
      },
    );
    let run: OpenRun | undefined;
    try {
      run = ledger.begin(
        {
          id: started.run,
          resource: options.resource.name,
          mode: options.mode,
          store: to.store,
          mappingName: inputs.mapping.name,
          mappingDigest: inputs.mapping.digest,
          files: options.files.map((file) => ({ file })),
          header: inputs.header,
          out,
          version: options.version,
        },
        to.concurrency,
      );
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
        },
      });
      const notRead = stopped ? await feed.countRest(COUNT_PATIENCE_MS).catch(() => undefined) : undefined;
      const files = sourceFiles(inputs.inputs);
      const reason = reasonOf(stopped);
      // A ledger that could not take an outcome cannot take this either; what it has is still good to read.
      if (reason !== 'ledger-failed') run.end(stopped ? 'stopped' : 'done', files, reason);
      const end = { ...started, tally, out, files, notRead: stopped ? notRead : 0, store: to.store };
      const summary = summarise(options, inputs, { ...end, stopped });
      const failure = await writeReports(reports, run.settled(), summary);
      if (failure) return summarise(options, inputs, { ...end, stopped: unreported(failure, to.home) });
      // A bug is not a way to stop: its stack is shown, but only after the books were written.
      if (stopped && !(stopped instanceof RunStopped || stopped instanceof ConfigError)) throw stopped;
      return summary;
    } catch (error) {
      await reports.abort();
      throw error;
    } finally {
      run?.close();
      ledger.close();
    }
  } finally {
    await close(inputs);
  }
}

/** Resolves with what kept the reports from being written; nothing of them is then left behind. */
async function writeReports(
  reports: Reports,
  settled: Iterable<Settled>,
  summary: Summary,
): Promise<RunStopped | undefined> {
  try {
    for (const end of settled) {
      const full = reports.add(end);
      if (full) await full;
    }
    await reports.finish(summary);
    return undefined;
  } catch (error) {
    await reports.abort();
    if (error instanceof RunStopped) return error;
    throw error;
  }
}

/** Everything was sent and is known; only the reports are missing. To import again would make doubles. */
function unreported(failure: RunStopped, home: string): RunStopped {
  return new RunStopped(
    'output-failed',
    `${failure.message} What became of each record is in the ledger (${home}): do not import the file again`,
  );
}

function requireStoreId({ resource }: ImportOptions, { mapping }: Inputs, storeId: string | undefined): void {
  const mapped = mapping.fields.some(({ path }) => path[0] === 'storeId');
  if (storeId === undefined && !mapped && resource.fromSettings?.includes('storeId'))
    throw new ConfigError(`${resource.name} need the store's id, and the token does not tell it.`, [
      'Give --store-id, or set STOREPORT_STORE_ID.',
    ]);
}
