import { resolve } from 'node:path';
import { type Created, openLedger } from '../ledger/index.ts';
import { ConfigError, type JsonObject, normalisedKey, type Planned } from '../model/index.ts';
import { createDigester, decide } from '../plan/index.ts';
import { type Delivering, execute, type Work } from './execute.ts';
import { refuseOtherStore } from './refusals.ts';
import { type ImportOptions, newRunId } from './run.ts';
import { findRun } from './runs.ts';
import type { Summary } from './summary.ts';
import { createTally } from './tally.ts';

/** What is shown before anything is taken back. */
export interface ToUndo {
  /** Its id. */
  readonly run: string;
  readonly resource: string;
  /** 0: there is nothing to take back. */
  readonly count: number;
  /** The first of them. */
  readonly first: readonly Created[];
}

/**
 * Takes back what a run has created, as far as the API can: a run of its own that sets each of these records to the
 * state that is nearest to deleted. Resolves with undefined where `confirm` said no.
 * Throws ConfigError.
 */
export async function undoRun(
  name: string,
  options: ImportOptions,
  connect: () => Promise<Delivering>,
  confirm: (what: ToUndo) => Promise<boolean>,
): Promise<Summary | undefined> {
  const { home, resource, version } = options;
  const { trash } = resource;
  if (!resource.update || !trash)
    throw new ConfigError(
      `The store's API can neither delete nor update ${resource.name}, so a run cannot be undone.`,
      ['The identifiers of what it created are in its results.csv.'],
    );
  const to = await connect();
  const startedAt = new Date();
  const id = newRunId(startedAt);
  const ledger = openLedger(home);
  try {
    ledger.lock(to.store, id);
    const run = findRun(ledger, name);
    refuseOtherStore(run, to.store);
    let count = 0;
    const first: Created[] = [];
    for (const page of ledger.created(run)) {
      first.push(...page.slice(0, MOST_SHOWN - first.length));
      count += page.length;
    }
    if (!(await confirm({ run: run.id, resource: run.resource, count, first }))) return undefined;
    await to.client.authenticate();

    const tally = createTally();
    const { lookup } = ledger.knowledge(run.store, run.resource);
    const digest = createDigester(resource.secret);
    const header = ['_id', ...Object.keys(trash)];
    const table = { file: run.id, header };
    async function* plan(): AsyncGenerator<Planned[]> {
      let seq = 0;
      for (const page of ledger.created(run)) {
        const known = lookup?.(page.map(({ key }) => normalisedKey(key)));
        tally.onPlanned(page.length);
        yield page.map(({ row, key, id: made }): Planned => {
          const cells = [made, ...Object.values(trash as JsonObject).map(String)];
          const record = { seq: seq++, rows: [{ table, row, line: row, cells }] };
          const candidate = { payload: trash as JsonObject, id: made, known: known?.get(normalisedKey(key)) };
          const decided = decide({ resource, mode: 'update', digest }, candidate);
          return 'outcome' in decided ? { record, key, outcome: decided } : { record, key, ...decided };
        });
      }
    }
    const out = options.out ?? resolve('storeport-runs', id);
    const files = [{ file: `the run ${run.id}` }];
    const mapping = { name: `undo ${run.id}`, digest: run.mappingDigest };
    const undo = {
      id,
      command: 'undo' as const,
      resource: resource.name,
      mode: 'update',
      store: to.store,
      out,
      version,
    };
    const work: Work = {
      header,
      plan,
      progress: { tally, part: () => tally.records / count },
      files: () => files,
    };
    return await execute({
      ...{ options, to, work, tally },
      facts: { ...undo, mapping, offset: 0, startedAt, workedMs: 0 },
      open: () =>
        ledger.begin(
          {
            ...{ ...undo, files, header },
            remembered: true,
            mappingName: mapping.name,
            mappingDigest: mapping.digest,
            options: options.toRepeat,
            startedAt: startedAt.getTime(),
          },
          to.concurrency,
        ),
    });
  } finally {
    ledger.close();
  }
}

const MOST_SHOWN = 10;
