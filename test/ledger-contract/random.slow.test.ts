import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeIntent, type KnownRun, type Ledger } from '../../src/ledger/index.ts';
import { normalisedKey, type RecordRef, type RecordResult } from '../../src/model/index.ts';
import { allOf } from '../support/pages.ts';
import { scaledRuns } from '../support/property-tests.ts';
import { type RandomRun, randomRuns } from '../support/random-runs.ts';
import { ENGINES, entered, type Session, STORE, type StartedEngine, type Tables } from './engines.ts';
import { DONE, known, SLOTS } from './steps.ts';

// Random runs, kills, resumes and amendments have the same results in every engine.

const RESOURCES = ['products', 'customers'];
const IDS = Array.from({ length: 12 }, (_, seq) => `id-${seq}`);

/** How a run is executed, beside its records. */
interface Course {
  /** The last records have only intents when the run is killed. */
  readonly unanswered: number;
  readonly flushEvery: number;
  /** It is resumed if it stopped or was killed, and settles its unsent records again. */
  readonly isResumed: boolean;
  /** Its doubts are resolved in turn to created and failed. */
  readonly isResolved: boolean;
}

const courses = fc.array(
  fc.record({
    unanswered: fc.nat({ max: 3 }),
    flushEvery: fc.integer({ min: 1, max: 5 }),
    isResumed: fc.boolean(),
    isResolved: fc.boolean(),
  }),
  { minLength: 4, maxLength: 4 },
);

/** Executes runs in one engine after another, and returns all that can be read after each. */
async function execute(
  tables: Tables,
  runs: readonly RandomRun[],
  plan: readonly Course[],
): Promise<unknown[]> {
  const found: unknown[] = [];
  let session = await entered(tables);
  try {
    for (const [index, random] of runs.entries()) {
      const course = plan[index] as Course;
      session = await executeOne(tables, session, random, course);
      found.push({ died: session.died, ...(await everything(session.ledger, runs)) });
      if (course.isResumed) await resume(session.ledger, random);
      if (course.isResolved) await resolve(session.ledger, random);
      found.push(await everything(session.ledger, runs));
    }
    return found;
  } finally {
    await session.leave();
  }
}

async function executeOne(
  tables: Tables,
  session: Session,
  { run, records, state }: RandomRun,
  { unanswered, flushEvery }: Course,
): Promise<Session> {
  const open = await session.ledger.begin(run, SLOTS);
  const answered = state === 'running' ? Math.max(0, records.length - unanswered) : records.length;
  for (const [at, record] of records.entries()) {
    if (record.seq % 3 === 1)
      open.checkpoint({
        seq: record.seq,
        row: record.row,
        file: 0,
        offset: 7 * record.seq,
        line: record.row,
      });
    const isSent = record.outcome.attempts > 0;
    if (isSent) await open.intend(intentFor(record));
    if (at < answered) await open.settle(record, isSent);
    if (at % flushEvery === 0) await open.flush();
  }
  await open.flush();
  if (state === 'running') {
    await open.close();
    await session.kill();
    return entered(tables);
  }
  const stopped = { reason: 'interrupted', message: 'Ctrl-C' } as const;
  await open.end({
    ...DONE,
    files: run.files,
    state,
    ...(state === 'stopped' ? { stopped, notRead: 2 } : {}),
  });
  await open.close();
  return session;
}

function intentFor({ seq, row, file, key, rows, digests, supersedes, outcome }: RecordResult): Buffer {
  const kind = outcome.outcome === 'updated' ? 'update' : 'create';
  const sourceRows = rows ?? [{ row, cells: ['Mug'] }];
  return encodeIntent({ ...{ seq, row, file, key, kind, rows: sourceRows, digests, supersedes } });
}

async function resume(ledger: Ledger, { run }: RandomRun): Promise<void> {
  const stopped = await known(ledger, run.id);
  if (stopped.state !== 'stopped') return;
  const unsent = await allOf(ledger.toRetry(stopped, ['unsent']));
  const open = await ledger.reopen(stopped, SLOTS);
  for (const record of unsent) {
    const { seq, row, file, key, rows = [] } = record;
    await open.intend(encodeIntent({ ...{ seq, row, file, key, kind: 'create', rows } }));
    await open.settle(
      {
        ...{ seq, row, file, key },
        outcome: { outcome: 'created', id: `new-${seq}`, attempts: 1, durationMs: 1 },
      },
      true,
    );
  }
  await open.flush();
  await open.end({ ...DONE, files: run.files });
  await open.close();
}

async function resolve(ledger: Ledger, { run }: RandomRun): Promise<void> {
  const ended = await known(ledger, run.id);
  const doubts = (await allOf(ledger.settled(ended))).filter(
    ({ outcome, supersededBy }) => outcome.outcome === 'in-doubt' && !supersededBy,
  );
  await ledger.amend(
    doubts.map(({ seq }) => ({
      run: ended.number,
      seq,
      outcome:
        seq % 2 === 0
          ? { outcome: 'created', id: `found-${seq}` }
          : { outcome: 'failed', code: 'not-there', message: 'it is not there' },
    })),
  );
}

/** All that the contract can be asked. */
async function everything(ledger: Ledger, runs: readonly RandomRun[]): Promise<object> {
  const ended = await ledger.runs();
  const perRun = [];
  for (const run of ended) perRun.push(await aboutRun(ledger, run));
  const histories = [];
  for (const resource of RESOURCES) histories.push(await aboutResource(ledger, resource, runs));
  const killed = new Set(runs.filter(({ state }) => state === 'running').map(({ run }) => run.id));
  return { runs: ended.map((run) => (killed.has(run.id) ? withoutTimes(run) : run)), perRun, histories };
}

/** Engines see the last sign of life of a run that died at different moments. */
function withoutTimes({ finishedAt: _, workedMs: __, ...run }: KnownRun): object {
  return run;
}

async function aboutRun(ledger: Ledger, run: KnownRun): Promise<object> {
  const checkpoints = [];
  for (const seq of [0, 1, 3, 8]) {
    const place = await ledger.checkpointBefore(run, seq);
    checkpoints.push(place && [place.seq, place.file, place.offset, place.row, place.line]);
  }
  return {
    checkpoints,
    settled: await allOf(ledger.settled(run)),
    endings: (await allOf(ledger.endings(run))).sort((a, b) => a.seq - b.seq),
    toRetry: await allOf(ledger.toRetry(run, ['failed', 'rejected', 'unsent'])),
    created: await allOf(ledger.created(run)),
    holders: await ledger.holders(run, IDS),
    outcomes: await ledger.outcomes(run),
  };
}

async function aboutResource(ledger: Ledger, resource: string, runs: readonly RandomRun[]): Promise<object> {
  const history = await ledger.history(STORE, resource);
  const keys = [...new Set(runs.flatMap(({ records }) => records.map(({ key }) => normalisedKey(key))))];
  const refs = runs.flatMap(({ records }, index) => records.map(({ seq }): RecordRef => [index + 1, seq]));
  const places = runs.flatMap(({ run }) =>
    Array.from({ length: 30 }, (_, row) => ({ run: run.id, row, cells: ['Mug'] })),
  );
  return {
    known: await history.lookup?.(keys),
    ids: [...history.ids].sort(),
    trashed: await history.trashed?.(IDS),
    sources: await history.sourcesOf(refs),
    earlier: await history.findEarlier(places),
    others: await Promise.all(RESOURCES.map(async (other) => (await history.lookupAmong(other))?.(keys))),
  };
}

describe('engines of the ledger', () => {
  let engines: readonly StartedEngine[];
  beforeAll(async () => {
    engines = await Promise.all(ENGINES.map(({ start }) => start()));
  });
  afterAll(async () => {
    for (const engine of engines) await engine.stop();
  });

  test('have the same results for any runs', async () => {
    await fc.assert(
      fc.asyncProperty(randomRuns, courses, async (runs, plan) => {
        const results: unknown[][] = [];
        for (const engine of engines) {
          const tables = await engine.create();
          try {
            results.push(await execute(tables, runs, plan));
          } finally {
            await tables.remove();
          }
        }
        for (const result of results.slice(1)) expect(result).toEqual(results[0]);
      }),
      { numRuns: scaledRuns(15) },
    );
  }, 600_000);
});
