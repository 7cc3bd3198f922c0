import type { TaskLine, TaskWord } from '../../fleet/serve/api.ts';
import { countsInOrder, Mark, type MarkLook } from '../parts/mark.tsx';
import { OutcomeBar } from '../parts/outcomes.tsx';
import { counted } from '../text.ts';

/** Outcomes after which rows are left to correct or to send. */
const LEFT = ['invalid', 'rejected', 'failed', 'unsent'];

type TaskStanding = Pick<TaskLine, 'state' | 'outcomes' | 'isStopping' | 'notBefore' | 'queuedAt' | 'next'>;

/** Shape and words of a task's state. */
export function stateOfTask(task: TaskStanding): { readonly look: MarkLook; readonly words: string } {
  const { state, outcomes, isStopping, notBefore, queuedAt, next } = task;
  if (state === 'running') return { look: 'even', words: isStopping ? 'stopping' : 'running' };
  if (state === 'queued') {
    if (isForLater({ notBefore, queuedAt })) return { look: 'even', words: 'queued for later' };
    return { look: 'even', words: next === 'begin' ? 'queued' : `queued to ${next}` };
  }
  if ((outcomes?.['in-doubt'] ?? 0) > 0) return { look: 'doubt', words: `${state}, in doubt` };
  if (state === 'stopped') return { look: 'attention', words: 'stopped' };
  return LEFT.some((word) => (outcomes?.[word] ?? 0) > 0)
    ? { look: 'wrong', words: 'done, rows left' }
    : { look: 'good', words: 'done' };
}

/** True if it was queued to begin at a later moment. */
export function isForLater({ notBefore, queuedAt }: Pick<TaskLine, 'notBefore' | 'queuedAt'>): boolean {
  return Date.parse(notBefore) > Date.parse(queuedAt);
}

export function TaskStateText({ task }: { readonly task: TaskStanding }) {
  const { look, words } = stateOfTask(task);
  return (
    <>
      <Mark look={look} />
      {words}
    </>
  );
}

/** `import of products` */
export function workWords({ command, resource }: Pick<TaskLine, 'command' | 'resource'>): string {
  return `${command} of ${resource}`;
}

/** The bar of a task with its counts, or why there are none. */
export function TaskOutcomes({ task }: { readonly task: TaskLine }) {
  const { outcomes, stopReason, lost } = task;
  const counts = countsInOrder(outcomes ?? {});
  const notes = [
    ...counts.map(({ outcome, count }) => `${counted(count)} ${outcome}`),
    ...(stopReason === null || task.state !== 'stopped' ? [] : [`stopped: ${stopReason}`]),
    ...(lost > 0 ? [`lost its worker ${lost === 1 ? 'once' : `${lost} times`}`] : []),
  ];
  return (
    <>
      {counts.length > 0 ? <OutcomeBar outcomes={outcomes ?? {}} /> : null}
      <span class="counts">{notes.join(', ')}</span>
    </>
  );
}

export const STATE_ORDER: readonly TaskWord[] = ['running', 'queued', 'stopped', 'done'];
