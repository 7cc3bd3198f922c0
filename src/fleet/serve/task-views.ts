import { ownValue, printedCommand, shellWord } from '../../model/index.ts';
import type { TaskState } from '../states.ts';
import type { FollowUp } from '../tasks/follow-up.ts';
import type { Task, TaskDetails } from '../tasks/task.ts';
import type { FileOfTask, TaskAction, TaskLine, TaskPageView } from './api.ts';

/** Actions that change a task in each state. */
const ACTIONS: Readonly<Record<TaskState, readonly TaskAction[]>> = {
  queued: ['stop'],
  running: ['stop'],
  done: ['retry'],
  stopped: ['resume', 'retry'],
};

/** Those of them that lead on. */
function actionsOf({ state, stopWanted }: TaskDetails, { canRetry }: FollowUp): readonly TaskAction[] {
  if (state === 'running' && stopWanted) return [];
  return ACTIONS[state].filter((action) => action !== 'retry' || canRetry);
}

export function taskLine(task: Task): TaskLine {
  const { number, id, store, command, resource, state, next, schedule, worker, lost } = task;
  const { stopWanted, slot, notBefore, queuedAt, startedAt, finishedAt } = task;
  const { exitCode, stopReason, stopMessage, outcomes } = task;
  return {
    ...{ number, id, store, command, resource, state, next, schedule, worker, lost, exitCode, stopReason },
    ...{ stopMessage, outcomes },
    isStopping: state === 'running' && stopWanted,
    slot: isoOf(slot),
    notBefore: notBefore.toISOString(),
    queuedAt: queuedAt.toISOString(),
    startedAt: isoOf(startedAt),
    finishedAt: isoOf(finishedAt),
  };
}

/** Parts of the page of a task that are not in the task. */
export interface TaskSurroundings {
  readonly storeUrl: string;
  /** Time that its run has worked; undefined if it has none. */
  readonly workedMs: number | undefined;
  readonly followUp: FollowUp;
}

export function taskPageView(
  task: TaskDetails,
  { storeUrl, workedMs, followUp }: TaskSurroundings,
): TaskPageView {
  const { id, epoch, artifacts } = task;
  const { files, ...options } = task.options;
  const doubts = task.outcomes?.['in-doubt'] ?? 0;
  const actions = actionsOf(task, followUp);
  const { problems, unread = null, steps } = followUp;
  return {
    ...taskLine(task),
    ...{ storeUrl, epoch, actions, doubts, unread },
    problems: problems.map(({ outcome, code, field, count, example_row: row, example }) => ({
      ...{ outcome, code, field, count, row, example },
    })),
    steps: steps.map(({ text, command = null }) => ({ text, command })),
    files: Array.isArray(files) ? files.map(String) : [],
    options,
    optionWords: Object.entries(options).flatMap(([name, value]) => wordsOf(name, value)),
    workedMs: workedMs ?? null,
    artifacts: artifacts.map(
      ({ name, bytes, sha256, at }): FileOfTask => ({ name, bytes, sha256, at: at.toISOString() }),
    ),
    commands: [
      ...actions.map((action) => ({ does: action, command: printedCommand(`fleet ${action}`, [id]) })),
      ...(doubts > 0 ? [{ does: 'resolve', command: resolveCommand(id) }] : []),
      ...(artifacts.length > 0 ? [{ does: 'get', command: printedCommand('fleet get', [id]) }] : []),
      { does: 'show', command: printedCommand('fleet show', [id]) },
    ],
  };
}

/** Lists the records of a task that are in doubt, with the commands that settle them. */
export function resolveCommand(task: string): string {
  return printedCommand('fleet resolve', [task]);
}

/** Options that only a later command sets, with that command. */
const SET_LATER: Readonly<Record<string, string>> = {
  retryRejected: 'fleet retry --rejected',
  overwriteNewer: 'fleet retry --overwrite-newer',
};

/** An option as the command line has it. */
function wordsOf(name: string, value: unknown): string[] {
  const later = ownValue(SET_LATER, name);
  if (later !== undefined) return value === true ? [later] : [];
  const option = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (typeof value === 'boolean') return [value ? `--${option}` : `--no-${option}`];
  return (Array.isArray(value) ? value : [value]).map((each) => shellWord(`--${option}=${each}`));
}

/** Says that the process or machine of a worker is gone for sure. */
export function endedCommand(worker: string): string {
  return printedCommand('fleet resume', [], { ended: worker });
}

export function isoOf(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
