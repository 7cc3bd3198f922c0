import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import {
  ConfigError,
  exitCodeOf,
  type JsonObject,
  packageVersion,
  type RunStopped,
} from '../../model/index.ts';
import {
  askStore,
  type Doubtful,
  type Finding,
  type OpenDoubts,
  type Resolved,
  resolveRun,
} from '../../pipeline/index.ts';
import {
  fenced,
  KNOWN_SCHEMA,
  type Lease,
  postgresLedger,
  type Sql,
  takeLease,
} from '../../postgres/index.ts';
import { filesToPublish, uploadFiles, writeArtifacts } from '../artifacts/index.ts';
import { requestTimeoutMs } from '../stores/settings.ts';
import { oneStore } from '../stores/stores.ts';
import { fleetCommands } from '../tasks/fleet-commands.ts';
import { findTask } from '../tasks/list-tasks.ts';
import type { TaskDetails } from '../tasks/task.ts';
import { executionFolder, makeTaskFolders, storeLogOf } from './folders.ts';
import { openFleetStore, taskResource } from './open-store.ts';
import type { ExecutorOptions, TaskFolders } from './options.ts';
import { relocated } from './relocated.ts';

/** The answers about doubts, with a way to ask the store's list about them. */
export type AnswerDoubts = (
  doubts: OpenDoubts,
  ask: () => ReturnType<typeof askStore>,
) => Promise<ReadonlyMap<Doubtful, Finding>>;

/**
 * Settles doubts of the run of an import under the lease of its store, in this process, and publishes its reports anew. Throws
 * ConfigError if a worker serves the store, or nothing was settled.
 */
export async function resolveTask(
  options: ExecutorOptions,
  id: string,
  answer: AnswerDoubts,
): Promise<Resolved> {
  const { sql, scratch } = options;
  const task = await findTask(sql, id);
  if (task.command !== 'import')
    throw new ConfigError(`The task ${id} is an export: nothing of it is in doubt.`);
  return underLease(sql, task, async (lease) => {
    const root = executionFolder(scratch, task.id, lease.epoch);
    const folders = await makeTaskFolders(root);
    try {
      return await resolveIn({ options, task, lease, folders }, answer);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });
}

interface Resolution {
  readonly options: ExecutorOptions;
  readonly task: TaskDetails;
  readonly lease: Lease;
  readonly folders: TaskFolders;
}

async function resolveIn(
  { options, task, lease, folders }: Resolution,
  answer: AnswerDoubts,
): Promise<Resolved> {
  const { sql, storage } = options;
  const store = await oneStore(sql, task.store);
  const ledger = relocated(postgresLedger({ sql, lease, baseUrl: store.baseUrl }), task.id, {
    out: folders.out,
  });
  const resolved = await resolveRun(
    {
      ...{ ledger, home: folders.home, name: task.id, exitCodeOf },
      reportFormat: { commands: fleetCommands(task.store) },
    },
    (doubts) => answer(doubts, () => ask(doubts)),
  );
  const files = storage === undefined ? [] : await filesToPublish(folders.out);
  const objects =
    storage === undefined ? [] : await uploadFiles({ storage, lease, task, files, signal: lease.lost });
  await fenced(sql, lease, async (inside) => {
    const { out: _, ...summary } = resolved.summary ?? { out: '' };
    await inside.query(
      'update task set exit_code = $2, summary = coalesce($3::jsonb, summary) where number = $1',
      [task.number, resolved.exitCode, resolved.summary ? JSON.stringify(summary as JsonObject) : null],
    );
    if (objects.length > 0) await writeArtifacts(inside, { lease, task }, objects);
  });
  return resolved;

  async function ask(doubts: OpenDoubts): ReturnType<typeof askStore> {
    const log = storeLogOf(options.log, { task: task.id, store: task.store });
    const opened = openFleetStore(store, { ...options, log });
    const lose = () => opened.client.stop(lease.lost.reason as RunStopped);
    lease.lost.addEventListener('abort', lose, { once: true });
    try {
      await opened.client.authenticate();
      return await askStore(opened, taskResource(task.resource, store.settings, 'create'), doubts);
    } finally {
      lease.lost.removeEventListener('abort', lose);
      await opened.client.close();
    }
  }
}

/** Holds the lease of a store for a short work in a process that is no worker. */
async function underLease<Result>(
  sql: Sql,
  { store: name, storeNumber }: TaskDetails,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result> {
  const { settings, holder: busy } = await oneStore(sql, name);
  const holder = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  const lease = await takeLease(sql, {
    ...{ store: storeNumber, holder },
    timing: { requestMs: requestTimeoutMs(settings) },
  });
  if (lease === undefined)
    throw new ConfigError(
      `The worker ${busy ?? 'that was killed'} has the lease of the store "${name}".`,
      ['Wait until its tasks have ended, or stop them: storeport fleet stop.'],
      'in-use',
    );
  // If this process is killed, a user can declare it ended like a worker.
  await sql.query(
    'insert into worker (id, host, version, schema_version, slots) values ($1, $2, $3, $4, 0)',
    [...[holder, hostname(), packageVersion(), KNOWN_SCHEMA]],
  );
  try {
    const result = await work(lease);
    await lease.release();
    return result;
  } catch (error) {
    // Nothing was sent if the answers were wrong.
    if (error instanceof ConfigError) await lease.release();
    throw error;
  } finally {
    lease.abandon();
    await sql.query('delete from worker where id = $1', [holder]);
  }
}
