import {
  type ActivityPoint,
  durationText,
  grouped,
  NO_ANSWERS,
  percentile,
  type RunActivity,
  withAnswers,
} from '../../model/index.ts';
import { asHtml, type Html } from './html.ts';

/** Below this number of points a chart shows nothing that the figures do not say. */
const FEWEST_POINTS = 3;

/**
 * Charts of how fast a run went: records (or other things), answer times, rate with refusals. Waits are shaded in each.
 */
export function chartsSection(activity: RunActivity, things = 'Records'): Html | undefined {
  const { points, widthMs } = activity;
  if (points.length < FEWEST_POINTS) return undefined;
  const perSecond = (count: number) => (count * 1000) / widthMs;
  const records = points.map((point) => perSecond(point.records));
  const answers = points.reduce((sum, point) => withAnswers(sum, point.answers), NO_ANSWERS);
  const frame = { points, widthMs };
  const hasAnswers = points.some((point) => point.answers.all > 0);
  const rates = points.map(({ rate }) => rate);
  const refused = points.reduce((sum, point) => sum + point.answers.refused, 0);
  const faults = points.reduce((sum, point) => sum + point.answers.faults, 0);
  const limits = rates.filter((rate) => rate !== undefined);
  return asHtml`<section><h2>How fast it went</h2>${waitsText(points)}<div class="charts">${chart(frame, {
    title: `${things} a second`,
    note: `at most ${shortNumber(Math.max(...records))}`,
    lines: [{ values: records, kind: 'area' }],
  })}${
    hasAnswers &&
    chart(frame, {
      title: 'Answer times in ms',
      note: `half of them below ${timeText(percentile(answers, 0.5))}, 95 % below ${timeText(percentile(answers, 0.95))} (dashed)`,
      lines: [
        { values: points.map((point) => percentile(point.answers, 0.5)), kind: 'line' },
        { values: points.map((point) => percentile(point.answers, 0.95)), kind: 'second' },
      ],
    })
  }${
    hasAnswers &&
    chart(frame, {
      title: 'Requests a second',
      note: [
        limits.length > 0 ? 'dashed: the limit that the store showed' : 'the store showed no limit',
        ...(refused > 0 ? [`${grouped(refused)} refused since they were too many (429)`] : []),
        ...(faults > 0 ? [`${grouped(faults)} without a usable answer`] : []),
      ].join('; '),
      lines: [
        { values: points.map((point) => perSecond(point.answers.all)), kind: 'area' },
        { values: rates, kind: 'second' },
      ],
    })
  }</div></section>`;
}

/** `Waited 1m 20s for the store: it is away.` */
function waitsText(points: readonly ActivityPoint[]): Html | undefined {
  const waitedMs = points.reduce(
    (sum, point) => sum + (point.waitedFor === undefined ? 0 : point.waitedMs),
    0,
  );
  if (waitedMs < 1000) return undefined;
  const reasons = [...new Set(points.flatMap(({ waitedFor }) => waitedFor ?? []))].slice(0, 5);
  return asHtml`<p>Waited ${durationText(waitedMs)} for ${reasons.join(', for ')}. These times are shaded.</p>`;
}

interface Frame {
  readonly points: readonly ActivityPoint[];
  readonly widthMs: number;
}

interface ChartText {
  readonly title: string;
  readonly note: string;
  readonly lines: readonly {
    readonly values: readonly (number | undefined)[];
    /** The class of the line. `area` is filled below. */
    readonly kind: 'area' | 'line' | 'second';
  }[];
}

/** Size of a chart and of its margins, in units of its own. */
const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [480, 150, 44, 20, 8];

function chart({ points, widthMs }: Frame, { title, note, lines }: ChartText): Html {
  const highest = niceCeiling(
    Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0))),
  );
  const step = (WIDTH - LEFT) / points.length;
  const x = (index: number) => LEFT + (index + 0.5) * step;
  const y = (value: number) => HEIGHT - BOTTOM - (value / highest) * (HEIGHT - BOTTOM - TOP);
  const waits = spansOf(points).map(
    ({ from, to }) =>
      asHtml`<rect class="span" x="${(LEFT + from * step).toFixed(1)}" y="${TOP}" width="${((to - from) * step).toFixed(1)}" height="${HEIGHT - BOTTOM - TOP}"/>`,
  );
  const levels = [0, highest / 2, highest].map(
    (value) =>
      asHtml`<line class="axis" x1="${LEFT}" x2="${WIDTH}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}"/><text x="${LEFT - 6}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${shortNumber(value)}</text>`,
  );
  const end = durationText(points.length * widthMs);
  return asHtml`<figure><figcaption><b>${title}</b>: ${note}</figcaption><svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}, over ${end}: ${note}">${waits}${levels}${lines.map(
    ({ values, kind }) => {
      const path = pathOf(values, x, y);
      if (path === '') return undefined;
      const area = kind === 'area' && areaOf(values, x, y);
      return asHtml`${area !== false && asHtml`<path class="area" d="${area}"/>`}<path class="${kind === 'second' ? 'second' : 'line'}" d="${path}"/>`;
    },
  )}<text x="${LEFT}" y="${HEIGHT - 4}">0</text><text x="${WIDTH}" y="${HEIGHT - 4}" text-anchor="end">${end}</text></svg></figure>`;
}

type Scale = (value: number) => number;

/** The times of waiting, as indexes of points; `to` is the first one behind. */
function spansOf(points: readonly ActivityPoint[]): { readonly from: number; readonly to: number }[] {
  const spans: { from: number; to: number }[] = [];
  for (const [index, { waitedFor }] of points.entries()) {
    if (waitedFor === undefined) continue;
    const last = spans.at(-1);
    if (last?.to === index) last.to = index + 1;
    else spans.push({ from: index, to: index + 1 });
  }
  return spans;
}

/** A line through the values, with gaps where there is none. A value between two gaps is a line as wide as its time. */
function pathOf(values: readonly (number | undefined)[], x: Scale, y: Scale): string {
  return values
    .map((value, index) => {
      if (value === undefined) return '';
      const level = y(value).toFixed(1);
      if (values[index - 1] !== undefined) return `L${x(index).toFixed(1)} ${level}`;
      if (values[index + 1] !== undefined) return `M${x(index).toFixed(1)} ${level}`;
      return `M${x(index - 0.5).toFixed(1)} ${level}H${x(index + 0.5).toFixed(1)}`;
    })
    .join('');
}

function areaOf(values: readonly (number | undefined)[], x: Scale, y: Scale): string {
  const line = pathOf(
    values.map((value) => value ?? 0),
    x,
    y,
  );
  return `${line}L${x(values.length - 1).toFixed(1)} ${y(0).toFixed(1)}L${x(0).toFixed(1)} ${y(0).toFixed(1)}Z`;
}

/** The next of 1, 2, 5, 10, 20, 50, … */
function niceCeiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

function shortNumber(value: number): string {
  return value >= 10 ? grouped(Math.round(value)) : String(Number(value.toPrecision(2)));
}

function timeText(ms: number | undefined): string {
  if (ms === undefined) return '–';
  return ms < 1000 ? `${shortNumber(ms)} ms` : durationText(ms);
}
