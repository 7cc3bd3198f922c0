import { type LocalLedger, localLedger, openLedger } from '../../ledger/index.ts';
import { resolve } from '../../model/files/fs.ts';
import { INCOMPLETE, RunStopped, startStopwatch } from '../../model/index.ts';
import { openReports, type Summary } from '../../report/index.ts';
import {
  checkImages,
  type ImagesOfRun,
  refuseUncheckableImages,
  withWrongImages,
} from '../images/check-images.ts';
import { type PlannedReferences, uncheckedLookups } from '../inputs/lookups.ts';
import { close, openForCommand } from '../inputs/open-inputs.ts';
import { limitFor } from '../run/error-limit.ts';
import type { ImportOptions } from '../run/options.ts';
import { refuseLosses, reportsFolder } from '../run/own-files.ts';
import { newRunId, stopReason } from '../summary/facts.ts';
import { createPlanCounts } from '../summary/plan.ts';
import { createRecordCounts } from '../summary/progress.ts';
import { createStatistics } from '../summary/statistics.ts';
import { summarise } from '../summary/summary.ts';
import { openCheck } from './open-check.ts';

/** A store that is named and not contacted. */
export interface NamedStore {
  readonly address: string;
  /** Requests a second that it took in an earlier run; undefined if that is not known. */
  readonly rate?: number | undefined;
}

/**
 * Checks files as an import without a store. Planning gives every record its outcome, and reports are written on the way.
 * If a store is named, the plan and the warnings use what the ledger knows of it. `planned`: what earlier steps of a
 * migration will create; left out, every reference to a record that is not known counts as found.
 */
export async function runValidate(
  options: ImportOptions,
  named?: NamedStore,
  planned?: PlannedReferences,
): Promise<Summary> {
  const stopwatch = startStopwatch();
  const { startedAt } = stopwatch;
  const id = newRunId(startedAt);
  const opened = await openForCommand(options);
  const store = named?.address;
  const out = options.out ?? resolve(reportsFolder(id, options));
  let ledger: LocalLedger | undefined;
  let checked: ImagesOfRun | undefined;
  let closeReader: (() => Promise<void>) | undefined;
  try {
    const referred = planned
      ? opened.mapping.lookups.flatMap((table) => ('from' in table ? table.from : []))
      : [];
    const resources = [options.resource.name, ...referred];
    if (store !== undefined && (await knowsAny(options.home, resources))) ledger = openLedger(options.home);
    refuseLosses(options, out, opened.mapping.lookups);
    refuseUncheckableImages(options, opened);
    const history = store === undefined ? undefined : ledger?.peek(store, options.resource.name);
    const unchecked = planned ? undefined : uncheckedLookups(opened.mapping.lookups);
    if (unchecked !== undefined) options.watch.warned(unchecked);
    checked = await checkImages(options, { inputs: opened });
    const inputs = withWrongImages(opened, checked);
    const statistics = createStatistics();
    const counts = createRecordCounts();
    const reports = await openReports({
      ...{ folder: out, run: id, header: inputs.header },
      format: options.reportFormat,
      withPlan: true,
    });
    const planCounts = createPlanCounts();
    const { recordFailed, recordSettled, room } = options.watch;
    const { resource, mode, version } = options;
    const { mapping } = inputs;
    const started = {
      ...{ id, out, mode, version, mapping, startedAt, resource: resource.name, offset: options.offset },
      ...{ command: 'validate' as const, store: null, workedMs: 0, options: options.toRepeat },
    };
    options.watch.began?.(started, 0);
    let stopped: RunStopped | undefined;
    // If every known record came from these files, as in a nightly import, there is nothing to warn of.
    const compareWith =
      store !== undefined && ledger?.hasOtherSources(store, resource.name, options.files)
        ? history
        : undefined;
    const limit = limitFor(options.maxErrors);
    const checking = openCheck({
      options,
      inputs,
      counts,
      history,
      store,
      compareWith,
      planned: referred.length > 0 ? planned : undefined,
    });
    closeReader = checking.close;
    options.watch.started(checking.progress);
    try {
      for await (const batch of checking.results()) {
        for (const { settled, plan } of batch) {
          planCounts.add(plan);
          statistics.add(settled.outcome, settled.row);
          counts.add(settled.outcome.outcome);
          if (recordFailed && INCOMPLETE.has(settled.outcome.outcome)) recordFailed(settled);
          recordSettled?.(settled);
          stopped ??= limit(settled.outcome);
          const full = reports.add(settled, plan);
          if (full) await full;
        }
        await room?.();
        if (stopped) break;
        if (options.interrupted.aborted) throw new RunStopped('interrupted', 'The check was interrupted.');
      }
    } catch (error) {
      if (!(error instanceof RunStopped) || error.reason === 'output-failed') {
        await reports.abort();
        throw error;
      }
      // Report the records that were checked before.
      stopped = error;
    }
    const { files, findings } = await checking.facts();
    const facts = {
      ...{ ...started, files, finishedAt: stopwatch.date() },
      stopped: stopReason(stopped),
      workedMs: stopwatch.elapsedMs(),
      plan: planCounts.summary(named?.rate, findings?.unused ?? []),
      images: checked?.counts,
    };
    const summary = summarise(facts, statistics, {
      exitCodeOf: options.exitCodeOf,
      reports: reports.names(),
    });
    await reports.finish(summary, facts);
    options.watch.shown?.(findings?.shown ?? []);
    return summary;
  } finally {
    await closeReader?.();
    await ledger?.close();
    checked?.close();
    await close(opened);
  }
}

/** True if earlier runs know anything of one of the resources. */
async function knowsAny(home: string, resources: readonly string[]): Promise<boolean> {
  const { hasHistory } = localLedger(home);
  for (const resource of resources) if (await hasHistory(resource)) return true;
  return false;
}
