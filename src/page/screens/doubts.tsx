import { useState } from 'preact/hooks';
import type { DoubtsView, DoubtView, JobView, RunView } from '../../ui/api/index.ts';
import { get, post } from '../client.ts';
import { ShowCommand } from '../parts/command.tsx';
import { DoubtRow, useNextDoubt } from '../parts/doubt-row.tsx';
import { Empty, Failure, Screen, WhenLoaded } from '../parts/frame.tsx';
import { Mark } from '../parts/mark.tsx';
import { NoneThere } from '../parts/none-there.tsx';
import { ReleasedRuns } from '../parts/released-runs.tsx';
import { openScreen } from '../router.ts';
import type { ScreenProps } from '../screen-props.ts';
import { counted, plural } from '../text.ts';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { RunTabs } from './run-tabs.tsx';
import './runs.css';

/** Records that were sent and whose answer was lost: a person says whether they are in the store. */
export function DoubtsScreen({ route: [, id = ''] }: ScreenProps) {
  const run = useLoad<RunView>((signal) => get(`/runs/${id}`, signal), [id]);
  const loaded = useLoad<DoubtsView>((signal) => get(`/runs/${id}/doubts`, signal), [id]);
  const { run: act, failure, isBusy } = useAction();
  const [isAll, setAll] = useState(false);
  const settle = (answers: readonly (DoubtView & { readonly id: string | null })[]) =>
    act(async () => {
      const body = { answers: answers.map(({ code: _, ...answer }) => answer) };
      loaded.replace(await post<DoubtsView>(`/runs/${id}/doubts`, body));
      run.reload();
    });
  const ask = () =>
    act(async () => {
      const job = await post<JobView>('/jobs', {
        kind: 'ask-store',
        run: id,
        agreed: run.value?.store ?? '',
      });
      openScreen('job', job.id);
    });
  const doubts = loaded.value?.doubts ?? [];
  const { table, onAnswered } = useNextDoubt(loaded.value);
  const hasFailed = (run.value?.outcomes.failed ?? 0) > 0;
  return (
    <Screen
      title="Are these records in the store?"
      about="They were sent, and the answer was lost. They are not sent again on a guess."
      steps={
        <RunTabs run={id} screen="doubts" returned={run.value?.returned} inDoubt={loaded.value?.total} />
      }
      next={
        loaded.value && loaded.value.total > 0 ? (
          <>
            <button type="button" disabled={isBusy} onClick={() => setAll(true)}>
              None of these is there
            </button>
            {loaded.value.canAsk ? (
              <button type="button" class="main" disabled={isBusy} onClick={ask}>
                Ask the store
              </button>
            ) : null}
          </>
        ) : undefined
      }
    >
      {failure ? <Failure failure={failure} /> : null}
      <ReleasedRuns released={loaded.value?.released} screen="run" />
      <WhenLoaded loaded={loaded} doing="Reading the ledger">
        {({ total, command }) =>
          total === 0 ? (
            <Empty>
              <p>Nothing is in doubt.</p>
              {hasFailed ? (
                <p>
                  Records that are not in the store can be sent:{' '}
                  <button type="button" onClick={() => openScreen('run', id)}>
                    Open the run
                  </button>
                </p>
              ) : null}
            </Empty>
          ) : (
            <>
              <p>
                <Mark look="doubt" />
                {plural(total, 'record')}. Look for each in the store.
              </p>
              <table class="runs doubts" ref={table}>
                <thead>
                  <tr>
                    <th scope="col">Row</th>
                    <th scope="col">Key</th>
                    <th scope="col">Why</th>
                    <th scope="col">Your answer</th>
                  </tr>
                </thead>
                <tbody>
                  {doubts.map((doubt, n) => (
                    <DoubtRow
                      key={`${doubt.file} ${doubt.row} ${doubt.key}`}
                      doubt={doubt}
                      onAnswer={(found) => {
                        onAnswered(n);
                        settle([{ ...doubt, id: found }]);
                      }}
                      isBusy={isBusy}
                    />
                  ))}
                </tbody>
              </table>
              {total > doubts.length ? (
                <p class="quiet">
                  The first {counted(doubts.length)} are shown. in-doubt.csv has all: fill in its last column.
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
          advice="They can then be sent again. One that is there after all would be there twice."
          onClose={() => setAll(false)}
          onYes={() => settle(doubts.map((doubt) => ({ ...doubt, id: null })))}
        />
      ) : null}
    </Screen>
  );
}
