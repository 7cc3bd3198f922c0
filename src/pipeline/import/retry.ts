import type { FileBinding } from '../../map/index.ts';
import {
  ConfigError,
  NOT_POSSIBLE,
  type OutcomeStatus,
  type PlannedRecord,
  type RecordResult,
  type RecordResultStub,
  type SourceRecord,
  type Table,
} from '../../model/index.ts';
import { createPlanner } from '../../plan/index.ts';
import { rowFrom, tableFrom } from '../../read/index.ts';
import { bindTables } from '../inputs/bind-tables.ts';
import { decidedBy, tableAgain } from '../inputs/reimported-json.ts';
import { checker } from '../prepare/check-record.ts';
import { groupingOf } from '../prepare/prepare-records.ts';
import { limitOf } from '../run/error-limit.ts';
import { type RecordSource, runRecords, type StoreTarget, storeIdFrom } from '../run/execute.ts';
import { factsOf } from '../run/facts.ts';
import { stageOptions } from '../run/file-records.ts';
import type { ImportOptions } from '../run/options.ts';
import { refuseLosses } from '../run/own-files.ts';
import { createRecordCounts } from '../run/progress.ts';
import { type ReopenedRun, reopen } from '../run/reopen.ts';
import { refuseChangedMapping } from '../run/resume-checks.ts';
import { reportRun } from '../run/rewrite-reports.ts';
import type { Summary } from '../run/summary.ts';

/** How records end that the store may take the next time: it was away, or the run stopped before them. */
export const RETRYABLE_OUTCOMES: readonly OutcomeStatus[] = ['failed', 'unsent'];

/**
 * Sends those records of a run again that ended in one of `outcomes`, from the rows that the ledger keeps. Throws
 * ConfigError where the run is not at its end, or the mapping or the store are not the same any more.
 */
export async function retryRun(
  id: string,
  options: ImportOptions,
  outcomes: readonly OutcomeStatus[],
  connect: () => Promise<StoreTarget>,
): Promise<Summary> {
  return reopen(id, options.home, connect, async (taken) => {
    if (!taken.run.whole)
      throw new ConfigError(`The run ${id} stopped before the end of its files.`, [
        `storeport run resume ${id} goes on with it; then retry sends again what failed.`,
      ]);
    return resend(taken, options, outcomes);
  });
}

/** The same for a run that was taken up. */
export async function resend(
  { ledger, run, to }: ReopenedRun,
  options: ImportOptions,
  outcomes: readonly OutcomeStatus[],
): Promise<Summary> {
  const files = run.files.map((each) => each.file);
  const [page = []] = ledger.toRetry(run, outcomes);
  const decided = decidedBy(run);
  const kept = page.flatMap(({ rows = [] }) => rows);
  const table = tableAgain(tableFrom(files.join(', '), run.header, kept), decided);
  const bound = await bindTables([table], { ...options, hasHistory: true, decided });
  refuseChangedMapping(run, bound);
  refuseLosses({ ...options, files: [] }, run.out, bound.mapping.lookups);
  const [binding] = bound.bindings;
  const { resource, mode, home } = options;
  const grouping = groupingOf(bound, options);
  const knowledge = ledger.knowledge(to.store, run.resource, run);
  const knownIds = knowledge.ids;
  const planner = createPlanner({
    ...{ resource, mode, dryRun: false, grouping, spillFolder: home, files, knownIds },
  });
  try {
    const count = createRecordCounts();
    let wanted = 0;
    for (const end of ledger.endings(run)) {
      if (isWanted(end, outcomes)) {
        wanted++;
        planner.expect(end);
      } else {
        count.onPlanned(1);
        count.add(end.outcome.outcome);
        planner.know(end);
      }
    }
    // A run that stopped on the way still has to come to its end.
    if (wanted === 0 && run.state === 'done') {
      options.watch.warned(`no record of the run ${run.id} is to be sent again.`);
      return await reportRun(ledger, run, options.exitCodeOf);
    }

    const storeId = await storeIdFrom(options, bound, to);
    const check = checker(bound, { ...stageOptions(options, false, count, storeId), knowledge });
    const others = count.records;
    async function* plan(): AsyncGenerator<PlannedRecord[]> {
      for (const page of ledger.toRetry(run, outcomes)) {
        count.onPlanned(page.length);
        yield check(
          page.map((end) => recordOf(end, table)),
          binding as FileBinding,
        ).map(planner.plan);
      }
    }
    const work: RecordSource = {
      header: run.header,
      progress: { count, part: () => (wanted === 0 ? 1 : (count.records - others) / wanted) },
      plan,
      whole: true,
      files: () => run.files,
    };
    return await runRecords({
      ...{ options, to, work, count },
      limit: options.maxErrors && limitOf(options.maxErrors),
      facts: factsOf(run),
      open: () => ledger.reopen(run, to.concurrency),
    });
  } finally {
    planner.close();
  }
}

/** As `toRetry` of the ledger sees it. What is not possible stays undone. */
function isWanted({ outcome, cameBack }: RecordResultStub, outcomes: readonly OutcomeStatus[]): boolean {
  return (
    outcomes.includes(outcome.outcome) && !NOT_POSSIBLE.has(outcome.code ?? '') && cameBack === undefined
  );
}

/** `table`: of all files of the run. */
function recordOf({ seq, file, rows = [] }: RecordResult, table: Table): SourceRecord {
  const own = file === undefined ? table : { ...table, file };
  return { seq, rows: rows.map((row) => rowFrom(own, row)) };
}
