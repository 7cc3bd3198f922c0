import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../model/index.ts';
import { problemsInRun, reviewOf, type Sql } from '../../postgres/index.ts';
import { type NextStep, nextSteps, type Problem, type Summary, unreadText } from '../../report/index.ts';
import { canBeAsked, taskResource } from '../stores/resources.ts';
import type { FleetSettings } from '../stores/settings.ts';
import { fetchedFolder, fleetCommands } from './fleet-commands.ts';
import { nothingToRetry } from './nothing-to-retry.ts';
import { currentFiles, ERROR_FILES, IN_DOUBT_FILES } from './report-files.ts';
import type { TaskDetails } from './task.ts';

/** Reasons of the incomplete records of a task, and the next steps. */
export interface FollowUp {
  /** By shape, the most frequent first. */
  readonly problems: readonly Problem[];
  /** How much of its files was not read since it stopped early; undefined if all was, or nothing is known. */
  readonly unread: string | undefined;
  /** The most urgent first; none if all is done. */
  readonly steps: readonly NextStep[];
  /** True if a retry would send something. */
  readonly canRetry: boolean;
}

export async function followUpOf(sql: Sql, task: TaskDetails): Promise<FollowUp> {
  const { id, state } = task;
  const hasEnded = state === 'done' || state === 'stopped';
  const [problems, files, idle, unread] = [
    await problemsOf(sql, task),
    await currentFiles(sql, id),
    await nothingToRetry(sql, [id]),
    state === 'stopped' ? await unreadOf(sql, id) : undefined,
  ];
  return {
    problems,
    unread,
    steps: stepsFor(task, problems, files, await afterRestore(sql, task)),
    canRetry: hasEnded && !idle.has(id),
  };
}

/** The summary has it too, but not that of an execution whose worker was killed. */
async function unreadOf(sql: Sql, id: string): Promise<string | undefined> {
  const [run] = await sql.query<{ not_read: number | null }>(
    "select not_read from run where id = $1 and state = 'stopped'",
    [id],
  );
  return run && unreadText(run);
}

/** Those of the summary while it is true: they have more words than the ledger. */
async function problemsOf(sql: Sql, { id, summary, outcomes }: TaskDetails): Promise<readonly Problem[]> {
  if (Array.isArray(summary?.problems) && isDeepStrictEqual(summary?.outcomes, outcomes))
    return summary.problems as unknown as Problem[];
  return problemsInRun(sql, id);
}

/** Steps of a task that may create nothing since its database was restored. None leads to a record that is created again. */
async function afterRestore(
  sql: Sql,
  { state, stopReason, store, storeNumber, resource }: TaskDetails,
): Promise<NextStep[]> {
  if (state !== 'stopped' || stopReason !== 'restored') return [];
  const commands = fleetCommands(store);
  const { isKnown, isReviewed } = await reviewOf(sql, storeNumber, resource);
  const [line] = await sql.query<{ settings: FleetSettings }>(
    'select settings from store where number = $1',
    [storeNumber],
  );
  const look = isReviewed
    ? []
    : [
        {
          text: `To do: compare the ${resource} in the store with its last runs, and settle what is in doubt. Then: ${commands.reviewed()}`,
          command: commands.reviewed(),
        },
      ];
  if (isKnown) return look;
  const adopt = `adopt what was sent after the backup, from a file with the keys and identifiers of ${resource} at ${store}. How: ${commands.adopt()}`;
  if (line !== undefined && canBeAsked(taskResource(resource, line.settings, 'create')))
    return [
      { text: 'When it continues, it looks into the list of the store before it sends anything.' },
      { text: `Only if it stops again, since the store has no such list: ${adopt}` },
    ];
  return [{ text: `To do: ${adopt}` }, ...look];
}

function stepsFor(
  task: TaskDetails,
  problems: readonly Problem[],
  files: readonly string[],
  afterRestore: readonly NextStep[],
): NextStep[] {
  const { id, store, state, stopWanted, command, outcomes } = task;
  const commands = fleetCommands(store);
  if (state === 'queued' || state === 'running') {
    const [stop, resolve] = [commands.stop(id), commands.resolve(id)];
    // While a worker serves the store, nothing can be settled.
    const isOpen = state === 'queued' && (outcomes?.['in-doubt'] ?? 0) > 0;
    return [
      ...(stopWanted ? [] : [{ text: `To end it early: ${stop}`, command: stop }]),
      ...(isOpen
        ? [{ text: `To do: look in the store for its records in doubt. Then: ${resolve}`, command: resolve }]
        : []),
    ];
  }
  if (command === 'import') {
    const steps = nextSteps(summaryNow(task, problems, files), task.options, commands);
    const get = commands.get(id);
    const fetched = steps.some(({ text }) => text.includes(fetchedFolder(id)))
      ? [{ text: `To have its files here: ${get}`, command: get }]
      : [];
    return [...afterRestore, ...fetched, ...steps];
  }
  const resume = commands.resume(id);
  return state === 'done'
    ? []
    : [...afterRestore, { text: `To continue: ${resume} begins it anew`, command: resume }];
}

/** The parts of a summary on which next steps depend, as of now. */
function summaryNow(
  { id, state, resource, outcomes, options, stopReason, stopMessage }: TaskDetails,
  problems: readonly Problem[],
  files: readonly string[],
): Parameters<typeof nextSteps>[0] {
  // Nobody else has the folder of the worker that wrote them.
  const fetchedPath = (name: string) => `${fetchedFolder(id)}/${name}`;
  const stopped = { reason: stopReason, message: stopMessage ?? '' } as NonNullable<Summary['stopped']>;
  return {
    ...{ run: id, command: 'import', resource, outcomes: outcomes ?? {}, problems, out: '' },
    files: filesIn(options).map((file) => ({ file, sha256: null })),
    ...(state === 'stopped' ? { stopped } : {}),
    mapping: { name: '', sha256: '' },
    reports: {
      ...{ results: '', page: '' },
      errors: files.filter((name) => ERROR_FILES.includes(name)).map(fetchedPath),
      in_doubt: files.filter((name) => IN_DOUBT_FILES.includes(name)).map(fetchedPath),
    },
  };
}

function filesIn({ files }: JsonObject): string[] {
  return Array.isArray(files) ? files.map(String) : [];
}
