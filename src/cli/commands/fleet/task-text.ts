import { grouped, type JsonObject, printedCommand } from '../../../model/index.ts';
import type { Fleet } from './open-fleet.ts';
import { ageText, tableText } from './table-text.ts';

export type FleetTask = Awaited<ReturnType<Fleet['listTasks']>>[number];
type FleetTaskDetails = Awaited<ReturnType<Fleet['showTask']>>;
type FollowUp = Awaited<ReturnType<Fleet['followUpOf']>>;

/** Tasks for people, one a line. */
export function tasksText(tasks: readonly FleetTask[], now: number): string {
  const rows = tasks.map((task) => [
    task.id,
    task.store,
    `${task.command} ${task.resource}`,
    stateText(task),
    ageText(now - task.queuedAt.getTime()),
    countsText(task.outcomes) || '-',
    task.worker ?? '-',
  ]);
  return tableText(['task', 'store', 'does', 'state', 'age', 'records', 'worker'], rows);
}

/** `stopped (lease-lost)`, `queued (resume)`, `running (stopping)`. */
function stateText({ state, stopReason, next, stopWanted, exitCode }: FleetTask): string {
  if (state === 'running') return stopWanted ? 'running (stopping)' : state;
  if (state === 'queued') return next === 'begin' ? state : `queued (${next})`;
  if (state === 'stopped') return stopReason === null ? state : `stopped (${stopReason})`;
  return exitCode === null || exitCode === 0 ? state : `done (${exitCode})`;
}

function countsText(outcomes: Readonly<Record<string, number>> | null): string {
  return Object.entries(outcomes ?? {})
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${grouped(count)} ${word}`)
    .join(', ');
}

/** All of a task, with what to do next. `wrong`: lines about problems of its records. `place`: of its files, if it is known. */
export function taskText(
  task: FleetTaskDetails,
  { unread, steps }: Pick<FollowUp, 'unread' | 'steps'>,
  {
    wrong,
    place,
    now,
  }: { readonly wrong: readonly string[]; readonly place?: string | undefined; readonly now: number },
): string {
  const { id, store, command, resource, options, schedule, slot, worker, epoch, lost, artifacts } = task;
  const files = Array.isArray(options.files) ? options.files.map(String) : [];
  const lines: (readonly [string, string | undefined])[] = [
    ['task', id],
    ['store', store],
    ['does', `${command} ${resource}${files.length === 0 ? '' : ` from ${files.join(', ')}`}`],
    ['state', stateText(task)],
    ['why', [task.stopMessage, unread].filter(Boolean).join(' ') || undefined],
    ['schedule', schedule === null ? undefined : `${schedule}, for ${timeOf(slot)}`],
    ...timeLines(task, now),
    ['worker', worker === null ? undefined : `${worker}, epoch ${epoch}`],
    ['workers lost', lost === 0 ? undefined : `${lost} in a row`],
    ['records', countsText(task.outcomes) || undefined],
  ];
  return [
    ...lines.flatMap(([name, text]) => (text === undefined ? [] : [`${name.padEnd(NAME_WIDTH)}${text}`])),
    ...(artifacts.length === 0
      ? []
      : [`Artifacts${place === undefined ? '' : ` in ${place}`}:`, ...artifactLines(artifacts)]),
    ...(artifacts.length === 0 ? [] : ['To fetch them:', `  ${printedCommand('fleet get', [id])}`]),
    ...wrong,
    ...steps.flatMap(stepLines),
  ].join('\n');
}

const NAME_WIDTH = 14;

/** In the order in which they happened. A task that was continued began before it was queued last. */
function timeLines(
  { state, queuedAt, notBefore, startedAt, finishedAt }: FleetTaskDetails,
  now: number,
): (readonly [string, string | undefined])[] {
  const isAgain = startedAt !== null && startedAt < queuedAt;
  const queued = [
    isAgain ? 'queued again' : 'queued',
    `${timeOf(queuedAt)}, ${ageText(now - queuedAt.getTime())} ago`,
  ] as const;
  const began = [
    isAgain ? 'first began' : 'began',
    startedAt === null ? undefined : timeOf(startedAt),
  ] as const;
  return [
    ...(isAgain ? [began, queued] : [queued, began]),
    ['begins', state === 'queued' && notBefore.getTime() > now ? timeOf(notBefore) : undefined],
    ['ended', finishedAt === null ? undefined : timeOf(finishedAt)],
  ];
}

/** A step of an import of rows has its command apart: it is long. */
function stepLines({ text, command }: FollowUp['steps'][number]): string[] {
  return [text, ...(command === undefined || text.includes(command) ? [] : [`  ${command}`])];
}

function artifactLines(artifacts: FleetTaskDetails['artifacts']): string[] {
  const rows = artifacts.map(({ name, bytes, location }) => [
    `  ${name}`,
    `${grouped(bytes)} bytes`,
    location,
  ]);
  const [, ...lines] = tableText(['', '', ''], rows).split('\n');
  return lines;
}

/** Commands that lead on from the state of a task in a list. */
function listedSteps({ id, state, stopWanted, outcomes, stopReason, command }: FleetTask): string[] {
  const count = (...words: string[]) => words.reduce((sum, word) => sum + (outcomes?.[word] ?? 0), 0);
  const isImport = command === 'import';
  const steps: (readonly [boolean, string])[] = [
    [(state === 'queued' || state === 'running') && !stopWanted, printedCommand('fleet stop', [id])],
    // It says what comes first.
    [state === 'stopped' && stopReason === 'restored', printedCommand('fleet show', [id])],
    [state === 'stopped' && stopReason !== 'restored', printedCommand('fleet resume', [id])],
    [isImport && state !== 'running' && count('in-doubt') > 0, printedCommand('fleet resolve', [id])],
    [isImport && state === 'done' && count('failed') > 0, printedCommand('fleet retry', [id])],
    // It has the reasons, and the import of the corrected rows.
    [isImport && state === 'done' && count('invalid', 'rejected') > 0, printedCommand('fleet show', [id])],
  ];
  return steps.flatMap(([applies, text]) => (applies ? [text] : []));
}

function timeOf(time: Date | null): string {
  return time === null ? 'no time' : `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** A task in JSON. */
export function shownTask(task: FleetTask): JsonObject {
  const time = (value: Date | null) => value?.toISOString() ?? null;
  return {
    task: task.id,
    store: task.store,
    command: task.command,
    resource: task.resource,
    state: task.state,
    next: task.next,
    stop_wanted: task.stopWanted,
    schedule: task.schedule,
    slot: time(task.slot),
    not_before: time(task.notBefore),
    queued_at: time(task.queuedAt),
    started_at: time(task.startedAt),
    finished_at: time(task.finishedAt),
    worker: task.worker,
    epoch: task.epoch,
    lost: task.lost,
    exit_code: task.exitCode,
    stop_reason: task.stopReason,
    stop_message: task.stopMessage,
    outcomes: task.outcomes,
    to_do: listedSteps(task),
  };
}

export function shownTaskDetails(
  task: FleetTaskDetails,
  { problems, steps }: FollowUp,
  place: string | undefined,
): JsonObject {
  return {
    ...shownTask(task),
    to_do: steps.flatMap(({ command }) => (command === undefined ? [] : [command])),
    problems: problems as unknown as JsonObject[],
    options: task.options,
    summary: task.summary,
    artifacts_in: place ?? null,
    artifacts: task.artifacts.map(({ name, location, epoch, bytes, sha256, at }) => ({
      ...{ name, location, epoch, bytes, sha256 },
      at: at.toISOString(),
    })),
  };
}
