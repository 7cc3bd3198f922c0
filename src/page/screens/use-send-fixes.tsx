import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { JobView, RunView, StartJob, StartView } from '../../ui/api/index.ts';
import { post } from '../client.ts';
import { ShowCommand } from '../parts/command.tsx';
import { Failure, Notice } from '../parts/frame.tsx';
import { addressOf, openScreen } from '../router.ts';
import { plural, storeName } from '../text.ts';
import { useAction } from '../use-action.ts';
import { useJob } from '../use-job.ts';
import { AgreeDialog } from './agree.tsx';
import { JobProgress } from './job-progress.tsx';
import { CauseList, summaryIn } from './summary-parts.tsx';

interface SendFixesOptions {
  readonly run: RunView | undefined;
  readonly corrected: number;
  /** Corrections are on their way to the server: what is sent now would lack them. */
  readonly isSaving: boolean;
  readonly start: StartView;
  readonly reloadStart: () => void;
  /** Called when a check has ended, and the rows have its result. */
  readonly onChecked: () => void;
}

/** Checks the corrected rows, and sends them: the buttons for the bar, and the result for the screen. */
export function useSendFixes({ run, corrected, isSaving, start, reloadStart, onChecked }: SendFixesOptions): {
  readonly buttons: ComponentChildren;
  readonly result: ComponentChildren;
} {
  const [checkId, setCheckId] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const { run: act, failure, isBusy } = useAction();
  if (!run) return { buttons: null, result: null };
  // The sandbox of a run is gone, so its rows go into a new one.
  const target = start.stores.find(({ address }) => address === run.store) ?? start.stores[0];
  const address = target?.address ?? null;
  const send = () =>
    act(async () => {
      const agreed = address === null ? {} : { agreed: address };
      const wanted: StartJob = {
        kind: 'send-fixes',
        run: run.run,
        store: target?.id ?? 'sandbox',
        ...agreed,
      };
      const job = await post<JobView>('/jobs', wanted);
      reloadStart();
      openScreen('job', job.id);
    });
  const check = () => {
    setCheckId(undefined);
    const wanted: StartJob = { kind: 'check-fixes', run: run.run, store: target?.id ?? 'sandbox' };
    act(async () => setCheckId((await post<JobView>('/jobs', wanted)).id));
  };
  const words = `Send ${plural(corrected, 'corrected row')}`;
  const buttons = (
    <>
      <button type="button" disabled={corrected === 0 || isBusy || isSaving} onClick={check}>
        Check again
      </button>
      <button
        type="button"
        class="main"
        disabled={corrected === 0 || isBusy || isSaving}
        onClick={() => (address === null ? send() : setAsking(true))}
      >
        {corrected === 0 ? 'Correct a row first' : `${words} to ${storeName(address)}`}
      </button>
    </>
  );
  const result = (
    <>
      {failure && !isAsking ? (
        <>
          <Failure failure={failure} />
          <p>
            <a href={addressOf('job', 'current')}>Open the latest job</a>
          </p>
        </>
      ) : null}
      {checkId === undefined ? null : (
        <CheckResult key={checkId} id={checkId} onEnd={onChecked} onClose={() => setCheckId(undefined)} />
      )}
      {isAsking && address !== null ? (
        <AgreeDialog
          address={address}
          title={words}
          onAgree={send}
          onClose={() => setAsking(false)}
          isBusy={isBusy}
          failure={failure}
        >
          <p>
            They are sent to <b class="address">{address}</b>. Records that still do not fit are not sent, and
            stay here.
          </p>
        </AgreeDialog>
      ) : null}
    </>
  );
  return { buttons, result };
}

/** The check of the corrected rows, in place. */
function CheckResult({
  id,
  onEnd,
  onClose,
}: {
  readonly id: string;
  readonly onEnd: () => void;
  readonly onClose: () => void;
}) {
  const { job, failure } = useJob(id);
  useEffect(() => {
    if (job?.end) onEnd();
  }, [job?.end !== undefined]);
  const summary = summaryIn(job?.end?.result);
  const { create = 0, update = 0, unchanged = 0 } = summary?.plan?.actions ?? {};
  const fitting = create + update + unchanged;
  const open = (summary?.records ?? 0) - fitting;
  if (failure) return <Failure failure={failure} />;
  if (job?.end?.failure) return <Failure failure={job.end.failure} />;
  if (!summary)
    return (
      <div class="panel">
        {job && !job.end ? <JobProgress job={job} /> : <p>{job ? 'The check was stopped.' : 'Checking …'}</p>}
      </div>
    );
  return (
    <Notice look={open === 0 ? 'good' : 'attention'} role="status">
      <p>
        <b>
          {plural(fitting, 'record')} {fitting === 1 ? 'fits' : 'fit'} now
          {open === 0 ? '' : `, ${plural(open, 'record')} still ${open === 1 ? 'does' : 'do'} not`}.
        </b>{' '}
        Nothing was sent.{' '}
        <button type="button" class="plain" onClick={onClose}>
          Close
        </button>
      </p>
      <CauseList problems={summary.problems} />
      {job ? <ShowCommand command={job.command} /> : null}
    </Notice>
  );
}
