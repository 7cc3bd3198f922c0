import { useState } from 'preact/hooks';
import type { SettleTaskDoubts, TaskDoubtsView, TaskPageView } from '../../fleet/serve/api.ts';
import { post } from '../client.ts';
import { CommandText, ShowCommand } from '../parts/command.tsx';
import { DoubtCells, DoubtRow, useNextDoubt } from '../parts/doubt-row.tsx';
import { Empty, Failure, Notice, Screen, WhenLoaded } from '../parts/frame.tsx';
import { NoneThere } from '../parts/none-there.tsx';
import { ReleasedRuns } from '../parts/released-runs.tsx';
import { addressOf } from '../router.ts';
import { counted, moment, plural } from '../text.ts';
import { useAction } from '../use-action.ts';
import type { FleetScreenProps } from './fleet-props.ts';
import { workWords } from './task-words.tsx';
import { isSignedOut, useLive } from './use-live.ts';

type Answers = SettleTaskDoubts['answers'];

/** Records of a task whose answer was lost: an operator says whether they are in the store. */
export function TaskDoubtsScreen({ route: [, id = ''], session, onSignedOut }: FleetScreenProps) {
  const path = `/tasks/${encodeURIComponent(id)}`;
  const task = useLive<TaskPageView>(path, [], onSignedOut);
  const loaded = useLive<TaskDoubtsView>(`${path}/doubts`, [], onSignedOut);
  const { run, failure, isBusy } = useAction();
  const [isAll, setAll] = useState(false);
  const settle = (answers: Answers) =>
    run(async () => {
      try {
        loaded.replace(await post<TaskDoubtsView>(`${path}/doubts`, { answers } satisfies SettleTaskDoubts));
      } catch (error) {
        if (isSignedOut(error)) onSignedOut();
        throw error;
      }
    });
  const { table, onAnswered } = useNextDoubt(loaded.value?.total);
  const view = loaded.value;
  const doubts = view?.doubts ?? [];
  const isOperator = session.role === 'operator';
  const canBeAbsent = view?.until === null;
  return (
    <Screen
      title="Are these records in the store?"
      about={
        <>
          They were sent, and the answer was lost. They are not sent again on a guess.{' '}
          <a href={addressOf('task', id)}>
            {task.value ? `The ${workWords(task.value)} at ${task.value.store}` : 'The task'}
          </a>
        </>
      }
      next={
        isOperator && doubts.length > 0 ? (
          <button type="button" disabled={isBusy || !canBeAbsent} onClick={() => setAll(true)}>
            None of these is there
          </button>
        ) : undefined
      }
    >
      {failure ? <Failure failure={failure} /> : null}
      <ReleasedRuns released={loaded.value?.released} screen="task" />
      <WhenLoaded loaded={loaded} doing="Reading the ledger">
        {({ total, until, workers, endedCommands, files, command }) =>
          total === 0 ? (
            <Empty>
              <p>Nothing is in doubt.</p>
              <p>
                Records that are not in the store are sent by a retry of{' '}
                <a href={addressOf('task', id)}>the task</a>.
              </p>
            </Empty>
          ) : (
            <>
              {until === null ? null : (
                <Notice look="attention">
                  <p>
                    {workers.length === 1 ? 'A lost worker' : `${workers.length} lost workers`} may still send
                    them until {moment(until)}. Until then, "it is not there" is no answer. If the process or
                    machine of {workers.length === 1 ? 'it' : 'each'} is gone for sure, say so:
                  </p>
                  {endedCommands.map((ended) => (
                    <CommandText key={ended} command={ended} />
                  ))}
                </Notice>
              )}
              <p>{plural(total, 'record')}. Look for each in the store.</p>
              <table class="runs doubts" ref={table}>
                <thead>
                  <tr>
                    <th scope="col">Row</th>
                    <th scope="col">Key</th>
                    <th scope="col">Why</th>
                    {isOperator ? <th scope="col">Your answer</th> : null}
                  </tr>
                </thead>
                <tbody>
                  {doubts.map((doubt, n) => {
                    const { code, ...name } = doubt;
                    const key = `${doubt.file} ${doubt.row} ${doubt.key}`;
                    return isOperator ? (
                      <DoubtRow
                        key={key}
                        doubt={doubt}
                        onAnswer={(found) => {
                          onAnswered(n);
                          settle([{ ...name, id: found }]);
                        }}
                        isBusy={isBusy}
                        canBeAbsent={canBeAbsent}
                      />
                    ) : (
                      <tr key={key}>
                        <DoubtCells doubt={doubt} />
                      </tr>
                    );
                  })}
                </tbody>
              </table>
              {total > doubts.length ? (
                <p class="quiet">
                  The first {counted(doubts.length)} are shown.{' '}
                  {files.length === 0
                    ? 'On the command line, fleet resolve lists all.'
                    : `Of the files of the task, ${files.join(' and ')} ${files.length === 1 ? 'has' : 'have'} all.`}
                </p>
              ) : null}
              <ShowCommand command={command} />
            </>
          )
        }
      </WhenLoaded>
      {isAll ? (
        <NoneThere
          count={doubts.length}
          advice="A retry can then send them again. One that is there after all would be there twice."
          onClose={() => setAll(false)}
          onYes={() => settle(doubts.map(({ code: _, ...name }) => ({ ...name, id: null })))}
        />
      ) : null}
    </Screen>
  );
}
