import type { TaskState } from '../states.ts';
import type { Task, TaskDetails } from '../tasks/task.ts';
import type { FileOfTask, TaskAction, TaskLine, TaskPageView } from './api.ts';
import type { RunSoFar } from './figures.ts';

/** Actions that are possible in each state. */
const ACTIONS: Readonly<Record<TaskState, readonly TaskAction[]>> = {
  queued: ['stop'],
  running: ['stop'],
  done: ['retry'],
  stopped: ['resume', 'retry'],
};

export function taskLine(task: Task, outcomes: Readonly<Record<string, number>> | undefined): TaskLine {
  const { number, id, store, command, resource, state, next, schedule, worker, lost } = task;
  const { stopWanted, slot, notBefore, queuedAt, startedAt, finishedAt } = task;
  const { exitCode, stopReason, stopMessage } = task;
  return {
    ...{ number, id, store, command, resource, state, next, schedule, worker, lost, exitCode, stopReason },
    stopMessage,
    isStopping: state === 'running' && stopWanted,
    slot: isoOf(slot),
    notBefore: notBefore.toISOString(),
    queuedAt: queuedAt.toISOString(),
    startedAt: isoOf(startedAt),
    finishedAt: isoOf(finishedAt),
    outcomes: outcomes ?? null,
  };
}

/** Parts of the page of a task that are not in the task. */
export interface TaskSurroundings {
  readonly storeUrl: string;
  readonly run: RunSoFar | undefined;
  /** Outcomes of the executions that ended. */
  readonly ended: Readonly<Record<string, number>> | undefined;
  /** Returns a location without credentials and query. */
  readonly shown: (location: string) => string;
}

export function taskPageView(
  task: TaskDetails,
  { storeUrl, run, ended, shown }: TaskSurroundings,
): TaskPageView {
  const { id, state, epoch, options, artifacts, stopWanted } = task;
  const { files, mappingText, ...others } = options;
  const outcomes = state === 'running' || !ended ? run?.outcomes : ended;
  const doubts = run?.outcomes['in-doubt'] ?? 0;
  const actions = state === 'running' && stopWanted ? [] : ACTIONS[state];
  return {
    ...taskLine(task, outcomes),
    ...{ storeUrl, epoch, actions, doubts },
    files: Array.isArray(files) ? files.map((file) => shown(String(file))) : [],
    options: Object.fromEntries(
      Object.entries(others).map(([name, value]) => [name, shownValue(value, shown)]),
    ),
    workedMs: run?.workedMs ?? null,
    artifacts: artifacts.map(
      ({ name, bytes, sha256, at }): FileOfTask => ({ name, bytes, sha256, at: at.toISOString() }),
    ),
    commands: [
      ...actions.map((action) => ({ does: action, command: `storeport fleet ${action} ${id}` })),
      ...(doubts > 0 ? [{ does: 'resolve', command: `storeport fleet resolve ${id} --ask` }] : []),
      ...(artifacts.length > 0 ? [{ does: 'get', command: `storeport fleet get ${id}` }] : []),
      { does: 'show', command: `storeport fleet show ${id}` },
    ],
  };
}

/** Locations in options, such as those of look-up files, may have credentials. */
function shownValue(value: unknown, shown: (location: string) => string): unknown {
  if (typeof value === 'string') return shown(value);
  return Array.isArray(value) ? value.map((each) => shownValue(each, shown)) : value;
}

export function isoOf(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
