import { useEffect, useState } from 'preact/hooks';
import { type ControlJob, type JobView, PAUSABLE_JOBS } from '../../ui/api/index.ts';
import { get, post } from '../client.ts';
import { ShowCommand } from '../parts/command.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Empty, Failure, Loading, Screen } from '../parts/frame.tsx';
import { addressOf } from '../router.ts';
import type { ScreenProps } from '../screen-props.ts';
import { percent, spanText } from '../text.ts';
import { useAction } from '../use-action.ts';
import { type FollowedJob, useJob } from '../use-job.ts';
import { EndedJob } from './job-end.tsx';
import { JobFigures } from './job-figures.tsx';
import { JobLog } from './job-log.tsx';
import { JobQuestion } from './job-question.tsx';
import { JobAnnouncer, JobBand, storeOfJob } from './job-state.tsx';
import { StripChart } from './strip-chart.tsx';
import './job.css';

/** A job that runs or has run: how far it is, and what can be done. `current` stands for the latest. */
export function JobScreen({ route: [, id = ''], reloadStart }: ScreenProps) {
  const [latest, setLatest] = useState<string | null>();
  useEffect(() => {
    if (id === 'current')
      get<JobView | null>('/jobs/current').then(
        (job) => setLatest(job?.id ?? null),
        () => setLatest(null),
      );
  }, [id]);
  const followed = useJob(id === 'current' ? (latest ?? undefined) : id);
  const { job, failure } = followed;
  const isEnded = job?.state === 'ended';
  useEffect(() => {
    if (isEnded) reloadStart();
  }, [isEnded]);
  if (id === 'current' && latest === null)
    return (
      <Screen title="No job is in progress">
        <Empty>
          <p>
            <a href={addressOf()}>Open a file</a> or <a href={addressOf('runs')}>a run</a> to start one.
          </p>
        </Empty>
      </Screen>
    );
  if (isEnded && job.end) return <EndedJob job={job} end={job.end} reloadStart={reloadStart} />;
  if (failure) return <LostJob followed={followed} />;
  if (job) return <RunningJob job={job} isConnected={followed.isConnected} />;
  return (
    <Screen title="Job">
      <Loading
        doing={followed.isConnected ? 'Looking for the job' : 'storeport does not answer; trying again'}
      />
    </Screen>
  );
}

/** The server answers, and does not know the job: it was started again, or the page has no key to it any more. */
function LostJob({ followed: { job, failure } }: { readonly followed: FollowedJob }) {
  const run = job?.run;
  return (
    <Screen title={job ? `${job.title}: not known any more` : 'This job is not known any more'}>
      {failure ? <Failure failure={failure} /> : null}
      <p>
        Jobs are forgotten when storeport ui ends. Runs are not:{' '}
        {run === undefined ? (
          <a href={addressOf('runs')}>see all runs</a>
        ) : (
          <a href={addressOf('run', run)}>see what this one did</a>
        )}
        . A run that was cut off can be resumed there.
      </p>
    </Screen>
  );
}

function RunningJob({ job, isConnected }: { readonly job: JobView; readonly isConnected: boolean }) {
  const { progress, elapsedMs } = job;
  const store = storeOfJob(job);
  const { run, failure } = useAction();
  const [isStopping, setStopping] = useState(false);
  const control = (wanted: ControlJob) => run(() => post(`/jobs/${job.id}/control`, wanted));
  const part = progress?.part ?? null;
  return (
    <Screen
      title={job.title}
      tab={part === null ? job.title : `${percent(part)} ${job.title}`}
      about={[`Started ${spanText(elapsedMs)} ago`, ...(store === undefined ? [] : [store])].join(' · ')}
      next={<Controls job={job} control={control} onStop={() => setStopping(true)} />}
    >
      <JobAnnouncer job={job} isConnected={isConnected} />
      {failure ? <Failure failure={failure} /> : null}
      {job.question ? (
        <JobQuestion key={job.question.text} job={job} control={control} />
      ) : (
        <JobBand job={job} isConnected={isConnected} />
      )}
      {progress ? (
        <>
          <JobFigures job={job} progress={progress} />
          <StripChart progress={progress} things={job.kind === 'export' ? 'Items' : 'Records'} />
        </>
      ) : job.question ? null : (
        <Loading doing="Reading" />
      )}
      <JobLog log={job.log} />
      <ShowCommand command={job.command} />
      {isStopping ? (
        <Dialog
          title="Stop this job?"
          onClose={() => setStopping(false)}
          buttons={
            <>
              <button type="button" onClick={() => setStopping(false)}>
                Keep it running
              </button>
              <button
                type="button"
                class="main"
                onClick={() => {
                  setStopping(false);
                  control({ action: 'stop' });
                }}
              >
                Stop it
              </button>
            </>
          }
        >
          <p>{STOP_EFFECT[job.kind] ?? 'What was sent stays, and the run can be resumed later.'}</p>
        </Dialog>
      ) : null}
    </Screen>
  );
}

const NOTHING_SENT = 'Nothing was sent, so nothing is lost.';
const STOP_EFFECT: Readonly<Partial<Record<JobView['kind'], string>>> = {
  check: NOTHING_SENT,
  'check-fixes': NOTHING_SENT,
  'auth-check': NOTHING_SENT,
  'ask-store': 'What is settled stays settled.',
  export: 'The file is not written. An earlier file of this name stays as it is.',
};

function Controls({
  job,
  control,
  onStop,
}: {
  readonly job: JobView;
  readonly control: (wanted: ControlJob) => void;
  readonly onStop: () => void;
}) {
  const canPause = PAUSABLE_JOBS.includes(job.kind);
  return (
    <>
      <span class="small quiet">You can close this page: the job continues.</span>
      <button type="button" disabled={job.state === 'stopping'} onClick={onStop}>
        Stop
      </button>
      {canPause && job.state === 'running' ? (
        <button type="button" onClick={() => control({ action: 'pause' })}>
          Pause
        </button>
      ) : null}
      {job.state === 'paused' ? (
        <button type="button" class="main" onClick={() => control({ action: 'continue' })}>
          Continue
        </button>
      ) : null}
    </>
  );
}
