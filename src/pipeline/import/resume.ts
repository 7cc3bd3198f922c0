import { NOT_POSSIBLE, type RecordResultStub } from '../../model/index.ts';
import { createPlanner, type Planner } from '../../plan/index.ts';
import { close, open, openInputs } from '../inputs/open-inputs.ts';
import { createBitSet } from '../prepare/bitset.ts';
import { fileNames, groupingOf } from '../prepare/prepare-records.ts';
import { limitOf } from '../run/error-limit.ts';
import { runRecords, type StoreTarget, storeIdFrom } from '../run/execute.ts';
import { factsOf } from '../run/facts.ts';
import { fileRecords } from '../run/file-records.ts';
import type { ImportOptions, Watcher } from '../run/options.ts';
import { refuseLosses } from '../run/own-files.ts';
import { createRecordCounts, type RecordCounts } from '../run/progress.ts';
import { type ReopenedRun, reopen } from '../run/reopen.ts';
import { refuseChangedFiles, refuseChangedMapping } from '../run/resume-checks.ts';
import { reportRun } from '../run/rewrite-reports.ts';
import type { Summary } from '../run/summary.ts';
import { RETRYABLE_OUTCOMES, resend } from './retry.ts';

/**
 * Goes on with a run where it stopped: what is settled stays, what was read and not sent, or not read at all, is sent.
 * Throws ConfigError where the files, the mapping or the store are not the same any more.
 */
export async function resumeRun(
  id: string,
  options: ImportOptions,
  connect: () => Promise<StoreTarget>,
): Promise<Summary> {
  return reopen(id, options.home, connect, async (taken) => {
    const { ledger, run } = taken;
    if (run.state === 'done') return reportRun(ledger, run, options.exitCodeOf);
    if (run.whole) return resend(taken, options, RETRYABLE_OUTCOMES);
    await refuseChangedFiles(run);
    return goOnWith(taken, { ...options, names: run.files.map(({ file }) => file) });
  });
}

async function goOnWith({ ledger, run, to }: ReopenedRun, options: ImportOptions): Promise<Summary> {
  const { grouping, files } = await lookAt(run, options);
  const { resource, mode, offset, home } = options;
  const knowledge = ledger.knowledge(to.store, run.resource, run);
  const knownIds = knowledge.ids;
  const planner = createPlanner({
    ...{ resource, mode, dryRun: false, grouping, spillFolder: home, files, knownIds },
  });
  try {
    const count = createRecordCounts();
    const { first, isSettled } = doneBefore(ledger.endings(run), offset, {
      ...{ count, planner },
      recordFailed: run.stopped?.reason === 'crashed' ? options.watch.recordFailed : undefined,
    });
    // Where groups have keys of their own, those that were read before are read again, to know when one comes back.
    const from = grouping === 'by-other' ? undefined : ledger.markBefore(run, first);
    const inputs = await open({
      ...options,
      from,
      suspected: run.files.map(({ suspicious }) => suspicious),
      emptyBefore: run.files.map(({ emptyRows }) => emptyRows),
      rulesBefore: run.files.map(({ rules = [] }) => rules),
      warned: run.files.map(({ warnings }) => warnings),
      hasHistory: true,
    });
    try {
      refuseLosses(options, run.out, inputs.mapping.lookups);
      const goOn = { from, isSettled, planner };
      const storeId = await storeIdFrom(options, inputs, to);
      return await runRecords({
        ...{ options, to, count },
        work: fileRecords({ options, inputs, files: run.files, storeId, knowledge, count, goOn }),
        limit: options.maxErrors && limitOf(options.maxErrors),
        facts: factsOf(run),
        open: () => ledger.reopen(run, to.concurrency),
      });
    } finally {
      await close(inputs);
    }
  } finally {
    planner.close();
  }
}

/** A record that was read and then not sent, since the run stopped. What is not possible stays undone. */
function isOpen({ outcome: { outcome, code } }: RecordResultStub): boolean {
  return outcome === 'unsent' && !NOT_POSSIBLE.has(code ?? '');
}

/** Which records are settled for good, and the first that is not. Count and planner are told of them. */
function doneBefore(
  endings: Iterable<RecordResultStub>,
  offset: number,
  { count, planner, recordFailed }: Told,
) {
  const settled = createBitSet();
  for (const end of endings) {
    if (isOpen(end)) {
      planner.expect(end);
      continue;
    }
    count.onPlanned(1);
    count.add(end.outcome.outcome);
    planner.know(end);
    settled.add(end.seq);
    if (recordFailed && isLeftByCrash(end))
      recordFailed({ ...end, outcome: { ...end.outcome, attempts: 1, durationMs: 0 } });
  }
  return { first: settled.firstAbsent(offset), isSettled: settled.has };
}

interface Told {
  readonly count: RecordCounts;
  readonly planner: Planner;
  /** Where the run died: nobody was left to be told what it had under way. */
  readonly recordFailed: Watcher['recordFailed'];
}

function isLeftByCrash({ outcome: { outcome, code } }: RecordResultStub): boolean {
  return outcome === 'in-doubt' && code === 'crash';
}

/** Opens the files once, to see whether they still mean the same. */
async function lookAt(run: ReopenedRun['run'], options: ImportOptions) {
  const inputs = await openInputs({ ...options, onWarning: () => {}, hasHistory: true });
  await close(inputs);
  refuseChangedMapping(run, inputs);
  return { grouping: groupingOf(inputs, options), files: fileNames(inputs) };
}
