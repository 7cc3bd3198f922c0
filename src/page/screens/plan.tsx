import { useState } from 'preact/hooks';
import type { CommandView, ImportChoice, JobView, StartJob, WorkView } from '../../ui/api/index.ts';
import { get, post } from '../client.ts';
import { AskedCommand } from '../parts/command.tsx';
import { Failure, Loading, Notice, Screen } from '../parts/frame.tsx';
import { addressOf, openScreen } from '../router.ts';
import type { ScreenProps } from '../screen-props.ts';
import { counted, plural, storeName } from '../text.ts';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { AgreeDialog } from './agree.tsx';
import { JobProgress } from './job-progress.tsx';
import { ImportOptionsPanel } from './plan-options.tsx';
import { PlanSummaryView } from './plan-summary.tsx';
import { planSentence, sendCounts, sendWords } from './plan-words.ts';
import { summaryIn } from './summary-parts.tsx';
import { useCheck } from './use-check.ts';
import { WorkSteps } from './work-steps.tsx';
import './plan.css';

/** Checks the whole file, and shows what an import would do before anything is sent. */
export function PlanScreen({ route: [, id = ''], start, reloadStart }: ScreenProps) {
  const [store, setStore] = useState(
    start.stores.find(({ problem }) => problem === undefined)?.id ?? 'sandbox',
  );
  const [choice, setChoice] = useState<ImportChoice>({});
  const [isAsking, setAsking] = useState(false);
  const loaded = useLoad<WorkView>((signal) => get(`/works/${id}`, signal), [id]);
  const work = loaded.value;
  const check = useCheck({ work, store, limit: choice.limit });
  const send = useAction();
  const { job } = check;
  const target = start.stores.find((each) => each.id === store);
  const summary = job?.end?.failure ? undefined : summaryIn(job?.end?.result);
  const words = summary && sendWords(summary, choice, target);
  const importNow = () =>
    send.run(async () => {
      const agreed = target?.address ? { agreed: target.address } : {};
      const seen = work ? { version: work.version } : {};
      const wanted: StartJob = { kind: 'import', work: id, ...seen, store, ...agreed, ...choice };
      const started = await post<JobView>('/jobs', wanted);
      reloadStart();
      openScreen('job', started.id);
    });
  return (
    <Screen
      title="What will happen?"
      steps={<WorkSteps work={id} screen="plan" name={work?.name} />}
      next={
        <>
          <span class="small quiet">Nothing was sent so far.</span>
          <button
            type="button"
            class="main"
            disabled={words === undefined || send.isBusy || target?.problem !== undefined}
            onClick={() => (target?.address ? setAsking(true) : importNow())}
          >
            {words ?? (summary ? 'Nothing to send' : 'Checking first …')}
          </button>
        </>
      }
    >
      {loaded.failure ? <Failure failure={loaded.failure} onRetry={loaded.reload} /> : null}
      {check.failure ? <Failure failure={check.failure} onRetry={check.retry} /> : null}
      {send.failure && !isAsking ? <Failure failure={send.failure} /> : null}
      <div class="plan">
        <div aria-live="polite" aria-busy={summary === undefined}>
          {check.busy ? <Busy job={check.busy} /> : null}
          {!check.busy && !check.failure && !job ? <Loading doing="Starting the check" /> : null}
          {job && !job.end ? <JobProgress job={job} /> : null}
          {job?.end?.failure ? <Failure failure={job.end.failure} onRetry={check.retry} /> : null}
          {job?.end && !job.end.failure && !summary ? (
            <Failure
              failure={{
                message: 'The check was stopped.',
                hints: ['Check again to see what would happen.'],
              }}
              onRetry={check.retry}
            />
          ) : null}
          {summary ? (
            <>
              <p class="answer">{planSentence(summary, choice, target)}</p>
              <PlanSummaryView summary={summary} choice={choice} work={id} />
            </>
          ) : null}
        </div>
        <ImportOptionsPanel
          start={start}
          store={store}
          onStore={setStore}
          choice={choice}
          onChoice={setChoice}
        />
      </div>
      {work && work.resource !== null ? (
        <AskedCommand
          load={() => post<CommandView>(`/works/${id}/command`, { does: 'import', store, ...choice })}
          inputs={[work.version, store, JSON.stringify(choice)]}
        />
      ) : null}
      {isAsking && target?.address && summary && words ? (
        <AgreeDialog
          address={target.address}
          title={words}
          onAgree={importNow}
          onClose={() => setAsking(false)}
          isBusy={send.isBusy}
          failure={send.failure}
        >
          <AgreedFacts
            choice={choice}
            address={target.address}
            count={requestsOf(sendCounts(summary, choice))}
          />
        </AgreeDialog>
      ) : null}
    </Screen>
  );
}

function requestsOf({ create, update, isLeast }: ReturnType<typeof sendCounts>): string {
  return `${isLeast ? 'At least ' : ''}${plural(create + update, 'request')}`;
}

function AgreedFacts({
  choice: { canary },
  address,
  count,
}: {
  readonly choice: ImportChoice;
  readonly address: string;
  readonly count: string;
}) {
  return (
    <>
      <p>
        {count} will be sent to <b class="address">{address}</b>.
      </p>
      {canary === undefined ? null : (
        <p>The first {counted(canary)} are sent alone; then you are asked about the rest.</p>
      )}
      <p>
        You can stop at any moment. An undo puts created records into the trash of {storeName(address)}. What
        was updated stays.
      </p>
    </>
  );
}

/** Another job keeps the check from beginning. */
function Busy({ job }: { readonly job: JobView }) {
  return (
    <Notice look="attention" role="status">
      <p>
        Another job is in progress: <a href={addressOf('job', job.id)}>{job.title}</a>.
      </p>
      <p>The check begins when that job has ended. You can stay on this page.</p>
    </Notice>
  );
}
