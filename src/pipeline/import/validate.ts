import { resolve } from 'node:path';
import { hasHistory, type Ledger, openLedger } from '../../ledger/index.ts';
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
import type { CheckedRecord } from '../../plan/index.ts';
import { openReports, type Summary } from '../../report/index.ts';
import { uncheckedLookups } from '../inputs/lookups.ts';
import { close, open } from '../inputs/open-inputs.ts';
import { sourceFiles } from '../inputs/source-files.ts';
import { prepareOptions } from '../prepare/prepare-options.ts';
import { prepareRecords } from '../prepare/prepare-records.ts';
import { createPreview } from '../prepare/preview.ts';
import { createUnusedCells } from '../prepare/unused-cells.ts';
import { limitOf } from '../run/error-limit.ts';
import type { ImportOptions } from '../run/options.ts';
import { refuseLosses } from '../run/own-files.ts';
import { newRunId, stopReason } from '../summary/facts.ts';
import { checkedOutcome, createPlanCounts, planLine } from '../summary/plan.ts';
import { createRecordCounts, progressOf } from '../summary/progress.ts';
import { createStatistics } from '../summary/statistics.ts';
import { summarise } from '../summary/summary.ts';

/** A store that is named and not contacted. */
export interface NamedStore {
  readonly address: string;
  /** Requests a second that it took in an earlier run; undefined if that is not known. */
  readonly rate?: number | undefined;
}

/**
 * Checks files as an import without a store. Planning gives every record its outcome, and reports are written on the way.
 * If a store is named, the plan and the warnings use what the ledger knows of it.
 */
export async function runValidate(options: ImportOptions, named?: NamedStore): Promise<Summary> {
  const stopwatch = startStopwatch();
  const { startedAt } = stopwatch;
  const id = newRunId(startedAt);
  const inputs = await open(options);
  const store = named?.address;
  const out = options.out ?? resolve('storeport-runs', id);
  let ledger: Ledger | undefined;
  try {
    const isKnown = store !== undefined && hasHistory(options.home, options.resource.name);
    if (isKnown) ledger = openLedger(options.home);
    refuseLosses(options, out, inputs.mapping.lookups);
    const history = store === undefined ? undefined : ledger?.peek(store, options.resource.name);
    const unchecked = uncheckedLookups(inputs.mapping.lookups);
    if (unchecked !== undefined) options.watch.warned(unchecked);
    const statistics = createStatistics();
    const counts = createRecordCounts();
    const reports = await openReports({
      ...{ folder: out, run: id, header: inputs.header },
      format: options.reportFormat,
      withPlan: true,
    });
    const planCounts = createPlanCounts();
    const unusedCells = createUnusedCells();
    const { recordFailed } = options.watch;
    const { resource, mode, version } = options;
    const { mapping } = inputs;
    const started = {
      ...{ id, out, mode, version, mapping, startedAt, resource: resource.name, offset: options.offset },
      ...{ command: 'validate' as const, store: null, workedMs: 0, options: options.toRepeat },
    };
    options.watch.began?.(started, 0);
    options.watch.started(progressOf(inputs, counts, options));
    let stopped: RunStopped | undefined;
    // If every known record came from these files, as in a nightly import, there is nothing to warn of.
    const compareWith =
      store !== undefined && ledger?.hasOtherSources(store, resource.name, options.files)
        ? history
        : undefined;
    const limit = options.maxErrors && limitOf(options.maxErrors);
    const preview = createPreview(options.show ?? 0, options.resource);
    let checked: readonly CheckedRecord[] = [];
    try {
      for await (const batch of prepareRecords(inputs, {
        ...prepareOptions({ options, counts, dryRun: true }),
        history,
        compareWith,
        onChecked(records, binding) {
          checked = records;
          preview.note(records, binding);
          unusedCells.note(records, binding);
        },
      })) {
        for (const [index, planned] of batch.entries()) {
          const settled = resultOf(planned, checked[index] as CheckedRecord);
          const plan = planLine(planned);
          planCounts.add(plan);
          statistics.add(settled.outcome, settled.row);
          counts.add(settled.outcome.outcome);
          if (recordFailed && INCOMPLETE.has(settled.outcome.outcome)) recordFailed(settled);
          stopped ??= limit?.(settled.outcome);
          const full = reports.add(settled, plan);
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
      plan: planCounts.summary(named?.rate, unusedCells.columns()),
    };
    const summary = summarise(facts, statistics, {
      exitCodeOf: options.exitCodeOf,
      reports: reports.names(),
    });
    await reports.finish(summary, facts);
    options.watch.shown?.(preview.shown);
    return summary;
  } finally {
    ledger?.close();
    await close(inputs);
  }
}

function resultOf(planned: PlannedRecord, checked: CheckedRecord): RecordResult {
  const { record, key } = planned;
  const outcome = checkedOutcome(planned, checked);
  const rows = IN_ERRORS_CSV.has(outcome.outcome) ? { rows: keptRows(record) } : {};
  return { seq: record.seq, row: leadRowNumber(record), key, outcome, ...rows };
}
