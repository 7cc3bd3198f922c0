import type { JobView, ProgressView } from '../../ui/api/index.ts';
import { OutcomeBar, OutcomeLegend } from '../parts/outcomes.tsx';
import { counted, percent, plural, spanText } from '../text.ts';

/** How far a job is, how fast, and how the records end. */
export function JobFigures({ job, progress }: { readonly job: JobView; readonly progress: ProgressView }) {
  const { records, total, part, outcomes, perSecond, secondsLeft } = progress;
  const all = total ?? (part ? records / part : null);
  const [one, many] = job.kind === 'export' ? ['item', 'items'] : ['record', 'records'];
  return (
    <>
      <div class="share">
        <p class="part">{part === null ? counted(records) : percent(part)}</p>
        <p>
          {part === null
            ? `${many} so far`
            : `${counted(records)} of ${total === null ? 'about ' : ''}${plural(all ?? 0, one, many)}`}
          <span class="quiet">
            {secondsLeft === null || job.state !== 'running'
              ? ''
              : `about ${spanText(secondsLeft * 1000)} left`}
          </span>
        </p>
      </div>
      {Object.keys(outcomes).length > 0 ? (
        <>
          <OutcomeBar outcomes={outcomes} total={all} />
          <OutcomeLegend outcomes={outcomes} />
        </>
      ) : (
        <progress value={part ?? undefined} max={1} aria-label={job.title} />
      )}
      <Speed progress={progress} many={many} perSecond={perSecond} />
    </>
  );
}

function Speed({
  progress: { rate, answers, refused, faults },
  many,
  perSecond,
}: {
  readonly progress: ProgressView;
  readonly many: string;
  readonly perSecond: number;
}) {
  return (
    <dl class="live">
      <div>
        <dt>{many === 'items' ? 'Items' : 'Records'} a second</dt>
        <dd>{counted(perSecond)}</dd>
        <dd class="more">
          {rate === null ? 'the store has shown no limit' : `the store takes ${counted(rate)} requests`}
        </dd>
      </div>
      <div>
        <dt>Answers of the last minute</dt>
        <dd>{answers === null ? '–' : spanText(answers.median)}</dd>
        <dd class="more">
          {answers === null ? 'none' : `median; the slowest took ${spanText(answers.slowest)}`}
        </dd>
      </div>
      <div>
        <dt>Refused as too many (429)</dt>
        <dd>{counted(refused)}</dd>
        <dd class="more">{refused === 0 ? 'none' : 'sent again, more slowly'}</dd>
      </div>
      <div>
        <dt>Faults of network or store</dt>
        <dd>{counted(faults)}</dd>
        <dd class="more">{faults === 0 ? 'none' : 'sent again if that is safe'}</dd>
      </div>
    </dl>
  );
}
