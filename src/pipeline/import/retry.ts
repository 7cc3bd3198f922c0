import type { FileBinding } from '../../map/index.ts';
import {
  ConfigError,
  NOT_POSSIBLE,
  type OutcomeStatus,
  PLAIN_COMMANDS,
  type PlannedRecord,
  type RecordResult,
  type RecordResultStub,
  type SourceRecord,
  type Table,
} from '../../model/index.ts';
import { createPlanner } from '../../plan/index.ts';
import { rowFrom, tableFrom } from '../../read/index.ts';
import type { Summary } from '../../report/index.ts';
import { bindTables } from '../inputs/bind-tables.ts';
import { choiceOf, withLeftOut } from '../inputs/reimported-json.ts';
import { createRecordSteps } from '../prepare/map-and-validate.ts';
import { newerImports } from '../prepare/newer-imports.ts';
import { prepareOptions } from '../prepare/prepare-options.ts';
import { groupingOf } from '../prepare/read-and-group.ts';
import { readyRecords } from '../prepare/ready-records.ts';
import { type RecordSource, type StoreTarget, storeIdFrom } from '../run/context.ts';
import { limitOf } from '../run/error-limit.ts';
import { runRecords } from '../run/execute.ts';
import type { ImportOptions } from '../run/options.ts';
import { refuseLosses } from '../run/own-files.ts';
import { rewriteRunReports } from '../run/reports.ts';
import { storedFacts } from '../summary/facts.ts';
import { createRecordCounts } from '../summary/progress.ts';
import { assertNoOwnRules, assertSameMapping, type ReopenedRun, reopen } from './reopen.ts';

/** Outcomes worth a retry: the store was away, or the run stopped before the record was sent. */
export const RETRYABLE_OUTCOMES: readonly OutcomeStatus[] = ['failed', 'unsent'];

export interface RetryOptions extends ImportOptions {
  /** Outcomes of the records to send again. */
  readonly outcomes: readonly OutcomeStatus[];
}

/**
 * Sends the records of a run that ended in one of `outcomes` again, from the rows in the ledger. Throws ConfigError if
 * the run has not read its files to the end, or the mapping or the store have changed.
 */
export async function retryRun(
  id: string,
  options: RetryOptions,
  connect: () => Promise<StoreTarget>,
): Promise<Summary> {
  const { resume } = options.reportFormat?.commands ?? PLAIN_COMMANDS;
  return reopen(id, { ...options, connect }, async (reopened) => {
    if (!reopened.run.whole)
      throw new ConfigError(`The run ${id} stopped before the end of its files.`, [
        `Then retry sends again what failed. First resume it: ${resume(id)}`,
      ]);
    return resend(reopened, options);
  });
}

/** `retryRun` for a run that is reopened already. */
export async function resend({ ledger, run, target }: ReopenedRun, options: RetryOptions): Promise<Summary> {
  assertNoOwnRules(run);
  const { outcomes } = options;
  const files = run.files.map((each) => each.file);
  const earlierChoice = choiceOf(run);
  const firstRows = (await firstOf(ledger.toRetry(run, outcomes))).flatMap(({ rows = [] }) => rows);
  const table = withLeftOut(tableFrom(files.join(', '), run.header, firstRows), earlierChoice);
  const bound = await bindTables([table], { ...options, hasHistory: true, earlierChoice });
  assertSameMapping(run, bound.mapping);
  refuseLosses({ ...options, files: [] }, run.out, bound.mapping.lookups);
  const [binding] = bound.bindings as readonly [FileBinding];
  const { resource, mode } = options;
  const grouping = groupingOf(bound.mapping, resource);
  const history = await ledger.history(target.store, run.resource, run);
  const knownIds = history.ids;
  const planner = createPlanner({
    ...{ resource, mode, dryRun: false, grouping, files, knownIds },
    newer: await newerImports(resource, ledger.settledAfter(run), options.overwriteNewer),
    commands: options.reportFormat?.commands,
  });
  const counts = createRecordCounts();
  let wanted = 0;
  for await (const page of ledger.endings(run))
    for (const end of page) {
      if (isWanted(end, outcomes)) {
        wanted++;
        planner.reserve(end);
      } else {
        counts.onPrepared(1);
        counts.add(end.outcome.outcome);
        planner.claimSettled(end);
      }
    }
  // A stopped run must still be ended, even if nothing is left to send.
  if (wanted === 0 && run.state === 'done') {
    options.watch.warned(`the run ${run.id} has no record to send again.`);
    return await rewriteRunReports(ledger, run, options);
  }

  const storeId = await storeIdFrom(resource, bound.mapping, target);
  const { fetchLookups, map, lookUp, validate } = createRecordSteps(bound, {
    ...prepareOptions({ options, counts, storeId, dryRun: false }),
    history,
  });
  /** Records that are not sent again. */
  const kept = counts.records;
  async function* records(): AsyncGenerator<PlannedRecord[]> {
    for await (const page of ledger.toRetry(run, outcomes)) {
      counts.onPrepared(page.length);
      const wantedRecords = page.map((end) => recordOf(end, table));
      await fetchLookups(wantedRecords, binding);
      const mapped = map(wantedRecords, binding);
      yield validate(mapped, binding, await lookUp(mapped, binding)).map(planner.plan);
    }
  }
  const source: RecordSource = {
    header: run.header,
    progress: { count: counts, part: () => (wanted === 0 ? 1 : (counts.records - kept) / wanted) },
    records: () => readyRecords(records(), { resource, namesFiles: files.length > 1 }),
    whole: true,
    files: async () => run.files,
  };
  return await runRecords({
    ...{ options, target, source, counts },
    limit: options.maxErrors && limitOf(options.maxErrors),
    facts: storedFacts(run),
    open: () => ledger.reopen(run, target.concurrency),
  });
}

async function firstOf<Page extends readonly unknown[]>(
  pages: AsyncIterable<Page>,
): Promise<Page | readonly []> {
  for await (const page of pages) return page;
  return [];
}

/** Selects as the ledger's `toRetry` does. Operations that are not possible are not retried. */
function isWanted({ outcome, supersededBy }: RecordResultStub, outcomes: readonly OutcomeStatus[]): boolean {
  return (
    outcomes.includes(outcome.outcome) && !NOT_POSSIBLE.has(outcome.code ?? '') && supersededBy === undefined
  );
}

/** `table`: covers all files of the run. */
function recordOf({ seq, file, rows = [] }: RecordResult, table: Table): SourceRecord {
  const own = file === undefined ? table : { ...table, file };
  return { seq, rows: rows.map((row) => rowFrom(own, row)) };
}
