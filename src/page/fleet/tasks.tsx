import { useState } from 'preact/hooks';
import type { FleetView, TaskLine, TasksView } from '../../fleet/serve/api.ts';
import { ShowCommand } from '../parts/command.tsx';
import { Empty, Screen, WhenLoaded } from '../parts/frame.tsx';
import { addressOf, choiceInAddress, keepInAddress } from '../router.ts';
import { moment } from '../text.ts';
import { FleetFiguresStrip, fleetSentence } from './fleet-figures.tsx';
import type { FleetScreenProps } from './fleet-props.ts';
import { type Choices, TaskFilters } from './task-filters.tsx';
import { isForLater, TaskOutcomes, TaskStateText, workWords } from './task-words.tsx';
import { useLive } from './use-live.ts';

const NAMES = ['state', 'store', 'age', 'doubts'] as const;

/** Tasks over all stores: counts, filters, and one page of the list. */
export function TasksScreen({ onSignedOut }: FleetScreenProps) {
  const [choices, setChoices] = useState<Choices>(() =>
    Object.fromEntries(NAMES.flatMap((name) => entryOf(name, choiceInAddress(name)))),
  );
  /** Beginnings of the pages before this one; the last is that of this page. */
  const [befores, setBefores] = useState<readonly number[]>([]);
  const overview = useLive<FleetView>('/overview', [], onSignedOut);
  const query = new URLSearchParams(choices as Record<string, string>);
  const before = befores.at(-1);
  if (before !== undefined) query.set('before', String(before));
  const tasks = useLive<TasksView>(`/tasks?${query}`, [], onSignedOut);
  const choose = (name: (typeof NAMES)[number], value: string | undefined) => {
    keepInAddress(name, value);
    setBefores([]);
    setChoices(({ [name]: _, ...others }) => ({ ...others, ...Object.fromEntries(entryOf(name, value)) }));
  };
  const turn = (to: readonly number[]) => {
    setBefores(to);
    scrollTo(0, 0);
  };
  const view = overview.value;
  return (
    <Screen title={view ? fleetSentence(view) : 'Tasks of all stores'} tab="Tasks">
      <WhenLoaded loaded={overview} doing="Counting tasks">
        {(figures) => (
          <>
            <FleetFiguresStrip view={figures} />
            <TaskFilters view={figures} choices={choices} onChoose={choose} />
          </>
        )}
      </WhenLoaded>
      <WhenLoaded loaded={tasks} doing="Reading the tasks">
        {({ tasks: lines, next, command }) => (
          <>
            {lines.length === 0 ? (
              <NoTasks isFiltered={Object.keys(choices).length > 0} />
            ) : (
              <TaskTable tasks={lines} />
            )}
            {befores.length > 0 || next !== null ? (
              <nav class="pager" aria-label="Pages of tasks">
                <button
                  type="button"
                  disabled={befores.length === 0}
                  onClick={() => turn(befores.slice(0, -1))}
                >
                  Later tasks
                </button>
                <button
                  type="button"
                  disabled={next === null}
                  onClick={() => next !== null && turn([...befores, next])}
                >
                  Earlier tasks
                </button>
              </nav>
            ) : null}
            <ShowCommand command={command} />
          </>
        )}
      </WhenLoaded>
    </Screen>
  );
}

function entryOf(name: string, value: string | undefined): [string, string][] {
  return value === undefined || value === '' ? [] : [[name, value]];
}

function NoTasks({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <Empty>
      {isFiltered ? (
        <p>No task fits these filters.</p>
      ) : (
        <>
          <p>There is no task yet.</p>
          <p>
            Add one on the command line, as <code>storeport fleet run import --help</code> says, or a
            schedule, as <code>storeport fleet schedule add --help</code> says.
          </p>
        </>
      )}
    </Empty>
  );
}

function TaskTable({ tasks }: { readonly tasks: readonly TaskLine[] }) {
  return (
    <table class="runs tasks">
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Store</th>
          <th scope="col">Work</th>
          <th scope="col">Outcomes</th>
          <th scope="col">When</th>
          <th scope="col">Task</th>
        </tr>
      </thead>
      <tbody>
        {tasks.map((task) => (
          <tr key={task.id}>
            <td class="state">
              <TaskStateText task={task} />
            </td>
            <td class="file">
              <bdi>{task.store}</bdi>
            </td>
            <td class="work">
              {workWords(task)}
              {task.schedule === null ? null : (
                <span class="counts">
                  by <bdi>{task.schedule}</bdi>
                </span>
              )}
            </td>
            <td class="bar-cell">
              <TaskOutcomes task={task} />
            </td>
            <td class="when">{whenOf(task)}</td>
            <td class="when">
              <a href={addressOf('task', task.id)}>{task.id}</a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The latest thing that happened to it, or the next. */
function whenOf({ state, queuedAt, notBefore, startedAt, finishedAt }: TaskLine): string {
  if (state === 'queued' && isForLater({ queuedAt, notBefore })) return `begins ${moment(notBefore)}`;
  if (state === 'running' && startedAt !== null) return `began ${moment(startedAt)}`;
  if (state !== 'queued' && finishedAt !== null) return `ended ${moment(finishedAt)}`;
  return `queued ${moment(queuedAt)}`;
}
