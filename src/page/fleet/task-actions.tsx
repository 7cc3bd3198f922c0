import { useState } from 'preact/hooks';
import type { ChangedTaskView, FleetRole, TaskAction, TaskPageView } from '../../fleet/serve/api.ts';
import { post } from '../client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/frame.tsx';
import { useAction } from '../use-action.ts';
import { workWords } from './task-words.tsx';
import { isSignedOut } from './use-live.ts';

const ACTION_WORDS: Readonly<Record<TaskAction, { readonly title: string; readonly effect: string }>> = {
  stop: {
    title: 'Stop',
    effect: 'Nothing new is begun, and requests in flight are awaited. It can be resumed later.',
  },
  resume: { title: 'Resume', effect: 'It is queued again, and continues where it stopped.' },
  retry: {
    title: 'Retry',
    effect:
      'It is queued again, and sends the records again that failed. Records in doubt are not among them.',
  },
};

/** What an operator can do. A viewer reads who can. */
export function TaskActions({
  task,
  role,
  onChanged,
  onSignedOut,
}: {
  readonly task: TaskPageView;
  readonly role: FleetRole | null;
  readonly onChanged: () => void;
  readonly onSignedOut: () => void;
}) {
  const [asked, setAsked] = useState<TaskAction>();
  const { run, isBusy, failure } = useAction();
  const { actions, isStopping, id, store } = task;
  if (isStopping)
    return <p role="status">It ends as soon as its worker has seen that; requests in flight are awaited.</p>;
  if (actions.length === 0) return null;
  if (role !== 'operator')
    return <p class="quiet">You are signed in for looking. An operator can stop, resume and retry tasks.</p>;
  const carryOut = (action: TaskAction) =>
    run(async () => {
      try {
        await post<ChangedTaskView>(`/tasks/${encodeURIComponent(id)}/${action}`, {});
      } catch (error) {
        if (isSignedOut(error)) onSignedOut();
        throw error;
      }
      setAsked(undefined);
      onChanged();
    });
  return (
    <section aria-label="What can be done">
      <h2>What can be done</h2>
      <ul class="run-actions">
        {actions.map((action, n) => (
          <li key={action}>
            <button
              type="button"
              class={n === 0 && action !== 'stop' ? 'main' : ''}
              onClick={() => setAsked(action)}
            >
              {ACTION_WORDS[action].title} this task
            </button>
            <p>{ACTION_WORDS[action].effect}</p>
          </li>
        ))}
      </ul>
      {asked === undefined ? null : (
        <Dialog
          title={`${ACTION_WORDS[asked].title} the ${workWords(task)} at ${store}?`}
          onClose={() => setAsked(undefined)}
          buttons={
            <>
              <button type="button" onClick={() => setAsked(undefined)}>
                Cancel
              </button>
              <button type="button" class="main" disabled={isBusy} onClick={() => carryOut(asked)}>
                {ACTION_WORDS[asked].title} it
              </button>
            </>
          }
        >
          <p>{ACTION_WORDS[asked].effect}</p>
          {failure ? <Failure failure={failure} /> : null}
        </Dialog>
      )}
    </section>
  );
}
