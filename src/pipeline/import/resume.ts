import { NOT_POSSIBLE, type RecordResultStub } from '../../model/index.ts';
import { createPlanner, type Planner } from '../../plan/index.ts';
import type { Summary } from '../../report/index.ts';
import { close, open, openInputs } from '../inputs/open-inputs.ts';
import { fileNames } from '../inputs/source-files.ts';
import { createBitSet } from '../prepare/bitset.ts';
import { groupingOf } from '../prepare/read-and-group.ts';
import { type StoreTarget, storeIdFrom } from '../run/context.ts';
import { limitOf } from '../run/error-limit.ts';
import { runRecords } from '../run/execute.ts';
import { fileRecords } from '../run/file-records.ts';
import type { ImportOptions, Watcher } from '../run/options.ts';
import { refuseLosses } from '../run/own-files.ts';
import { rewriteRunReports } from '../run/reports.ts';
import { storedFacts } from '../summary/facts.ts';
import { createRecordCounts, type RecordCounts } from '../summary/progress.ts';
import { assertSameFiles, assertSameMapping, type ReopenedRun, reopen } from './reopen.ts';
import { RETRYABLE_OUTCOMES, resend } from './retry.ts';

/**
 * Resumes a run where it stopped. Settled records stay as they are; the others are read if needed, and sent. Throws
 * ConfigError if the files, the mapping or the store have changed.
 */
export async function resumeRun(
  id: string,
  options: ImportOptions,
  connect: () => Promise<StoreTarget>,
): Promise<Summary> {
  return reopen(id, { home: options.home, connect }, async (reopened) => {
    const { ledger, run } = reopened;
    if (run.state === 'done') return rewriteRunReports(ledger, run, options);
    if (run.whole) return resend(reopened, { ...options, outcomes: RETRYABLE_OUTCOMES });
    await assertSameFiles(run);
    return continueRun(reopened, options);
  });
}

async function continueRun({ ledger, run, target }: ReopenedRun, options: ImportOptions): Promise<Summary> {
  const names = run.files.map(({ file }) => file);
  const { grouping, files } = await checkInputs(run, options, names);
  const { resource, mode, offset } = options;
  const history = ledger.history(target.store, run.resource, run);
  const knownIds = history.ids;
  const planner = createPlanner({
    ...{ resource, mode, dryRun: false, grouping, files, knownIds },
  });
  const counts = createRecordCounts();
  const { first, isSettled } = noteSettled(ledger.endings(run), offset, {
    ...{ counts, planner },
    recordFailed: run.stopped?.reason === 'crashed' ? options.watch.recordFailed : undefined,
  });
  // If groups have keys of their own, earlier rows are read again, to recognise a group that appears twice.
  const from = grouping === 'by-other' ? undefined : ledger.checkpointBefore(run, first);
  const inputs = await open({
    ...options,
    names,
    from,
    counted: run.files,
    hasHistory: true,
  });
  try {
    refuseLosses(options, run.out, inputs.mapping.lookups);
    const resume = { from, isSettled, planner };
    const storeId = await storeIdFrom(resource, inputs.mapping, target);
    return await runRecords({
      ...{ options, target, counts },
      source: fileRecords({ options, inputs, files: run.files, storeId, history, counts, resume }),
      limit: options.maxErrors && limitOf(options.maxErrors),
      facts: storedFacts(run),
      open: () => ledger.reopen(run, target.concurrency),
    });
  } finally {
    await close(inputs);
  }
}

/** True for a record that was read but not sent because the run stopped. Operations that are not possible are not retried. */
function isUnsent({ outcome: { outcome, code } }: RecordResultStub): boolean {
  return outcome === 'unsent' && !NOT_POSSIBLE.has(code ?? '');
}

/** Finds the records that are settled for good, and the first that is not. Passes them to the counts and the planner. */
function noteSettled(
  results: Iterable<RecordResultStub>,
  offset: number,
  { counts, planner, recordFailed }: ResumeListeners,
) {
  const settled = createBitSet();
  for (const result of results) {
    if (isUnsent(result)) {
      planner.reserve(result);
      continue;
    }
    counts.onPrepared(1);
    counts.add(result.outcome.outcome);
    planner.claimSettled(result);
    settled.add(result.seq);
    if (recordFailed && isLeftByCrash(result))
      recordFailed({ ...result, outcome: { ...result.outcome, attempts: 1, durationMs: 0 } });
  }
  return { first: settled.firstAbsent(offset), isSettled: settled.has };
}

interface ResumeListeners {
  readonly counts: RecordCounts;
  readonly planner: Planner;
  /** Given if the run died: records that were in flight then were never reported. */
  readonly recordFailed: Watcher['recordFailed'];
}

function isLeftByCrash({ outcome: { outcome, code } }: RecordResultStub): boolean {
  return outcome === 'in-doubt' && code === 'crash';
}

/** Opens the files once, to check that the mapping has not changed. */
async function checkInputs(run: ReopenedRun['run'], options: ImportOptions, names: readonly string[]) {
  const inputs = await openInputs({ ...options, names, onWarning: () => {}, hasHistory: true });
  await close(inputs);
  assertSameMapping(run, inputs.mapping);
  return { grouping: groupingOf(inputs.mapping, options.resource), files: fileNames(inputs) };
}
