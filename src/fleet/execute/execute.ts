import { rm } from '../../model/files/fs.ts';
import { exitCodeOf, printedCommand, RunStopped } from '../../model/index.ts';
import type { StoreTarget } from '../../pipeline/index.ts';
import { postgresLedger, type RowSeal, type Sql } from '../../postgres/index.ts';
import type { SharedLimit } from '../../store/index.ts';
import { filesToPublish, uploadFiles, writeArtifacts } from '../artifacts/index.ts';
import { openRowSeal } from '../artifacts/place/index.ts';
import { createSharedRate } from '../rate.ts';
import { continuesLater, type ExecuteTask, type TaskEnd, type TaskToRun } from '../worker/options.ts';
import { exportTask } from './export-task.ts';
import { executionFolder, makeTaskFolders, removeLeftFolders, storeLogOf } from './folders.ts';
import { importTask } from './import-task.ts';
import { keepTokenNoted } from './noted-token.ts';
import { type OpenedStore, openFleetStore } from './open-store.ts';
import type { ExecutorOptions, TaskExecution } from './options.ts';
import { unpublishedText } from './publish-reports.ts';

/** Makes what executes tasks by the pipeline: in folders of their own, with files published when they end. */
export function createExecutor(options: ExecutorOptions): ExecuteTask {
  const { sql, scratch, log, storage } = options;
  const limits = new Map<string, SharedLimit>();
  let tidied: Promise<void> | undefined;
  let opened: Promise<RowSeal> | undefined;

  /** Stores of this worker with the same key share its portions. */
  function sharedLimit(key: string | null): SharedLimit | undefined {
    if (key === null) return undefined;
    let limit = limits.get(key);
    if (limit === undefined) {
      limit = createSharedRate(sql, key, {
        onTrouble: (error) =>
          log.warn({ rateKey: key, error: String(error) }, 'no permits of the shared limit'),
      });
      limits.set(key, limit);
    }
    return limit;
  }

  /** Opened once, and again after it could not be. */
  function rowSeal(): Promise<RowSeal> {
    opened ??= openRowSeal(sql, storage).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  return async (task, context) => {
    tidied ??= removeLeftFolders(sql, scratch).catch((error: unknown) =>
      log.warn({ error: String(error) }, 'folders of earlier executions were left'),
    );
    await tidied;
    const root = executionFolder(scratch, task.id, context.lease.epoch);
    const folders = await makeTaskFolders(root);
    try {
      return await executeIn({
        ...{ ...options, ...context, task, folders },
        ledger: postgresLedger({ sql, lease: context.lease, baseUrl: task.store.baseUrl, seal: rowSeal }),
        sharedLimit: sharedLimit(task.store.rateKey),
      });
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  };
}

async function executeIn(execution: TaskExecution): Promise<TaskEnd> {
  const { task, lease, interrupted } = execution;
  let opened: OpenedStore | undefined;
  const end = () => void opened?.client.close(opened.timeoutMs);
  // Answers to requests in flight are still of use: they are evidence for the next holder.
  const stopSending = (why: RunStopped) => opened?.client.stop(why);
  const lose = () => stopSending(lease.lost.reason as RunStopped);
  const connect = async (): Promise<StoreTarget> => {
    opened ??= openFleetStore(task.store, {
      ...execution,
      log: storeLogOf(execution.log, { task: task.id, store: task.store.name }),
    });
    if (lease.lost.aborted) lose();
    if (interrupted.aborted) end();
    return opened;
  };
  lease.lost.addEventListener('abort', lose, { once: true });
  interrupted.addEventListener('abort', end, { once: true });
  try {
    if (interrupted.aborted) throw new RunStopped('interrupted', 'Interrupted before it began.');
    const command = task.command === 'import' ? importTask : exportTask;
    const endNotes = mayCreate(task) ? await keepTokenNoted(execution, stopSending) : undefined;
    const result = await command(execution, connect).finally(endNotes);
    return continuesLater(result, execution) ? result : await withFiles(execution, result);
  } finally {
    lease.lost.removeEventListener('abort', lose);
    interrupted.removeEventListener('abort', end);
    await opened?.client.close();
  }
}

/** True for work that creates records, which a copy of the database would create again. */
function mayCreate({ command, options }: TaskToRun): boolean {
  return command === 'import' && options.mode !== 'update';
}

/** The end of a task with its files; or without, if they cannot be uploaded. */
async function withFiles(
  execution: TaskExecution,
  result: Awaited<ReturnType<typeof importTask>>,
): Promise<TaskEnd> {
  try {
    return { ...result, publish: await uploaded(execution) };
  } catch (error) {
    if (!(error instanceof RunStopped && error.reason === 'output-failed')) throw error;
    const { id, command } = execution.task;
    const { stopped } = result;
    // It is continued then, which publishes the files.
    if (stopped) {
      const why = `${stopped.message.replace(/\.?$/, '.')} ${error.message}`;
      return { ...result, stopped: { ...stopped, message: why } };
    }
    const message =
      command === 'import'
        ? unpublishedText(id, error.message)
        : `${error.message} Export it again with \`${printedCommand('fleet resume', [id])}\`.`;
    return {
      ...result,
      exitCode: exitCodeOf({}, 'output-failed'),
      stopped: { reason: 'output-failed', message },
    };
  }
}

/** Uploads the files of a task, and returns what publishes them. Nothing is visible before. */
async function uploaded(execution: TaskExecution): Promise<TaskEnd['publish']> {
  const { storage, task, lease, folders } = execution;
  if (storage === undefined || lease.lost.aborted) return undefined;
  const files = await filesToPublish(folders.out);
  // Those of an earlier execution stay if this one could write none.
  if (files.length === 0) return undefined;
  const objects = await uploadFiles({ storage, lease, task, files, signal: lease.lost });
  return async (inside: Sql) => {
    await writeArtifacts(inside, { lease, task, removesOthers: true }, objects);
  };
}
