import { resolve } from 'node:path';
import { hasHistory, openLedger } from '../../ledger/index.ts';
import {
  IN_ERRORS_CSV,
  INCOMPLETE,
  keptRows,
  leadRowNumber,
  type PlannedRecord,
  type RecordResult,
  RunStopped,
  startStopwatch,
} from '../../model/index.ts';
import { openReports } from '../../report/index.ts';
import { uncheckedLookups } from '../inputs/lookups.ts';
import { close, open } from '../inputs/open-inputs.ts';
import { sourceFiles } from '../inputs/source-files.ts';
import { prepareRecords } from '../prepare/prepare-records.ts';
import { createPreview } from '../prepare/preview.ts';
import { limitOf } from '../run/error-limit.ts';
import { prepareOptions } from '../run/file-records.ts';
import type { ImportOptions } from '../run/options.ts';
import { refuseLosses } from '../run/own-files.ts';
import { newRunId, stopReason } from '../summary/facts.ts';
import { createRecordCounts, progressOf } from '../summary/progress.ts';
import { createStatistics } from '../summary/statistics.ts';
import { type Summary, summarise } from '../summary/summary.ts';

/**
 * Checks files as an import without a store. Planning gives every record its outcome, and reports are written on the way.
 * `store`: if given, warnings use what the ledger knows about it.
 */
export async function runValidate(options: ImportOptions, store?: string): Promise<Summary> {
  const stopwatch = startStopwatch();
  const { startedAt } = stopwatch;
  const id = newRunId(startedAt);
  const inputs = await open(options);
  const isKnown = store !== undefined && hasHistory(options.home, options.resource.name);
  const ledger = isKnown ? openLedger(options.home) : undefined;
  const out = options.out ?? resolve('storeport-runs', id);
  try {
    refuseLosses(options, out, inputs.mapping.lookups);
    const unchecked = uncheckedLookups(inputs.mapping.lookups);
    if (unchecked !== undefined) options.watch.warned(unchecked);
    const statistics = createStatistics();
    const counts = createRecordCounts();
    const reports = await openReports({
      ...{ folder: out, run: id, header: inputs.header },
      format: options.reportFormat,
    });
    const { recordFailed } = options.watch;
    const { resource, mode, version } = options;
    const { mapping } = inputs;
    const started = {
      ...{ id, out, mode, version, mapping, startedAt, resource: resource.name, offset: options.offset },
      ...{ command: 'validate' as const, store: null, workedMs: 0 },
    };
    options.watch.began?.(started, 0);
    options.watch.started(progressOf(inputs, counts, options));
    let stopped: RunStopped | undefined;
    // If every known record came from these files, as in a nightly import, there is nothing to warn of.
    const compareWith =
      store !== undefined && ledger?.hasOtherSources(store, resource.name, options.files)
        ? ledger.peek(store, resource.name)
        : undefined;
    const limit = options.maxErrors && limitOf(options.maxErrors);
    const preview = createPreview(options.show ?? 0, options.resource);
    try {
      for await (const batch of prepareRecords(inputs, {
        ...prepareOptions({ options, counts, dryRun: true }),
        compareWith,
        onChecked: preview.note,
      })) {
        for (const settled of batch.map(resultOf)) {
          statistics.add(settled.outcome, settled.row);
          counts.add(settled.outcome.outcome);
          if (recordFailed && INCOMPLETE.has(settled.outcome.outcome)) recordFailed(settled);
          stopped ??= limit?.(settled.outcome);
          const full = reports.add(settled);
          if (full) await full;
        }
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
    const files = sourceFiles(inputs.files, options);
    const facts = {
      ...{ ...started, files, finishedAt: stopwatch.date() },
      stopped: stopReason(stopped),
      workedMs: stopwatch.elapsedMs(),
    };
    const summary = summarise(facts, statistics, {
      exitCodeOf: options.exitCodeOf,
      reports: reports.names(),
    });
    await reports.finish(summary);
    options.watch.shown?.(preview.shown);
    return summary;
  } finally {
    ledger?.close();
    await close(inputs);
  }
}

function resultOf({ record, key, outcome }: PlannedRecord): RecordResult {
  const end = outcome ?? { outcome: 'planned', attempts: 0, durationMs: 0 };
  const rows = IN_ERRORS_CSV.has(end.outcome) ? { rows: keptRows(record) } : {};
  return { seq: record.seq, row: leadRowNumber(record), key, outcome: end, ...rows };
}
