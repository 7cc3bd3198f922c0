import { API_BASE, type RunView } from '../../ui/api/index.ts';
import { get } from '../client.ts';
import { CommandText, ShowCommand } from '../parts/command.tsx';
import { Notice, Screen, WhenLoaded } from '../parts/frame.tsx';
import { OutcomeBar, OutcomeLegend } from '../parts/outcomes.tsx';
import { addressOf } from '../router.ts';
import type { ScreenProps } from '../screen-props.ts';
import { moment, spanText } from '../text.ts';
import { useLoad } from '../use-load.ts';
import { actionWords, useRunActions } from './use-run-actions.tsx';
import './runs.css';

/** One run: its books, its reports, and what can be done about it. */
export function RunScreen({ route: [, id = ''], start, reloadStart }: ScreenProps) {
  const loaded = useLoad<RunView>((signal) => get(`/runs/${id}`, signal), [id]);
  const run = loaded.value;
  const live = start.job && start.job.run === id && start.job.state !== 'ended' ? start.job : undefined;
  return (
    <Screen
      title={run?.sentence ?? `Run ${id}`}
      about={
        run
          ? `Run ${run.run}, ${run.state}. Began ${moment(run.startedAt)}, took ${spanText(run.durationMs)}.`
          : undefined
      }
    >
      {live ? (
        <Notice look="attention" role="status">
          <p>
            This run is in progress: <a href={addressOf('job', live.id)}>{live.title}</a>.
          </p>
        </Notice>
      ) : null}
      <WhenLoaded loaded={loaded} doing="Reading the ledger">
        {(view) => <ShownRunParts view={view} reloadStart={reloadStart} />}
      </WhenLoaded>
    </Screen>
  );
}

function ShownRunParts({ view, reloadStart }: { readonly view: RunView; readonly reloadStart: () => void }) {
  const { outcomes, stopped, records, state } = view;
  return (
    <>
      <OutcomeBar outcomes={outcomes} total={records} />
      <OutcomeLegend outcomes={outcomes} />
      {stopped === null ? null : (
        <Notice look="attention">
          <p>
            <b>Stopped before the end:</b> {stopped}
          </p>
        </Notice>
      )}
      <h2>What can be done</h2>
      {view.actions.length > 0 ? (
        <RunActionList view={view} reloadStart={reloadStart} />
      ) : (
        <p class="quiet">{state === 'running' ? 'The run must end first.' : 'Nothing is left to do.'}</p>
      )}
      <div class="run-about">
        <section>
          <h2>Reports</h2>
          <Reports view={view} />
        </section>
        <section>
          <h2>Facts</h2>
          <RunFacts view={view} />
        </section>
      </div>
      <Steps view={view} />
    </>
  );
}

function RunActionList({ view, reloadStart }: { readonly view: RunView; readonly reloadStart: () => void }) {
  const { choose, dialog } = useRunActions(view, reloadStart);
  return (
    <>
      <ul class="run-actions">
        {view.actions.map((action, n) => (
          <li key={action.kind}>
            <button
              type="button"
              class={n === 0 && action.kind !== 'undo' ? 'main' : ''}
              onClick={() => choose(action)}
            >
              {actionWords(action, view)}
            </button>
            <p>{action.effect}</p>
            <ShowCommand command={action.command} />
          </li>
        ))}
      </ul>
      {dialog}
    </>
  );
}

function RunFacts({ view: { store, files, mapping, mode, out } }: { readonly view: RunView }) {
  return (
    <dl class="facts">
      <dt>Store</dt>
      <dd>{store}</dd>
      <dt>{files.length === 1 ? 'File' : 'Files'}</dt>
      <dd>
        {files.map((file) => (
          <div key={file}>
            <bdi>{file}</bdi>
          </div>
        ))}
      </dd>
      <dt>Mapping</dt>
      <dd>
        <bdi>{mapping}</bdi>
      </dd>
      <dt>Mode</dt>
      <dd>{mode}</dd>
      <dt>Folder of the reports</dt>
      <dd>
        <bdi>{out}</bdi>
      </dd>
    </dl>
  );
}

/** What each report is for. */
const REPORT_WORDS: Readonly<Record<string, string>> = {
  'report.html': 'The report for people: opens in a new tab',
  results: 'each record with its outcome and identifier',
  errors: 'the rows that did not arrive, as they were, with the reason',
  'in-doubt': 'the records whose answer was lost',
  'summary.json': 'the figures, for programs',
};

function Reports({ view }: { readonly view: RunView }) {
  const { run, reportCommand, reportFiles: files } = view;
  if (files.length === 0)
    return (
      <>
        <p class="quiet">Its folder is gone. The ledger can write the reports again:</p>
        <CommandText command={reportCommand} />
      </>
    );
  return (
    <ul class="reports">
      {[...files]
        .sort((a, b) => order(a) - order(b))
        .map((name) => (
          <li key={name}>
            <a
              href={`${API_BASE}/runs/${encodeURIComponent(run)}/files/${encodeURIComponent(name)}`}
              target="_blank"
              rel="noopener"
            >
              {name}
            </a>
            <span class="small quiet">{REPORT_WORDS[name] ?? REPORT_WORDS[name.replace(/\.\w+$/, '')]}</span>
          </li>
        ))}
    </ul>
  );
}

/** The report for people first, and what is for programs last. */
function order(name: string): number {
  return name === 'report.html' ? 0 : name === 'summary.json' ? 2 : 1;
}

function Steps({ view: { steps } }: { readonly view: RunView }) {
  if (steps.length === 0) return null;
  return (
    <details>
      <summary>The next steps on the command line</summary>
      {steps.map(({ text, command }) => (
        <div key={text}>
          <p class="small">{text}</p>
          {command === undefined ? null : <CommandText command={command} />}
        </div>
      ))}
    </details>
  );
}
