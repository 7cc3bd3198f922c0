import { useEffect, useRef, useState } from 'preact/hooks';
import type { LogLine } from '../../ui/api/index.ts';
import { Mark } from '../parts/mark.tsx';
import { counted } from '../text.ts';

/** Lines in which a person still finds something; the server sends no more of them. */
const MOST_LINES = 200;

const TIMES = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** The messages of a job. The list scrolls to the latest, until the user wants to read. */
export function JobLog({ log }: { readonly log: readonly LogLine[] }) {
  const [follows, setFollows] = useState(true);
  const list = useRef<HTMLUListElement>(null);
  const last = log.at(-1)?.n ?? 0;
  useEffect(() => {
    if (follows && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [last, follows]);
  if (log.length === 0) return null;
  return (
    <section aria-label="Log">
      <div class="log-head">
        <h2>Log</h2>
        <label class="small">
          <input
            type="checkbox"
            checked={follows}
            onChange={({ currentTarget }) => setFollows(currentTarget.checked)}
          />
          Scroll to the latest
        </label>
      </div>
      {last > log.length ? (
        <p class="small quiet">
          The last {counted(Math.min(MOST_LINES, log.length))} of {counted(last)} lines.
        </p>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the list. */}
      <ul class="log" ref={list} tabIndex={0} aria-label="Messages, the latest last">
        {log.map((line) => (
          <Line key={line.n} line={line} />
        ))}
      </ul>
    </section>
  );
}

function Line({ line: { at, kind, text } }: { readonly line: LogLine }) {
  return (
    <li class={kind}>
      <time dateTime={at} class="quiet">
        {TIMES.format(new Date(at))}
      </time>
      <span>
        {kind === 'note' ? null : (
          <b>
            <Mark look={kind === 'error' ? 'wrong' : 'attention'} />
            {kind === 'error' ? 'Error: ' : 'Warning: '}
          </b>
        )}
        <bdi>{text}</bdi>
      </span>
    </li>
  );
}
