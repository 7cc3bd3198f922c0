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
import { createRecordChecks } from '../prepare/check-record.ts';
import { groupingOf } from '../prepare/prepare-records.ts';
import { type RecordSource, type StoreTarget, storeIdFrom } from '../run/context.ts';
import { limitOf } from '../run/error-limit.ts';
import { runRecords } from '../run/execute.ts';
import { storedFacts } from '../run/facts.ts';
import { prepareOptions } from '../run/file-records.ts';
import type { ImportOptions } from '../run/options.ts';
import { refuseLosses } from '../run/own-files.ts';
import { createRecordCounts } from '../run/progress.ts';
import { rewriteRunReports } from '../run/reports.ts';
import type { Summary } from '../run/summary.ts';
import { assertSameMapping, type ReopenedRun, reopen } from './reopen.ts';

/** Outcomes worth a retry: the store was away, or the run stopped before the record was sent. */
export const RETRYABLE_OUTCOMES: readonly OutcomeStatus[] = ['failed', 'unsent'];

/**
 * Sends the records of a run that ended in one of `outcomes` again, from the rows in the ledger. Throws ConfigError if
 * the run has not read its files to the end, or the mapping or the store have changed.
 */
export async function retryRun(
  id: string,
  options: ImportOptions,
  outcomes: readonly OutcomeStatus[],
  connect: () => Promise<StoreTarget>,
): Promise<Summary> {
  return reopen(id, options.home, connect, async (reopened) => {
    if (!reopened.run.whole)
      throw new ConfigError(`The run ${id} stopped before the end of its files.`, [
        `storeport run resume ${id} goes on with it; then retry sends again what failed.`,
      ]);
    return resend(reopened, options, outcomes);
  });
}

/** `retryRun` for a run that is reopened already. */
export async function resend(
  { ledger, run, target }: ReopenedRun,
  options: ImportOptions,
  outcomes: readonly OutcomeStatus[],
): Promise<Summary> {
  const files = run.files.map((each) => each.file);
  const [page = []] = ledger.toRetry(run, outcomes);
  const decided = decidedBy(run);
  const kept = page.flatMap(({ rows = [] }) => rows);
  const table = tableAgain(tableFrom(files.join(', '), run.header, kept), decided);
  const bound = await bindTables([table], { ...options, hasHistory: true, decided });
  assertSameMapping(run, bound);
  refuseLosses({ ...options, files: [] }, run.out, bound.mapping.lookups);
  const [binding] = bound.bindings;
  const { resource, mode, home } = options;
  const grouping = groupingOf(bound, options);
  const knowledge = ledger.history(target.store, run.resource, run);
  const knownIds = knowledge.ids;
  const planner = createPlanner({
    ...{ resource, mode, dryRun: false, grouping, spillFolder: home, files, knownIds },
  });
  try {
    const counts = createRecordCounts();
    let wanted = 0;
    for (const end of ledger.endings(run)) {
      if (isWanted(end, outcomes)) {
        wanted++;
        planner.expect(end);
      } else {
        counts.onPrepared(1);
        counts.add(end.outcome.outcome);
        planner.know(end);
      }
    }
    // A stopped run must still be ended, even if nothing is left to send.
    if (wanted === 0 && run.state === 'done') {
      options.watch.warned(`no record of the run ${run.id} is to be sent again.`);
      return await rewriteRunReports(ledger, run, options.exitCodeOf);
    }

    const storeId = await storeIdFrom(options, bound, target);
    const { map, validate } = createRecordChecks(bound, {
      ...prepareOptions({ options, counts, storeId, dryRun: false }),
      knowledge,
    });
    const others = counts.records;
    async function* records(): AsyncGenerator<PlannedRecord[]> {
      for (const page of ledger.toRetry(run, outcomes)) {
        counts.onPrepared(page.length);
        const mapped = map(
          page.map((end) => recordOf(end, table)),
          binding as FileBinding,
        );
        yield validate(mapped, binding as FileBinding).map(planner.plan);
      }
    }
    const source: RecordSource = {
      header: run.header,
      progress: { count: counts, part: () => (wanted === 0 ? 1 : (counts.records - others) / wanted) },
      records,
      whole: true,
      files: () => run.files,
    };
    return await runRecords({
      ...{ options, target, source, counts },
      limit: options.maxErrors && limitOf(options.maxErrors),
      facts: storedFacts(run),
      open: () => ledger.reopen(run, target.concurrency),
    });
  } finally {
    planner.close();
  }
}

/** Selects as the ledger's `toRetry` does. Operations that are not possible are not retried. */
function isWanted({ outcome, cameBack }: RecordResultStub, outcomes: readonly OutcomeStatus[]): boolean {
  return (
    outcomes.includes(outcome.outcome) && !NOT_POSSIBLE.has(outcome.code ?? '') && cameBack === undefined
  );
}

/** `table`: covers all files of the run. */
function recordOf({ seq, file, rows = [] }: RecordResult, table: Table): SourceRecord {
  const own = file === undefined ? table : { ...table, file };
  return { seq, rows: rows.map((row) => rowFrom(own, row)) };
}
