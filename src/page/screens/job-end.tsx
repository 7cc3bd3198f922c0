import type { ComponentChildren } from 'preact';
import { API_BASE, type JobEnd, type JobView, type RunView } from '../../ui/api/index.ts';
import { get } from '../client.ts';
import { ShowCommand } from '../parts/command.tsx';
import { Failure, Notice, Screen } from '../parts/frame.tsx';
import { OutcomeBar, OutcomeLegend } from '../parts/outcomes.tsx';
import { addressOf, openScreen } from '../router.ts';
import { spanText } from '../text.ts';
import { useLoad } from '../use-load.ts';
import { endSentence, exportNotes } from './job-end-words.ts';
import { JobLog } from './job-log.tsx';
import { storeOfJob } from './job-state.tsx';
import { CauseList, FindingList, type ShownSummary, summaryIn } from './summary-parts.tsx';
import { actionWords, useRunActions } from './use-run-actions.tsx';

interface EndedJobProps {
  readonly job: JobView;
  readonly end: JobEnd;
  readonly reloadStart: () => void;
}

const CHECKS: readonly JobView['kind'][] = ['check', 'check-fixes'];

/** The end of a job: one sentence, its outcomes and causes, and the next steps as buttons. */
export function EndedJob({ job, end, reloadStart }: EndedJobProps) {
  const summary = summaryIn(end.result);
  // A command about an earlier run has its name in the summary only.
  const run = CHECKS.includes(job.kind) ? undefined : (job.run ?? summary?.run);
  const loaded = useLoad<RunView | undefined>(
    async (signal) => (run === undefined ? undefined : get<RunView>(`/runs/${run}`, signal)),
    [run],
  );
  const view = loaded.value;
  const store = storeOfJob(job);
  // The sentence of a run comes with it: another one would be read aloud first.
  const isComing = run !== undefined && !view && !loaded.failure;
  const sentence = isComing ? undefined : endSentence(job, end, view);
  const { choose, dialog } = useRunActions(view, reloadStart);
  const actions = view?.actions.filter(({ kind }) => kind !== 'undo') ?? [];
  return (
    <Screen
      title={job.title}
      tab={`${end.failure ? 'Failed' : 'Done'}: ${job.title}`}
      about={[
        `Ended after ${spanText(job.elapsedMs)}`,
        ...(store === undefined ? [] : [store]),
        ...(view ? [`run ${view.run}`] : []),
      ].join(' · ')}
      next={
        <>
          <span class="small quiet">
            Exit code {end.exitCode}: {end.meaning}.
          </span>
          {run === undefined ? (
            <OtherButtons job={job} />
          ) : (
            <>
              {actions.length === 0 ? (
                <button type="button" class="main" onClick={() => openScreen('run', run)}>
                  Open the run
                </button>
              ) : null}
              {view
                ? [...actions].reverse().map((action) => (
                    <button
                      key={action.kind}
                      type="button"
                      class={action === actions[0] ? 'main' : ''}
                      onClick={() => choose(action)}
                    >
                      {actionWords(action, view)}
                    </button>
                  ))
                : null}
            </>
          )}
        </>
      }
    >
      <div role="status">{sentence === undefined ? null : <p class="answer">{sentence}</p>}</div>
      {end.failure ? <Failure failure={end.failure} /> : null}
      {summary?.stopped ? (
        <Notice look="attention">
          <p>
            <b>Stopped before the end:</b> {summary.stopped.message}
          </p>
        </Notice>
      ) : null}
      {summary ? <Books summary={summary} isCheck={CHECKS.includes(job.kind)} /> : null}
      {job.kind === 'export' && end.result ? <Notes lines={exportNotes(end.result)} /> : null}
      {job.kind === 'auth-check' && end.result ? <Facts result={end.result} /> : null}
      {loaded.failure ? <Failure failure={loaded.failure} onRetry={loaded.reload} /> : null}
      {view ? <RunLinks view={view} /> : null}
      <JobLog log={job.log} />
      <ShowCommand command={job.command} />
      {dialog}
    </Screen>
  );
}

function RunLinks({ view: { run, reportFiles: files } }: { readonly view: RunView }) {
  return (
    <p class="row">
      {files.includes('report.html') ? (
        <a
          class="button"
          href={`${API_BASE}/runs/${encodeURIComponent(run)}/files/report.html`}
          target="_blank"
          rel="noopener"
        >
          Open the report
        </a>
      ) : null}
      <a class="button" href={addressOf('run', run)}>
        Open the run
      </a>
    </p>
  );
}

function Books({ summary, isCheck }: { readonly summary: ShownSummary; readonly isCheck: boolean }) {
  const { findings: doubtful = [] } = summary;
  return (
    <>
      <OutcomeBar outcomes={summary.outcomes} />
      <OutcomeLegend outcomes={summary.outcomes} />
      {doubtful.length > 0 ? (
        <>
          <h2>Valid, and probably not meant</h2>
          <FindingList findings={doubtful} />
        </>
      ) : null}
      {summary.problems.length > 0 ? (
        <>
          <h2>{isCheck ? 'What does not fit' : 'What did not arrive'}</h2>
          <CauseList problems={summary.problems} />
        </>
      ) : null}
    </>
  );
}

function OtherButtons({ job }: { readonly job: JobView }) {
  const { work } = job;
  const target: readonly [string, readonly string[]] =
    job.kind === 'export'
      ? ['See all exports', ['exports']]
      : work === undefined
        ? ['Go to the start', []]
        : ['Go to the plan', ['work', work, 'plan']];
  return (
    <button type="button" class="main" onClick={() => openScreen(...target[1])}>
      {target[0]}
    </button>
  );
}

function Notes({ lines }: { readonly lines: readonly string[] }): ComponentChildren {
  if (lines.length === 0) return null;
  return (
    <Notice look="attention">
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** The result of a small command, as it is. */
function Facts({ result }: { readonly result: Readonly<Record<string, unknown>> }) {
  const facts = Object.entries(result).filter(
    ([name, value]) => name !== 'exit_code' && value !== null && typeof value !== 'object',
  );
  return (
    <dl class="facts">
      {facts.map(([name, value]) => [
        <dt key={name}>{name.replaceAll('_', ' ')}</dt>,
        <dd key={`${name} is`}>{String(value)}</dd>,
      ])}
    </dl>
  );
}
