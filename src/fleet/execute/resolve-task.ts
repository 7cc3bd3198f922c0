import type { Ledger } from '../../ledger/index.ts';
import { rm } from '../../model/files/fs.ts';
import { ConfigError, type RunStopped } from '../../model/index.ts';
import {
  askStore,
  type Doubtful,
  type Finding,
  type OpenDoubts,
  type RecordedFindings,
  recordFindings,
} from '../../pipeline/index.ts';
import { type Lease, postgresLedger } from '../../postgres/index.ts';
import type { Summary } from '../../report/index.ts';
import { openRowSeal } from '../artifacts/place/index.ts';
import { taskResource } from '../stores/resources.ts';
import { type FleetStore, oneStore } from '../stores/stores.ts';
import { fleetCommands } from '../tasks/fleet-commands.ts';
import { findTask } from '../tasks/list-tasks.ts';
import type { TaskDetails } from '../tasks/task.ts';
import { outdateReports } from '../worker/task-lines.ts';
import { executionFolder, makeTaskFolders, storeLogOf } from './folders.ts';
import { openFleetStore } from './open-store.ts';
import type { ExecutorOptions } from './options.ts';
import { type PublishedReports, publishReports, unpublishedText } from './publish-reports.ts';
import { withStoreLease } from './store-lease.ts';

/** The answers about doubts, with a way to ask the store's list about them. */
export type AnswerDoubts = (
  doubts: OpenDoubts,
  ask: () => ReturnType<typeof askStore>,
) => Promise<ReadonlyMap<Doubtful, Finding>>;

/** Doubts of a task that were settled, and whose reports are published. */
export interface ResolvedTask extends Omit<RecordedFindings, 'runs'> {
  readonly summary: Summary;
}

/**
 * Settles doubts of the run of an import under the lease of its store, in this process, and publishes its reports anew. Throws
 * ConfigError if a worker serves the store, or nothing was settled; RunStopped (`output-failed`) if doubts were settled, and the
 * reports are not published. Then the same call publishes them, and so does a worker if the task is resumed.
 */
export async function resolveTask(
  options: ExecutorOptions,
  id: string,
  answer: AnswerDoubts,
): Promise<ResolvedTask> {
  const { sql, scratch } = options;
  const task = await findTask(sql, id);
  if (task.command !== 'import')
    throw new ConfigError(`The task ${id} is an export: nothing of it is in doubt.`);
  const store = await oneStore(sql, task.store);
  const seal = await openRowSeal(sql, options.storage);
  return withStoreLease(options, store, async (lease) => {
    const root = executionFolder(scratch, task.id, lease.epoch);
    const { out } = await makeTaskFolders(root);
    const source = postgresLedger({
      ...{ sql, lease, baseUrl: store.baseUrl, seal: async () => seal },
      onAmend: (inside, runs) => outdateReports(inside, runs, notYetPublished),
    });
    const ledger = await source.open();
    try {
      return await resolveIn({ options, task, store, lease, ledger, folder: out }, answer);
    } finally {
      await ledger.close();
      await rm(root, { recursive: true, force: true });
    }
  });
}

/** The message of a task if this process is killed before it has published the reports. */
function notYetPublished(task: string): string {
  return unpublishedText(task, 'Doubts of it were settled since its reports were written.');
}

interface Resolution {
  readonly options: ExecutorOptions;
  readonly task: TaskDetails;
  readonly store: FleetStore;
  readonly lease: Lease;
  readonly ledger: Ledger;
  /** For the reports. */
  readonly folder: string;
}

async function resolveIn(resolution: Resolution, answer: AnswerDoubts): Promise<ResolvedTask> {
  const { task, store, ledger } = resolution;
  if ((await ledger.find(task.id)) === undefined)
    throw new ConfigError(`The task ${task.id} has not begun: nothing of it is in doubt.`);
  const { runs, warnings, ...recorded } = await recordFindings(
    ledger,
    { name: task.id, commands: fleetCommands(store.name) },
    (doubts) => answer(doubts, () => askList(resolution, doubts)),
  ).catch(async (error: unknown) => {
    // Whoever repeats a resolve after the reports could not be published finds nothing in doubt.
    if (error instanceof ConfigError && task.state === 'stopped') await publishAll(resolution, [task.id]);
    throw error;
  });
  const { summary, warning } = await publishAll(resolution, runs);
  return { ...recorded, summary, warnings: warning === undefined ? warnings : [...warnings, warning] };
}

/** Publishes the reports of several runs. Returns what became of the first, which is that of the task. */
async function publishAll(
  { options, lease, ledger, store, folder }: Resolution,
  runs: readonly string[],
): Promise<PublishedReports> {
  const published: PublishedReports[] = [];
  let failure: { readonly error: unknown } | undefined;
  for (const id of runs) {
    try {
      const task = await findTask(options.sql, id);
      published.push(await publishReports({ options, lease, ledger, task, store: store.name, folder }));
    } catch (error) {
      // Those of the others are published all the same.
      failure ??= { error };
    }
  }
  if (failure) throw failure.error;
  return published[0] as PublishedReports;
}

async function askList(
  { options, task, store, lease }: Resolution,
  doubts: OpenDoubts,
): ReturnType<typeof askStore> {
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
