import type { Created, KnownRun, Ledger } from '../../ledger/index.ts';
import { resolve } from '../../model/files/fs.ts';
import {
  ConfigError,
  type JsonObject,
  normalisedKey,
  type Outcome,
  type PlannedRecord,
  type Trashed,
} from '../../model/index.ts';
import { createDigester, mergedDigests, skippedOutcome } from '../../plan/index.ts';
import type { Summary } from '../../report/index.ts';
import type { Resource } from '../../resources/index.ts';
import { readyRecords } from '../prepare/ready-records.ts';
import type { RecordSource, StoreTarget } from '../run/context.ts';
import { runRecords } from '../run/execute.ts';
import { type ImportOptions, ledgerOf } from '../run/options.ts';
import { refuseLosses, reportsFolder } from '../run/own-files.ts';
import { refusePruned } from '../run/pruned.ts';
import { findRun } from '../run/runs.ts';
import { newRunId, newRunOf } from '../summary/facts.ts';
import { createRecordCounts } from '../summary/progress.ts';
import { assertSameStore } from './reopen.ts';

/** Shown for confirmation before anything is undone. */
export interface ToUndo {
  /** Run id. */
  readonly run: string;
  readonly resource: string;
  /** 0 if there is nothing to undo. */
  readonly count: number;
  /** The first few. */
  readonly first: readonly Created[];
}

export interface UndoOptions extends ImportOptions {
  /** Called before anything is changed. Resolves with true to undo. */
  readonly confirm: (what: ToUndo) => Promise<boolean>;
}

/**
 * Undoes what a run has created, as far as the API can: a new run sets each of these records to the state nearest to
 * deleted. Resolves with undefined if `confirm` declines. Throws ConfigError.
 */
export async function undoRun(
  name: string,
  options: UndoOptions,
  connect: () => Promise<StoreTarget>,
): Promise<Summary | undefined> {
  const { resource, version, confirm } = options;
  const { trash } = resource;
  if (!resource.update || !trash)
    throw new ConfigError(
      `The store's API can neither delete nor update ${resource.name}, so a run cannot be undone.`,
      ['The identifiers of what it created are in its results.csv.'],
    );
  const startedAt = new Date();
  const id = newRunId(startedAt);
  const out = options.out ?? resolve(reportsFolder(id));
  refuseLosses({ commandFiles: options.commandFiles, files: [] }, out);
  const target = await connect();
  const ledger = await ledgerOf(options).open();
  try {
    await ledger.lock(target.store, id);
    const run = await findRun(ledger, name);
    refusePruned(run, 'undone');
    assertSameStore(run, target.store);
    let count = 0;
    const first: Created[] = [];
    for await (const page of ledger.created(run)) {
      first.push(...page.slice(0, MOST_SHOWN - first.length));
      count += page.length;
    }
    if (!(await confirm({ run: run.id, resource: run.resource, count, first }))) return undefined;
    await target.client.authenticate();

    const counts = createRecordCounts();
    const header = ['_id', ...Object.keys(trash)];
    const files = [{ file: `the run ${run.id}` }];
    const facts = {
      ...{ id, version, startedAt, workedMs: 0, offset: 0, mode: 'update', command: 'undo' as const },
      resource: resource.name,
      store: target.store,
      options: options.toRepeat,
      out,
      mapping: { name: `undo ${run.id}`, digest: run.mappingDigest },
    };
    const parts = {
      command: 'undo' as const,
      store: target.store,
      remembered: true,
      files,
      header,
    };
    const source: RecordSource = {
      header,
      records: () =>
        readyRecords(planTrash(ledger, run, { resource, trash, onPrepared: counts.onPrepared }), {
          resource,
          namesFiles: false,
        }),
      progress: { count: counts, part: () => counts.records / count },
      files: async () => files,
    };
    return await runRecords({
      ...{ options, target, source, facts, counts },
      open: () => ledger.begin(newRunOf(facts, parts), target.concurrency),
    });
  } finally {
    await ledger.close();
  }
}

const MOST_SHOWN = 10;

interface TrashOptions {
  readonly resource: Resource;
  /** The fields that put a record into the trash. */
  readonly trash: JsonObject;
  /** Called with the size of each batch, for progress. */
  readonly onPrepared: (records: number) => void;
}

/** Plans an update for each record that the run has created and that is not in the trash yet. */
async function* planTrash(
  ledger: Ledger,
  run: KnownRun,
  { resource, trash, onPrepared }: TrashOptions,
): AsyncGenerator<PlannedRecord[]> {
  const { lookup, trashed: findTrashed } = await ledger.history(run.store, run.resource);
  const digest = createDigester(resource);
  const table = { file: run.id, header: ['_id', ...Object.keys(trash)] };
  let seq = 0;
  for await (const page of ledger.created(run)) {
    const known = await lookup?.(page.map(({ key }) => normalisedKey(key)));
    const inTrash = await findTrashed?.(page.map(({ id }) => id));
    onPrepared(page.length);
    yield page.map(({ row, key, id }): PlannedRecord => {
      const cells = [id, ...Object.values(trash).map(String)];
      const record = { seq: seq++, rows: [{ table, row, line: row, cells }] };
      const trashed = inTrash?.get(id);
      if (trashed?.sure) return { record, key, outcome: alreadyInTrash(trashed, id) };
      const last = known?.get(normalisedKey(key));
      // Sent even if the ledger knows this status: the record may have been changed in the store since.
      const digests = mergedDigests(last?.id === id ? last.digests : undefined, digest(trash));
      return { record, key, operation: { kind: 'update', id, payload: trash }, digests };
    });
  }
}

function alreadyInTrash({ run }: Trashed, id: string): Outcome {
  const message = `the run ${run} put it into the trash already`;
  return skippedOutcome('unchanged', { code: 'taken-back', message, id });
}
