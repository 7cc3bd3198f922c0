import { useEffect, useRef, useState } from 'preact/hooks';
import type { JobView } from '../../ui/api/index.ts';
import { Mark, type MarkLook } from '../parts/mark.tsx';
import { counted, spanText } from '../text.ts';

interface BandWords {
  readonly look: MarkLook;
  readonly text: string;
  /** What happens next. */
  readonly next?: string;
}

interface BandProps {
  readonly job: JobView;
  readonly isConnected: boolean;
}

/** The state of a job in words, and what happens next. It is amber while the job waits. */
export function JobBand(props: BandProps) {
  const { look, text, next } = bandWords(props);
  return (
    <div class={`band ${look}`}>
      <Mark look={look} />
      <p>
        <b>{text}</b> {next}
      </p>
    </div>
  );
}

function bandWords({ job, isConnected }: BandProps): BandWords {
  const { state, progress } = job;
  const waiting = progress?.waiting;
  if (!isConnected)
    return {
      look: 'attention',
      text: 'storeport does not answer.',
      next: 'The page tries again every 2 seconds. The figures are those of the last answer.',
    };
  if (state === 'paused')
    return {
      look: 'attention',
      text: `Paused${waiting ? ` for ${spanText(waiting.forMs)}` : ''}.`,
      next: 'Nothing new is sent until you continue.',
    };
  if (state === 'stopping')
    return { look: 'attention', text: 'Stopping.', next: 'Requests in flight are answered first.' };
  if (waiting)
    return {
      look: 'attention',
      text: sentenceOf(waiting.text),
      next: `This has lasted ${spanText(waiting.forMs)}. It is tried again by itself, and the job continues then. Nothing is lost; you can also stop, and resume the run later.`,
    };
  return { look: 'good', text: 'Running.' };
}

/** Puts the full stop that texts of the server do not have. */
function sentenceOf(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Every how many parts of the whole are announced. */
const STEPS = 4;

/** Tells screen readers what changed, and no more than that: states, each quarter, and the number of new warnings. */
export function JobAnnouncer({ job, isConnected }: BandProps) {
  const [said, setSaid] = useState('');
  const { text } = bandWords({ job, isConnected });
  // The time of a wait changes all the time, and is not news.
  const state = text.replace(/ for .*/, '');
  const quarter = Math.floor((job.progress?.part ?? 0) * STEPS);
  const warnings = job.log.filter(({ kind }) => kind !== 'note').at(-1)?.n ?? 0;
  const before = useRef({ state, quarter, warnings });
  useEffect(() => {
    const was = before.current;
    before.current = { state, quarter, warnings };
    if (was.state !== state) setSaid(state);
    else if (was.quarter !== quarter)
      setSaid(`${(quarter * 100) / STEPS} % done, ${counted(job.progress?.records ?? 0)} records.`);
    else if (was.warnings !== warnings) setSaid('There is a new warning in the log.');
  }, [state, quarter, warnings]);
  return (
    <p class="spoken" role="status">
      {said}
    </p>
  );
}

/** The store of a job in words; undefined if it has none. The sandbox of a job has an address that means nothing. */
export function storeOfJob({ store, storeId }: JobView): string | undefined {
  return store !== undefined && storeId === 'sandbox' ? 'the sandbox' : store;
}
