import { NOT_POSSIBLE, type RecordResultStub } from '../../model/index.ts';
import { createPlanner, type Planner } from '../../plan/index.ts';
import { close, open, openInputs } from '../inputs/open-inputs.ts';
import { createBitSet } from '../prepare/bitset.ts';
import { fileNames, groupingOf } from '../prepare/prepare-records.ts';
import { type StoreTarget, storeIdFrom } from '../run/context.ts';
import { limitOf } from '../run/error-limit.ts';
import { runRecords } from '../run/execute.ts';
import { storedFacts } from '../run/facts.ts';
import { fileRecords } from '../run/file-records.ts';
import type { ImportOptions, Watcher } from '../run/options.ts';
import { refuseLosses } from '../run/own-files.ts';
import { createRecordCounts, type RecordCounts } from '../run/progress.ts';
import { rewriteRunReports } from '../run/reports.ts';
import type { Summary } from '../run/summary.ts';
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
  return reopen(id, options.home, connect, async (reopened) => {
    const { ledger, run } = reopened;
    if (run.state === 'done') return rewriteRunReports(ledger, run, options.exitCodeOf);
    if (run.whole) return resend(reopened, options, RETRYABLE_OUTCOMES);
    await assertSameFiles(run);
    return continueRun(reopened, options);
  });
}

async function continueRun({ ledger, run, target }: ReopenedRun, options: ImportOptions): Promise<Summary> {
  const names = run.files.map(({ file }) => file);
  const { grouping, files } = await checkInputs(run, options, names);
  const { resource, mode, offset, home } = options;
  const knowledge = ledger.history(target.store, run.resource, run);
  const knownIds = knowledge.ids;
  const planner = createPlanner({
    ...{ resource, mode, dryRun: false, grouping, spillFolder: home, files, knownIds },
  });
  try {
    const counts = createRecordCounts();
    const { first, isSettled } = doneBefore(ledger.endings(run), offset, {
      ...{ counts, planner },
      recordFailed: run.stopped?.reason === 'crashed' ? options.watch.recordFailed : undefined,
    });
    // If groups have keys of their own, earlier rows are read again, to recognise a group that appears twice.
    const from = grouping === 'by-other' ? undefined : ledger.checkpointBefore(run, first);
    const inputs = await open({
      ...options,
      names,
      from,
      suspected: run.files.map(({ suspicious }) => suspicious),
      emptyBefore: run.files.map(({ emptyRows }) => emptyRows),
      rulesBefore: run.files.map(({ rules = [] }) => rules),
      warned: run.files.map(({ warnings }) => warnings),
      hasHistory: true,
    });
    try {
      refuseLosses(options, run.out, inputs.mapping.lookups);
      const resume = { from, isSettled, planner };
      const storeId = await storeIdFrom(options, inputs, target);
      return await runRecords({
        ...{ options, target, counts },
        source: fileRecords({ options, inputs, files: run.files, storeId, knowledge, counts, resume }),
        limit: options.maxErrors && limitOf(options.maxErrors),
        facts: storedFacts(run),
        open: () => ledger.reopen(run, target.concurrency),
      });
    } finally {
      await close(inputs);
    }
  } finally {
    planner.close();
  }
}

/** True for a record that was read but not sent because the run stopped. Operations that are not possible are not retried. */
function isOpen({ outcome: { outcome, code } }: RecordResultStub): boolean {
  return outcome === 'unsent' && !NOT_POSSIBLE.has(code ?? '');
}

/** Finds the records that are settled for good, and the first that is not. Passes them to the counts and the planner. */
function doneBefore(
  endings: Iterable<RecordResultStub>,
  offset: number,
  { counts, planner, recordFailed }: ResumeListeners,
) {
  const settled = createBitSet();
  for (const end of endings) {
    if (isOpen(end)) {
      planner.expect(end);
      continue;
    }
    counts.onPrepared(1);
    counts.add(end.outcome.outcome);
    planner.know(end);
    settled.add(end.seq);
    if (recordFailed && isLeftByCrash(end))
      recordFailed({ ...end, outcome: { ...end.outcome, attempts: 1, durationMs: 0 } });
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
  assertSameMapping(run, inputs);
  return { grouping: groupingOf(inputs, options), files: fileNames(inputs) };
}
