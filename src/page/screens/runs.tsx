import { useState } from 'preact/hooks';
import type { RunLine, RunsView } from '../../ui/api/index.ts';
import { get } from '../client.ts';
import { ShowCommand } from '../parts/command.tsx';
import { Empty, Screen, WhenLoaded } from '../parts/frame.tsx';
import { countsInOrder, Mark, type MarkLook } from '../parts/mark.tsx';
import { OutcomeBar } from '../parts/outcomes.tsx';
import { addressOf } from '../router.ts';
import type { ScreenProps } from '../screen-props.ts';
import { counted, moment, plural, storeName } from '../text.ts';
import { useLoad } from '../use-load.ts';
import { singularOf } from './plan-words.ts';
import './runs.css';

const PAGE = 50;

/** All runs of the ledger, those of the command line too. */
export function RunsScreen(_props: ScreenProps) {
  const [from, setFrom] = useState(0);
  const loaded = useLoad<RunsView>((signal) => get(`/runs?from=${from}&count=${PAGE}`, signal), [from]);
  const turn = (to: number) => {
    setFrom(Math.max(0, to));
    scrollTo(0, 0);
  };
  return (
    <Screen title="What was imported?" about="All runs, those of the command line too; the latest first.">
      <WhenLoaded loaded={loaded} doing="Reading the ledger">
        {({ total, runs, command }) =>
          total === 0 ? (
            <Empty>
              <p>There is no run yet.</p>
              <p>
                <a href={addressOf()}>Open a file</a> to make the first one. A sandbox is there to try it.
              </p>
            </Empty>
          ) : (
            <>
              <RunTable runs={runs} />
              {total > PAGE ? (
                <nav class="pager" aria-label="Pages of runs">
                  <button type="button" disabled={from === 0} onClick={() => turn(from - PAGE)}>
                    Later runs
                  </button>
                  <span>
                    {counted(from + 1)} to {counted(Math.min(from + PAGE, total))} of {counted(total)}
                  </span>
                  <button type="button" disabled={from + PAGE >= total} onClick={() => turn(from + PAGE)}>
                    Earlier runs
                  </button>
                </nav>
              ) : null}
              <ShowCommand command={command} />
            </>
          )
        }
      </WhenLoaded>
    </Screen>
  );
}

function RunTable({ runs }: { readonly runs: readonly RunLine[] }) {
  return (
    <table class="runs">
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">File</th>
          <th scope="col">Store</th>
          <th scope="col" class="number">
            Records
          </th>
          <th scope="col">Outcomes</th>
          <th scope="col">Began</th>
          <th scope="col">Run</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <RunRow key={run.run} run={run} />
        ))}
      </tbody>
    </table>
  );
}

/** Shape and word of a state: a stopped run needs somebody. */
export function lookOfRun({ state, outcomes }: Pick<RunLine, 'state' | 'outcomes'>): MarkLook {
  if (state === 'running') return 'even';
  if (state !== 'done') return 'attention';
  if ((outcomes['in-doubt'] ?? 0) > 0) return 'doubt';
  const open = ['invalid', 'rejected', 'failed', 'unsent'].some((word) => (outcomes[word] ?? 0) > 0);
  return open ? 'wrong' : 'good';
}

const STATE_WORDS: Readonly<Record<MarkLook, string>> = {
  good: 'done',
  even: 'running',
  attention: 'stopped',
  doubt: 'done, in doubt',
  wrong: 'done, rows left',
};

function RunRow({ run }: { readonly run: RunLine }) {
  const { records, resource, files, store, outcomes, startedAt } = run;
  const look = lookOfRun(run);
  return (
    <tr>
      <td class="state">
        <Mark look={look} />
        {STATE_WORDS[look]}
      </td>
      <td class="file">
        <bdi>{files.join(', ')}</bdi>
      </td>
      <td class="store-name">{storeName(store)}</td>
      <td class="number">{plural(records, singularOf(resource), resource)}</td>
      <td class="bar-cell">
        <OutcomeBar outcomes={outcomes} />
        <span class="counts">
          {countsInOrder(outcomes)
            .map(({ outcome, count }) => `${counted(count)} ${outcome}`)
            .join(', ')}
        </span>
      </td>
      <td class="when">{moment(startedAt)}</td>
      <td class="when">
        <a href={addressOf('run', run.run)}>{run.run}</a>
      </td>
    </tr>
  );
}
