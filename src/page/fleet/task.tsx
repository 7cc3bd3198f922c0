import { API_BASE, type TaskPageView } from '../../fleet/serve/api.ts';
import { CommandText } from '../parts/command.tsx';
import { Notice, Screen, WhenLoaded } from '../parts/frame.tsx';
import { Mark } from '../parts/mark.tsx';
import { OutcomeBar, OutcomeLegend } from '../parts/outcomes.tsx';
import { addressOf } from '../router.ts';
import { counted, moment, plural, sizeText, spanText } from '../text.ts';
import type { FleetScreenProps } from './fleet-props.ts';
import { TaskActions } from './task-actions.tsx';
import { TaskStateText, workWords } from './task-words.tsx';
import { useLive } from './use-live.ts';

/** One task: its outcomes, its files, and what can be done about it. */
export function TaskScreen({ route: [, id = ''], session, onSignedOut }: FleetScreenProps) {
  const loaded = useLive<TaskPageView>(`/tasks/${encodeURIComponent(id)}`, [], onSignedOut);
  const task = loaded.value;
  const work = task ? workWords(task) : '';
  return (
    <Screen
      title={task ? `${work[0]?.toUpperCase()}${work.slice(1)} at ${task.store}` : `Task ${id}`}
      about={task ? <TaskStateText task={task} /> : undefined}
    >
      <WhenLoaded loaded={loaded} doing="Reading the task">
        {(view) => (
          <>
            <TaskSummary task={view} />
            <TaskProblems task={view} />
            <TaskSteps task={view} />
            <TaskActions
              task={view}
              role={session.role}
              onChanged={loaded.reload}
              onSignedOut={onSignedOut}
            />
            <div class="run-about">
              <section>
                <h2>Files</h2>
                <TaskFiles task={view} />
              </section>
              <section>
                <h2>Facts</h2>
                <TaskFacts task={view} />
              </section>
            </div>
            <h2>On the command line</h2>
            {view.commands.map(({ command }) => (
              <CommandText key={command} command={command} />
            ))}
          </>
        )}
      </WhenLoaded>
    </Screen>
  );
}

function TaskSummary({ task }: { readonly task: TaskPageView }) {
  const { id, outcomes, state, stopReason, stopMessage, unread, lost, doubts } = task;
  return (
    <>
      {outcomes === null ? (
        <p class="quiet">{state === 'queued' ? 'It has not begun.' : 'No record has an outcome yet.'}</p>
      ) : (
        <>
          <OutcomeBar outcomes={outcomes} />
          <OutcomeLegend outcomes={outcomes} />
        </>
      )}
      {state === 'stopped' ? (
        <Notice look="attention">
          <p>
            <b>Stopped before the end{stopReason === null ? '' : ` (${stopReason})`}.</b>{' '}
            {[stopMessage, unread].filter(Boolean).join(' ')}
          </p>
        </Notice>
      ) : null}
      {doubts > 0 ? (
        <p>
          <Mark look="doubt" />
          <a href={addressOf('task', id, 'doubts')}>
            {plural(doubts, 'record')} in doubt: look for {doubts === 1 ? 'it' : 'them'} in the store
          </a>
        </p>
      ) : null}
      {lost > 0 ? (
        <Notice look="attention">
          <p>
            It lost its worker {lost === 1 ? 'once' : `${lost} times`} in a row. After the third time it
            stops: its data or its size may end the process.
          </p>
        </Notice>
      ) : null}
    </>
  );
}

function TaskProblems({ task: { problems } }: { readonly task: TaskPageView }) {
  if (problems.length === 0) return null;
  return (
    <section>
      <h2>What was wrong</h2>
      <table class="runs">
        <thead>
          <tr>
            <th scope="col">Records</th>
            <th scope="col">Outcome</th>
            <th scope="col">Why</th>
            <th scope="col">For example</th>
          </tr>
        </thead>
        <tbody>
          {problems.map(({ outcome, code, field, count, row, example }) => (
            <tr key={`${outcome} ${code} ${field} ${row}`}>
              <td>{counted(count)}</td>
              <td>{outcome}</td>
              <td>
                {code}
                {field === '' ? null : (
                  <>
                    {' '}
                    (<bdi>{field}</bdi>)
                  </>
                )}
              </td>
              <td>
                Row {row}: <bdi>{example}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Steps that need more than a button. */
function TaskSteps({ task: { steps, state } }: { readonly task: TaskPageView }) {
  if (steps.length === 0 || state === 'queued' || state === 'running') return null;
  return (
    <section>
      <h2>What to do next</h2>
      {steps.map(({ text, command }) => (
        <div key={text}>
          <p>
            <bdi>{text}</bdi>
          </p>
          {command === null ? null : <CommandText command={command} />}
        </div>
      ))}
    </section>
  );
}

function TaskFiles({ task: { id, artifacts } }: { readonly task: TaskPageView }) {
  if (artifacts.length === 0)
    return <p class="quiet">There are none yet. They appear when an execution has ended.</p>;
  return (
    <ul class="reports">
      {artifacts.map(({ name, bytes, sha256, at }) => (
        <li key={name}>
          <a href={`${API_BASE}/tasks/${encodeURIComponent(id)}/files/${encodeURIComponent(name)}`}>
            <bdi>{name}</bdi>
          </a>{' '}
          <span class="small quiet">
            {sizeText(bytes)}, {moment(at)}, SHA-256 {sha256.slice(0, 12)}…
          </span>
        </li>
      ))}
    </ul>
  );
}

function TaskFacts({ task }: { readonly task: TaskPageView }) {
  const { store, storeUrl, files, optionWords, schedule, slot, worker, epoch, workedMs, exitCode } = task;
  const { id, queuedAt, startedAt, finishedAt, notBefore, state } = task;
  // A task that was continued began before it was queued last.
  const isAgain = startedAt !== null && startedAt < queuedAt;
  const queued = [isAgain ? 'Queued again' : 'Queued', moment(queuedAt)] as const;
  const began = [isAgain ? 'First began' : 'Began', startedAt === null ? null : moment(startedAt)] as const;
  const facts: readonly (readonly [string, string | null])[] = [
    ['Task', id],
    ['Store', `${store}, ${storeUrl}`],
    [plural(files.length, 'File').replace(/^\S+ /, ''), files.join('\n') || null],
    ['Schedule', schedule === null ? null : `${schedule}${slot === null ? '' : `, for ${moment(slot)}`}`],
    ...(isAgain ? [began, queued] : [queued, began]),
    ['Begins', state === 'queued' && notBefore > queuedAt ? moment(notBefore) : null],
    ['Ended', finishedAt === null ? null : moment(finishedAt)],
    ['Worked for', workedMs === null || workedMs === 0 ? null : spanText(workedMs)],
    ['Worker', worker],
    ['Lease', epoch === null ? null : `epoch ${epoch}`],
    ['Exit code', exitCode === null ? null : String(exitCode)],
    ['Options', optionWords.join('\n') || null],
  ];
  return (
    <dl class="facts">
      {facts.map(([name, value]) =>
        value === null ? null : (
          <>
            <dt>{name}</dt>
            <dd>
              {value.split('\n').map((line) => (
                <div key={line}>
                  <bdi>{line}</bdi>
                </div>
              ))}
            </dd>
          </>
        ),
      )}
    </dl>
  );
}
