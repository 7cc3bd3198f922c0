import { join } from 'node:path';
import type { KnownRun, Ledger } from '../../ledger/index.ts';
import { mkdir } from '../../model/files/fs.ts';
import { ConfigError, exitCodeOf, printedCommand, RunStopped } from '../../model/index.ts';
import { rewriteRunReports, summaryOf } from '../../pipeline/index.ts';
import { fenced, type Lease } from '../../postgres/index.ts';
import type { Summary } from '../../report/index.ts';
import {
  filesToPublish,
  listArtifacts,
  type UploadedFile,
  uploadFiles,
  writeArtifacts,
} from '../artifacts/index.ts';
import { fleetCommands } from '../tasks/fleet-commands.ts';
import type { TaskEnd } from '../worker/options.ts';
import { endReports } from '../worker/task-lines.ts';
import { endOf } from './import-task.ts';
import type { ExecutorOptions } from './options.ts';

/** The run of an ended task, whose reports are older than the ledger. */
export interface OutdatedReports {
  readonly options: Pick<ExecutorOptions, 'sql' | 'storage'>;
  readonly lease: Lease;
  readonly ledger: Ledger;
  readonly task: { readonly number: number; readonly id: string };
  /** Name of the store. */
  readonly store: string;
  /** Folder for the files of several tasks. */
  readonly folder: string;
}

/** The result of writing reports anew. */
export interface PublishedReports {
  readonly summary: Summary;
  /** The reason that the published ones stay as they were, though nothing failed. */
  readonly warning?: string | undefined;
}

/**
 * Writes the reports of a task anew from the ledger and publishes them, with its exit code and its summary. If they cannot be
 * published, notes so with the task, and throws RunStopped (`output-failed`).
 */
export async function publishReports(outdated: OutdatedReports): Promise<PublishedReports> {
  const { options, lease, ledger, task } = outdated;
  const { sql, storage } = options;
  const run = await ledger.find(task.id);
  if (run === undefined)
    throw new ConfigError(`The task ${task.id} has not begun: nothing of it is in doubt.`);

  const end = (summary: Summary, stopped: TaskEnd['stopped'], objects: readonly UploadedFile[] = []) =>
    fenced(sql, lease, async (inside) => {
      if (objects.length > 0) await writeArtifacts(inside, { lease, task, removesOthers: true }, objects);
      await endReports(
        inside,
        task.number,
        stopped === undefined ? endOf(summary) : endWithout(summary, stopped),
      );
    });

  try {
    const { summary, objects } = await writeReports(outdated, run);
    const isLeftOld = storage === undefined && (await listArtifacts(sql, task.number)).length > 0;
    const warning = isLeftOld
      ? unpublishedText(
          task.id,
          'This command does not know where the reports of the fleet are (--artifacts).',
        )
      : undefined;
    await end(summary, warning === undefined ? undefined : unpublished(warning), objects);
    return { summary, warning };
  } catch (error) {
    if (!isOutputFailure(error)) throw error;
    const message = unpublishedText(task.id, error.message);
    await end(await summaryOf(ledger, run, exitCodeOf), unpublished(message));
    throw new RunStopped('output-failed', message, [
      'What was found is recorded. Once the cause is gone, the same resolve publishes the reports too.',
    ]);
  }
}

async function writeReports(
  { options: { storage }, lease, ledger, task, store, folder }: OutdatedReports,
  run: KnownRun,
): Promise<{ readonly summary: Summary; readonly objects: readonly UploadedFile[] }> {
  const out = join(folder, encodeURIComponent(task.id));
  await mkdir(out, { recursive: true });
  const reportFormat = { commands: fleetCommands(store) };
  const summary = await rewriteRunReports(ledger, { ...run, out }, { exitCodeOf, reportFormat });
  if (storage === undefined) return { summary, objects: [] };
  const files = await filesToPublish(out);
  return { summary, objects: await uploadFiles({ storage, lease, task, files, signal: lease.lost }) };
}

/** True for trouble with files: with those of this machine, or with the storage. */
function isOutputFailure(error: unknown): error is RunStopped | ConfigError {
  return error instanceof ConfigError || (error instanceof RunStopped && error.reason === 'output-failed');
}

/** Says what to do about the reports of an import that are missing, or older than the ledger. `why`: whole sentences. */
export function unpublishedText(task: string, why: string): string {
  return `${why} The ledger has the outcome of each record: publish the reports with \`${printedCommand('fleet resume', [task])}\`. Do not import the file again.`;
}

function unpublished(message: string): NonNullable<TaskEnd['stopped']> {
  return { reason: 'output-failed', message };
}

/** The end of a task whose records are settled, and whose reports are not published. */
function endWithout(summary: Summary, stopped: NonNullable<TaskEnd['stopped']>): TaskEnd {
  return { ...endOf(summary), exitCode: exitCodeOf({}, 'output-failed'), stopped };
}
