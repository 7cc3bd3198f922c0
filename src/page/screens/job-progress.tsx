import type { JobView } from '../../ui/api/index.ts';
import { OutcomeBar, OutcomeLegend } from '../parts/outcomes.tsx';
import { counted, percent, plural, spanText } from '../text.ts';

/** How far a job is, in short: for screens that wait for it. */
export function JobProgress({ job }: { readonly job: JobView }) {
  const { progress, kind } = job;
  const things = kind === 'export' ? 'item' : 'record';
  return (
    <div role="status">
      <p>
        <b>{job.title}</b>{' '}
        <span class="quiet">
          {progress && progress.records > 0
            ? `${progress.part === null ? '' : `${percent(progress.part)}, `}${plural(progress.records, things)}, ${counted(progress.perSecond)} a second${
                progress.secondsLeft === null ? '' : `, ${spanText(progress.secondsLeft * 1000)} left`
              }`
            : 'reading …'}
        </span>
      </p>
      <progress value={progress?.part ?? undefined} max={1} aria-label={job.title} />
      {progress ? (
        <>
          <OutcomeBar
            outcomes={progress.outcomes}
            total={progress.part ? progress.records / progress.part : null}
          />
          <OutcomeLegend outcomes={progress.outcomes} />
        </>
      ) : null}
    </div>
  );
}
