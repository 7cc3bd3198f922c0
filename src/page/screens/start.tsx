import { useEffect, useState } from 'preact/hooks';
import type { StartView, WorkLine, WorkView } from '../../ui/api/index.ts';
import { post, request } from '../client.ts';
import { Failure, Screen } from '../parts/frame.tsx';
import { Mark } from '../parts/mark.tsx';
import { OutcomeBar, OutcomeLegend } from '../parts/outcomes.tsx';
import { addressOf, openScreen } from '../router.ts';
import type { ScreenProps } from '../screen-props.ts';
import { moment, plural } from '../text.ts';
import { useAction } from '../use-action.ts';
import { DropFile } from './drop-file.tsx';
import './start.css';

/** The first screen: drop a file, or go on with an earlier one. */
export function StartScreen({ start, reloadStart }: ScreenProps) {
  useEffect(reloadStart, []);
  return (
    <Screen title="Which file do you want to import?">
      <DropFile onOpened={reloadStart} />
      <OpenPath folder={start.folder} />
      <div class="halves">
        <div>
          <Works works={start.works} onRemoved={reloadStart} />
          <Exports exports={start.exports} />
        </div>
        <div>
          <Runs runs={start.runs} />
          <Stores stores={start.stores} />
        </div>
      </div>
    </Screen>
  );
}

function OpenPath({ folder }: { readonly folder: string }) {
  const [path, setPath] = useState('');
  const { run, failure, isBusy } = useAction();
  return (
    <form
      class="path"
      onSubmit={(event) => {
        event.preventDefault();
        run(async () => {
          const { id } = await post<WorkView>('/works', { path: path.trim() });
          openScreen('work', id, 'file');
        });
      }}
    >
      <div class="row">
        <label class="field">
          <span>
            Or open a file by its path below <bdi>{folder}</bdi>
          </span>
          <input
            value={path}
            onInput={(event) => setPath(event.currentTarget.value)}
            placeholder="exports/products.csv"
            spellcheck={false}
          />
        </label>
        <button type="submit" disabled={isBusy || path.trim() === ''}>
          Open
        </button>
      </div>
      {failure ? <Failure failure={failure} /> : null}
    </form>
  );
}

function Works({
  works,
  onRemoved,
}: {
  readonly works: readonly WorkLine[];
  readonly onRemoved: () => void;
}) {
  const { run, failure } = useAction();
  return (
    <section>
      <h2>Recent files</h2>
      {failure ? <Failure failure={failure} /> : null}
      {works.length === 0 ? <p class="quiet">None yet. A file that you open is listed here.</p> : null}
      <ul class="list">
        {works.slice(0, 10).map((work) => (
          <li key={work.id}>
            <span class="grow">
              <a href={addressOf('work', work.id, 'file')}>
                <bdi>{work.name}</bdi>
              </a>{' '}
              <span class="quiet small">
                {work.resource ?? 'not recognised'}, {moment(work.changedAt)}
              </span>
            </span>
            <button
              type="button"
              class="plain"
              aria-label={`Remove ${work.name} from the list`}
              onClick={() =>
                run(async () => {
                  await request('DELETE', `/works/${work.id}`);
                  onRemoved();
                })
              }
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Runs({ runs }: Pick<StartView, 'runs'>) {
  return (
    <section>
      <h2>Latest runs</h2>
      {runs.length === 0 ? <p class="quiet">None yet. A check or an import is listed here.</p> : null}
      <ul class="list">
        {runs.slice(0, 5).map((run) => (
          <li key={run.run}>
            <span class="grow">
              <a href={addressOf('run', run.run)}>
                {plural(run.records, 'record')} of {run.resource}
              </a>{' '}
              <span class="quiet small">
                into {run.store}, {run.state}, {moment(run.startedAt)}
              </span>
              <OutcomeBar outcomes={run.outcomes} total={run.records} />
              <OutcomeLegend outcomes={run.outcomes} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Stores({ stores }: Pick<StartView, 'stores'>) {
  return (
    <section>
      <h2>Stores</h2>
      <ul class="list">
        {stores.map(({ id, title, address, problem, rate }) => (
          <li key={id}>
            <span class="grow">
              <Mark look={problem === undefined ? 'good' : 'attention'} />
              <bdi>{title}</bdi>{' '}
              <span class="quiet small">
                {problem !== undefined
                  ? `cannot be used yet: ${problem}`
                  : (address ?? 'For trying things out: it ends with the run.')}
                {rate === undefined ? '' : ` It took ${plural(rate, 'request')} a second in an earlier run.`}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Exports({ exports }: Pick<StartView, 'exports'>) {
  return (
    <section>
      <h2>Exports</h2>
      {exports.length === 0 ? (
        <p class="quiet">
          None yet. <a href={addressOf('exports')}>Export reviews, checkouts, images or products</a>
        </p>
      ) : null}
      <ul class="list">
        {exports.slice(0, 5).map((line) => (
          <li key={line.file}>
            <span class="grow">
              <bdi>{line.file}</bdi>{' '}
              <span class="quiet small">
                {plural(line.items, 'item')} of {line.resource}, {moment(line.at)}
                {line.exists ? '' : ', the file is gone'}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
