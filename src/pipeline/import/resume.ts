import type { StoreHistory } from '../../ledger/index.ts';
import type { RecordResultStub } from '../../model/index.ts';
import type { NewerImports } from '../../plan/index.ts';
import type { Summary } from '../../report/index.ts';
import {
  checkImages,
  type ImagesOfRun,
  refuseUncheckableImages,
  withImageCounts,
  withWrongImages,
} from '../images/check-images.ts';
import { close, openForCommand, openInputs } from '../inputs/open-inputs.ts';
import { newerImports } from '../prepare/newer-imports.ts';
import { plannerFor } from '../prepare/prepare-records.ts';
import { groupingOf } from '../prepare/read-and-group.ts';
import { settledRecords } from '../prepare/settled-records.ts';
import { isWorthThread } from '../reader/reader-thread.ts';
import { type StoreTarget, storeIdFrom } from '../run/context.ts';
import { limitFor } from '../run/error-limit.ts';
import { runRecords } from '../run/execute.ts';
import { fileRecords, threadRecords } from '../run/file-records.ts';
import { type ImportOptions, ledgerOf, type Watcher } from '../run/options.ts';
import { refuseLosses } from '../run/own-files.ts';
import { rewriteRunReports } from '../run/reports.ts';
import { storedFacts } from '../summary/facts.ts';
import { createRecordCounts, type RecordCounts } from '../summary/progress.ts';
import { assertNoOwnRules, assertSameFiles, assertSameMapping, type ReopenedRun, reopen } from './reopen.ts';
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
  return reopen(id, { ...options, connect }, async (reopened) => {
    const { ledger, run } = reopened;
    if (run.state === 'done') return rewriteRunReports(ledger, run, options);
    if (run.whole) return resend(reopened, { ...options, outcomes: RETRYABLE_OUTCOMES });
    assertNoOwnRules(run);
    await assertSameFiles(run);
    return continueRun(reopened, options);
  });
}

async function continueRun({ ledger, run, target }: ReopenedRun, options: ImportOptions): Promise<Summary> {
  const names = run.files.map(({ file }) => file);
  const { grouping, planner, inThread } = await checkInputs(run, options, names);
  const { resource, offset, overwriteNewer } = options;
  const history = await ledger.history(target.store, run.resource, run);
  const counts = createRecordCounts();
  const onSettled = settledListener(counts, run.stopped?.reason === 'crashed' ? options.watch : {});
  // The thread claims the keys itself, and reads what later ones have settled.
  const claims = inThread
    ? undefined
    : planner(history, await newerImports(resource, ledger.settledAfter(run), overwriteNewer));
  const settled = await settledRecords(ledger.endings(run), claims, onSettled);
  // If groups have keys of their own, earlier rows are read again, to recognise a group that appears twice.
  const from =
    grouping === 'by-other' ? undefined : await ledger.checkpointBefore(run, settled.firstAbsent(offset));
  const opened = await openForCommand({
    ...options,
    names,
    from,
    counted: run.files,
    hasHistory: true,
  });
  let checked: ImagesOfRun | undefined;
  try {
    refuseLosses(options, run.out, opened.mapping.lookups);
    refuseUncheckableImages(options, opened);
    const storeId = await storeIdFrom(resource, opened.mapping, target);
    checked = await checkImages(options, { inputs: opened, known: run.files, names, hasHistory: true });
    const inputs = withWrongImages(opened, checked);
    const files = withImageCounts(run.files, checked);
    const reading = { options, inputs, files, storeId, history, counts, hasHistory: true };
    return await runRecords({
      ...{ options, target, counts },
      source: claims
        ? fileRecords(reading, { from, isSettled: settled.has, planner: claims })
        : await threadRecords(reading, target.store, { run, from, names }),
      limit: limitFor(options.maxErrors),
      facts: storedFacts(run),
      open: () => ledger.reopen(run, target.concurrency),
    });
  } finally {
    checked?.close();
    await close(opened);
  }
}

/** Counts the settled records. If the run died, reports those that were in flight then, which never were. */
function settledListener(counts: RecordCounts, { recordFailed }: Partial<Pick<Watcher, 'recordFailed'>>) {
  return (result: RecordResultStub): void => {
    counts.onPrepared(1);
    counts.add(result.outcome.outcome);
    if (recordFailed && isLeftByCrash(result))
      recordFailed({ ...result, outcome: { ...result.outcome, attempts: 1, durationMs: 0 } });
  };
}

function isLeftByCrash({ outcome: { outcome, code } }: RecordResultStub): boolean {
  return outcome === 'in-doubt' && code === 'crash';
}

/** Opens the files once, to check that the mapping has not changed. */
async function checkInputs(run: ReopenedRun['run'], options: ImportOptions, names: readonly string[]) {
  const inputs = await openInputs({ ...options, names, onWarning: () => {}, hasHistory: true });
  await close(inputs);
  assertSameMapping(run, inputs.mapping);
  const { resource, mode } = options;
  return {
    grouping: groupingOf(inputs.mapping, resource),
    inThread: ledgerOf(options).hasThreads && isWorthThread(inputs),
    planner: (history: StoreHistory, newer: NewerImports | undefined) =>
      plannerFor(inputs, {
        resource,
        mode,
        dryRun: false,
        history,
        newer,
        commands: options.reportFormat?.commands,
      }),
  };
}
