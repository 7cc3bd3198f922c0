import { basename, join } from 'node:path';
import { existsSync, resolve } from '../../model/files/fs.ts';
import { ConfigError, exitCodeOf, type JsonObject, packageVersion } from '../../model/index.ts';
import { runOptionsOf } from '../../options/index.ts';
import {
  type ImportOptions,
  type KnownRun,
  RETRYABLE_OUTCOMES,
  resumeRun,
  retryRun,
  runImport,
  type StoreTarget,
  type Watcher,
} from '../../pipeline/index.ts';
import type { Summary } from '../../report/index.ts';
import { fetchSource, realPathWithin } from '../artifacts/index.ts';
import { taskResource } from '../stores/resources.ts';
import { requestTimeoutMs } from '../stores/settings.ts';
import { fleetCommands } from '../tasks/fleet-commands.ts';
import { type ImportTaskOptions, importTaskOptions } from '../tasks/task-options.ts';
import type { TaskEnd } from '../worker/options.ts';
import { learnFromList } from './learn-list.ts';
import type { TaskExecution } from './options.ts';
import { relocated } from './relocated.ts';

/** Imports the files of a task: from the beginning, or where its run stopped on any machine. */
export async function importTask(
  execution: TaskExecution,
  connect: () => Promise<StoreTarget>,
): Promise<Omit<TaskEnd, 'publish'>> {
  const { task, folders } = execution;
  const given = importTaskOptions(task.options);
  const run = await knownRun(execution);
  // The ledger has all records of a run that has read its files to the end, and an address may have expired.
  const files = run?.whole ? [] : await sourcesOf(given, execution);
  await refuseFoldersOutside(given, execution);
  const resource = taskResource(task.resource, task.store.settings, 'create');
  if (given.mode !== 'update') await learnFromList(execution, resource, connect);
  const ledger = relocated(execution.ledger, task.id, { out: folders.out, files });
  const options: ImportOptions = {
    ...pipelineOptionsOf(given, files, execution),
    ledger,
    overwriteNewer: given.overwriteNewer,
  };
  return endOf(await importWith(options, run));

  async function importWith(options: ImportOptions, run: KnownRun | undefined): Promise<Summary> {
    if (run === undefined) return runImport({ ...options, runId: task.id }, connect);
    // A run that has not read its files to the end is continued first.
    if (task.next !== 'retry' || !run.whole) return resumeRun(task.id, options, connect);
    const outcomes = given.retryRejected
      ? ([...RETRYABLE_OUTCOMES, 'rejected'] as const)
      : RETRYABLE_OUTCOMES;
    return retryRun(task.id, { ...options, outcomes }, connect);
  }
}

/** The run of the task, if an earlier execution began it. */
async function knownRun({ ledger: source, task }: TaskExecution): Promise<KnownRun | undefined> {
  const ledger = await source.open();
  try {
    return await ledger.find(task.id);
  } finally {
    await ledger.close();
  }
}

/** Paths of the source files on this machine. */
async function sourcesOf(
  { files }: ImportTaskOptions,
  { folders, environment, interrupted, sources, mostBytes, allowsPrivateSources }: TaskExecution,
): Promise<string[]> {
  if (files.includes('-'))
    throw new ConfigError('A worker has no standard input: name a file or an address.');
  const paths: string[] = [];
  for (const location of files) {
    const { path } = await fetchSource(location, {
      ...{ folder: folders.sources, env: environment, signal: interrupted, within: sources, mostBytes },
      allowsPrivate: allowsPrivateSources,
    });
    paths.push(path);
  }
  return paths;
}

/** Throws ConfigError if a mapping, or what it looks up, is not in a folder that this worker reads. */
async function refuseFoldersOutside(
  { mapping, mappingText, allowLookup = [] }: ImportTaskOptions,
  { sources }: TaskExecution,
): Promise<void> {
  if (sources === undefined) return;
  for (const folder of allowLookup) await realPathWithin(folder, sources);
  if (mapping !== undefined && mappingText === undefined && isPath(mapping))
    await realPathWithin(resolve(mapping), sources);
}

const isPath = (mapping: string) => /[/\\.]/.test(mapping) || existsSync(mapping);

/** A mapping may look up files of its own folder. One whose text came with the task has none here. */
const NO_FOLDER = 'mapping-of-the-task';

function pipelineOptionsOf(
  given: ImportTaskOptions,
  files: readonly string[],
  { task, folders, interrupted, environment, log, recordFailed, sources, allowsPrivateImages }: TaskExecution,
): ImportOptions {
  const { mappingText } = given;
  const mapping =
    sources !== undefined && given.mapping !== undefined && mappingText !== undefined
      ? join(NO_FOLDER, basename(given.mapping))
      : given.mapping;
  const about = { task: task.id, store: task.store.name };
  const watch: Watcher = {
    opened() {},
    started() {},
    warned: (message) => log.warn(about, message),
    recordFailed: recordFailed && ((result) => recordFailed(result, { ...about, run: task.id })),
    // A task has no canary: nobody could be asked.
    canary: async () => true,
  };
  const { reportFormat, ...options } = runOptionsOf(
    { ...given, allowPrivateImages: allowsPrivateImages },
    { environment, timeoutMs: requestTimeoutMs(task.store.settings) },
  );
  return {
    ...options,
    ...{ files, mapping, mappingText, interrupted, watch, exitCodeOf },
    resource: taskResource(task.resource, task.store.settings, 'create'),
    home: folders.home,
    out: folders.out,
    runsFolder: join(folders.home, 'runs'),
    reportFormat: { commands: fleetCommands(task.store.name), ...reportFormat },
    version: packageVersion(),
    toRepeat: optionsOfRun(task.options),
  };
}

/** The ledger has the names of the files, and the digest of the mapping. Addresses of files may be signed. */
function optionsOfRun({ files: _, mappingText: __, ...options }: JsonObject): JsonObject {
  return options;
}

/** The folder of the reports is left out: their artifacts are listed with the task. */
export function endOf({ out: _, ...summary }: Summary): Omit<TaskEnd, 'publish'> {
  return {
    exitCode: summary.exit_code,
    summary: summary as unknown as JsonObject,
    stopped: summary.stopped,
  };
}
