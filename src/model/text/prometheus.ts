/** Labels, a value, and the text behind the name, which only samples of a histogram have. */
export type MetricSample = readonly [
  labels: Readonly<Record<string, string>>,
  value: number,
  suffix?: string,
];

/** A figure for Prometheus, with its values now. */
export interface Metric {
  readonly name: string;
  /** Default: gauge. */
  readonly type?: 'gauge' | 'counter' | 'histogram';
  readonly help: string;
  readonly samples: readonly MetricSample[];
}

/** Writes the text format of Prometheus: prometheus.io/docs/instrumenting/exposition_formats. */
export function prometheusText(metrics: readonly Metric[]): string {
  return metrics
    .flatMap(({ name, type = 'gauge', help, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(([labels, value, suffix = '']) => `${name}${suffix}${labelsText(labels)} ${value}`),
    ])
    .map((line) => `${line}\n`)
    .join('');
}

/** An empty label is left out: in Prometheus it is the same as none. */
function labelsText(labels: Readonly<Record<string, string>>): string {
  const parts = Object.entries(labels)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (at) => ESCAPED[at] ?? at)}"`);
  return parts.length > 0 ? `{${parts.join(',')}}` : '';
}

const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };
