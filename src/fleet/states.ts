/** States of a task and what changes them, as STATES.md has them. */

export const TASK_STATES = ['queued', 'running', 'done', 'stopped'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** The first thing that a worker does when it takes a task. */
export type TaskStep = 'begin' | 'resume' | 'retry';

/** The third worker in a row that is gone in the middle of a task stops it: its data or its size may end the process. */
export const MOST_LOST = 3;

/**
 * `begin`: a holder takes it. `finish`, `fail`: its execution ended, or its reports were published anew. `yield`: its holder lets
 * others go first, or drains. `stop`: a user wants it to stop. `lose`: the epoch under which it ran is over, and its worker gave no
 * sign of life since. `expire`: the epoch is over, and the worker lives. `resume`, `retry`: a user wants it again.
 */
export type TaskEvent =
  | 'begin'
  | 'finish'
  | 'fail'
  | 'yield'
  | 'stop'
  | 'lose'
  | 'expire'
  | 'resume'
  | 'retry';

/** The part of a task on which events depend. */
export interface TaskStanding {
  readonly state: TaskState;
  readonly next: TaskStep;
  readonly stopWanted: boolean;
  /** Workers in a row that were gone in the middle of it, without progress between them. */
  readonly lost: number;
}

/** A task after an event. `reason`: why it stopped, unless its run says so. */
export interface TaskChange extends TaskStanding {
  readonly reason?: 'interrupted' | 'poison';
}

type Rule = (task: TaskStanding) => TaskChange;

const queuedAs = (next: TaskStep): TaskChange => ({ state: 'queued', next, stopWanted: false, lost: 0 });

/** A retry that did not come to its end is begun again. It sends what has not succeeded meanwhile. */
const goingOn = (next: TaskStep): TaskStep => (next === 'retry' ? 'retry' : 'resume');

const finished: Rule = () => ({ state: 'done', next: 'resume', stopWanted: false, lost: 0 });

const failed: Rule = ({ next }) => ({ state: 'stopped', next: goingOn(next), stopWanted: false, lost: 0 });

const interrupted: Rule = ({ next }) => ({
  ...{ state: 'stopped', next, stopWanted: false, lost: 0 },
  reason: 'interrupted',
});

const expired: Rule = ({ stopWanted, lost, ...before }) => {
  const next = goingOn(before.next);
  if (stopWanted) return { state: 'stopped', next, stopWanted: false, lost: 0, reason: 'interrupted' };
  if (lost >= MOST_LOST) return { state: 'stopped', next, stopWanted: false, lost, reason: 'poison' };
  return { state: 'queued', next, stopWanted: false, lost };
};

/** A resolve writes the reports of an ended task anew. It stops one whose reports cannot be published. */
const ENDED: Partial<Readonly<Record<TaskEvent, Rule>>> = {
  finish: finished,
  fail: failed,
  resume: () => queuedAs('resume'),
  retry: () => queuedAs('retry'),
};

/** A pair that is absent changes nothing. */
export const TASK_RULES: Readonly<Record<TaskState, Partial<Readonly<Record<TaskEvent, Rule>>>>> = {
  queued: {
    begin: (task) => ({ ...task, state: 'running', stopWanted: false }),
    stop: interrupted,
  },
  running: {
    finish: finished,
    fail: failed,
    yield: (task) => (task.stopWanted ? interrupted(task) : queuedAs(goingOn(task.next))),
    stop: (task) => ({ ...task, stopWanted: true }),
    lose: (task) => expired({ ...task, lost: task.lost + 1 }),
    expire: expired,
  },
  done: ENDED,
  stopped: { ...ENDED, resume: ({ next }) => queuedAs(goingOn(next)) },
};

/** Returns the task after an event; undefined if the event does not change a task in this state. */
export function afterEvent(task: TaskStanding, event: TaskEvent): TaskChange | undefined {
  return TASK_RULES[task.state][event]?.(task);
}
