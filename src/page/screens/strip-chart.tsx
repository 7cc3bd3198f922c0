import type { ProgressPoint, ProgressView } from '../../ui/api/index.ts';
import { counted, spanText } from '../text.ts';

const WIDTH = 600;
const HEIGHT = 72;
/** Fewer points show nothing that the figures do not say. */
const FEWEST = 3;

/** The last minutes: records a second above, answer times below, waits shaded in both. */
export function StripChart({
  progress,
  things,
}: {
  readonly progress: ProgressView;
  readonly things: string;
}) {
  const { points, pointMs } = progress;
  if (points.length < FEWEST) return null;
  const perSecond = points.map(({ records }) => (records * 1000) / pointMs);
  const times = points.map(({ medianMs }) => medianMs);
  const waited = points.reduce((sum, { waitedMs }) => sum + waitedMs, 0);
  const refused = points.reduce((sum, point) => sum + point.refused, 0);
  const span = spanText(points.length * pointMs);
  const most = Math.max(0, ...perSecond);
  const slowest = Math.max(0, ...times.map((time) => time ?? 0));
  return (
    <section class="strips" aria-label="The last minutes">
      <Strip
        points={points}
        pointMs={pointMs}
        title={`${things} a second`}
        top={most}
        topText={most >= 10 ? counted(most) : most.toFixed(1)}
        values={perSecond}
        isArea
      />
      {slowest > 0 ? (
        <Strip
          points={points}
          pointMs={pointMs}
          title="Answer time, median"
          top={slowest}
          topText={spanText(slowest)}
          values={times}
        />
      ) : null}
      <p class="small quiet">
        The last {span}
        {waited >= 1000 ? `; waited ${spanText(waited)} (shaded)` : ''}
        {refused > 0 ? `; ${counted(refused)} refused as too many (marks at the top)` : ''}.
      </p>
    </section>
  );
}

function Strip({
  points,
  pointMs,
  title,
  top,
  topText,
  values,
  isArea = false,
}: {
  readonly points: readonly ProgressPoint[];
  readonly pointMs: number;
  readonly title: string;
  readonly top: number;
  /** The highest value in words. */
  readonly topText: string;
  readonly values: readonly (number | null)[];
  readonly isArea?: boolean;
}) {
  const step = WIDTH / points.length;
  const y = (value: number) => HEIGHT - (value / Math.max(top, Number.EPSILON)) * (HEIGHT - 4);
  const line = linePath(values, step, y);
  return (
    <figure>
      <figcaption>
        <span>{title}</span> <span class="quiet">at most {topText}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {waitSpans(points, pointMs).map(({ from, to }) => (
          <rect key={from} class="wait" x={from * step} width={(to - from) * step} height={HEIGHT} />
        ))}
        {isArea
          ? points.map(({ refused }, n) =>
              refused === 0 ? null : (
                <rect key={n} class="refused" x={n * step} width={Math.max(step, 2)} height="6" />
              ),
            )
          : null}
        {isArea ? (
          <path class="area" d={`${line}L${WIDTH - step / 2} ${HEIGHT}L${step / 2} ${HEIGHT}Z`} />
        ) : null}
        <path class={isArea ? 'line' : 'time'} d={line} />
        <line class="ground" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
      </svg>
    </figure>
  );
}

/** A line through the values, with gaps where there is none. */
function linePath(values: readonly (number | null)[], step: number, y: (value: number) => number): string {
  return values
    .map((value, n) => {
      if (value === null) return '';
      const before = values[n - 1] ?? null;
      return `${n === 0 || before === null ? 'M' : 'L'}${((n + 0.5) * step).toFixed(1)} ${y(value).toFixed(1)}`;
    })
    .join('');
}

/** Times of waiting, as indexes of points; `to` is the first one behind. */
function waitSpans(points: readonly ProgressPoint[], pointMs: number): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = [];
  for (const [n, { waitedMs }] of points.entries()) {
    if (waitedMs < pointMs / 2) continue;
    const last = spans.at(-1);
    if (last?.to === n) last.to = n + 1;
    else spans.push({ from: n, to: n + 1 });
  }
  return spans;
}
