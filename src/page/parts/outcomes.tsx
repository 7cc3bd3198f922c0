import { counted } from '../text.ts';
import { countsInOrder, lookOf, Mark } from './mark.tsx';

const WIDTH = 1000;
/** Least width of a part, so that one record of a million is seen. */
const LEAST = 4;

/** Outcomes as a bar. `total`: all records, of which some may have no outcome yet. */
export function OutcomeBar({
  outcomes,
  total,
}: {
  readonly outcomes: Readonly<Record<string, number>>;
  readonly total?: number | null;
}) {
  const parts = countsInOrder(outcomes);
  const done = parts.reduce((sum, { count }) => sum + count, 0);
  const all = Math.max(total ?? done, done, 1);
  const spare = WIDTH - LEAST * parts.length;
  let at = 0;
  const label =
    parts.map(({ outcome, count }) => `${counted(count)} ${outcome}`).join(', ') || 'no record yet';
  return (
    <svg class="bar" viewBox={`0 0 ${WIDTH} 12`} preserveAspectRatio="none" role="img" aria-label={label}>
      {parts.map(({ outcome, count }) => {
        const width = LEAST + (spare * count) / all;
        const x = at;
        at += width;
        return <rect key={outcome} class={lookOf(outcome)} x={x} width={width} height="12" />;
      })}
    </svg>
  );
}

/** Outcomes as a list of counts. */
export function OutcomeLegend({ outcomes }: { readonly outcomes: Readonly<Record<string, number>> }) {
  return (
    <ul class="legend">
      {countsInOrder(outcomes).map(({ outcome, count }) => (
        <li key={outcome}>
          <Mark look={lookOf(outcome)} />
          <b>{counted(count)}</b> {outcome}
        </li>
      ))}
    </ul>
  );
}
