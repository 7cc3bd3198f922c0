import { ROOT_CONTEXT, type SpanContext, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { type CommandFacts, countsIn, endStateOf, type Marked } from '../command-facts.ts';
import { version } from '../context.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Exports one trace and some metrics of a command that ended. Resolves with the reasons of what did not arrive. */
export async function exportTelemetry(
  facts: CommandFacts,
  exitCode: number,
  environment: Environment,
): Promise<string[]> {
  const { traces, metrics } = wantedSignals(environment);
  const results = await Promise.all([
    ...(traces ? [exportTrace(facts, exitCode, environment)] : []),
    ...(metrics ? [exportMetrics(facts, exitCode)] : []),
  ]);
  return results.filter((reason) => reason !== undefined);
}

/** The signals for which there is an address. `none` as an exporter switches one off. */
function wantedSignals(environment: Environment): { readonly traces: boolean; readonly metrics: boolean } {
  const has = (signal: string) =>
    environment[`OTEL_${signal}_EXPORTER`] !== 'none' &&
    Boolean(environment.OTEL_EXPORTER_OTLP_ENDPOINT || environment[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]);
  return { traces: has('TRACES'), metrics: has('METRICS') };
}

function resourceOf() {
  const own = resourceFromAttributes({ 'service.name': 'storeport', 'service.version': version() });
  // Names and attributes of the environment win.
  return own.merge(detectResources({ detectors: [envDetector] }));
}

/** A span for the command, below the one of TRACEPARENT if a job sets it, and one for each stage. */
function exportTrace(
  facts: CommandFacts,
  exitCode: number,
  environment: Environment,
): Promise<string | undefined> {
  const spans: ReadableSpan[] = [];
  const collect = {
    onStart() {},
    onEnd: (span: ReadableSpan) => void spans.push(span),
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const provider = new BasicTracerProvider({ resource: resourceOf(), spanProcessors: [collect] });
  const tracer = provider.getTracer('storeport', version());
  const startedMs = facts.stopwatch.startedAt.getTime();
  const at = (ms: number) => startedMs + ms;
  const endMs = at(facts.stopwatch.elapsedMs());
  const parent = parentIn(environment.TRACEPARENT);
  const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
  const root = tracer.startSpan(
    `storeport ${facts.command}`,
    { startTime: startedMs, attributes: { ...attributesOf(facts), 'process.exit.code': exitCode } },
    context,
  );
  for (const [outcome, count] of Object.entries(countsIn(facts)))
    root.setAttribute(`storeport.records.${outcome}`, count);
  const below = trace.setSpan(context, root);
  for (const [index, stage] of facts.stages.entries()) {
    const next = facts.stages[index + 1];
    const span = tracer.startSpan(stage.name, { startTime: at(stage.atMs) }, below);
    for (const event of eventsIn(facts, stage, next)) span.addEvent(event.name, {}, at(event.atMs));
    span.end(next ? at(next.atMs) : endMs);
  }
  if (exitCode !== 0)
    root.setStatus({ code: SpanStatusCode.ERROR, message: facts.error?.message ?? endStateOf(exitCode) });
  root.end(endMs);
  return arrival('traces', new OTLPTraceExporter(), spans);
}

function eventsIn({ events }: CommandFacts, stage: Marked, next: Marked | undefined): readonly Marked[] {
  return events.filter(({ atMs }) => atMs >= stage.atMs && (next === undefined || atMs < next.atMs));
}

/** `00-<trace>-<span>-<flags>`: the variable by which jobs pass a trace on (W3C Trace Context). */
function parentIn(text: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags ?? '01', 16) & TraceFlags.SAMPLED,
    isRemote: true,
  };
}

function attributesOf({ command, resource, store, profile, run }: CommandFacts): Record<string, string> {
  const all = {
    'storeport.command': command,
    'storeport.resource': resource,
    'storeport.profile': profile,
    'storeport.run': run,
    'server.address': store,
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Reads the metrics when asked, and not by a timer. */
class OnceReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

async function exportMetrics(facts: CommandFacts, exitCode: number): Promise<string | undefined> {
  const reader = new OnceReader();
  const provider = new MeterProvider({ resource: resourceOf(), readers: [reader] });
  const meter = provider.getMeter('storeport', version());
  const { command, resource = '', profile = 'default' } = facts;
  const own = { 'storeport.command': command, 'storeport.resource': resource, 'storeport.profile': profile };
  const records = meter.createCounter('storeport.records', {
    description: 'Records by outcome, or exported items',
  });
  for (const [outcome, count] of Object.entries(countsIn(facts)))
    records.add(count, { ...own, 'storeport.outcome': outcome });
  const attempts = facts.summary?.attempts;
  if (typeof attempts === 'number')
    meter.createCounter('storeport.requests', { description: 'Requests for records' }).add(attempts, own);
  meter
    .createGauge('storeport.duration', { unit: 's', description: 'Duration of the command' })
    .record(facts.stopwatch.elapsedMs() / 1000, own);
  meter.createGauge('storeport.exit_code', { description: 'Exit code of the command' }).record(exitCode, own);
  const { resourceMetrics } = await reader.collect();
  return arrival('metrics', new OTLPMetricExporter(), resourceMetrics);
}

interface Exporter<Data> {
  export(data: Data, done: (result: { readonly code: number; readonly error?: Error }) => void): void;
  shutdown(): Promise<void>;
}

/** Resolves with the reason if the data did not arrive. The exporter itself tries again, and has a deadline. */
async function arrival<Data>(
  signal: string,
  exporter: Exporter<Data>,
  data: Data,
): Promise<string | undefined> {
  const reason = await new Promise<string | undefined>((resolve) => {
    exporter.export(data, ({ code, error }) =>
      resolve(code === 0 ? undefined : `${signal}: ${error?.message ?? 'no reason is known'}`),
    );
  });
  await exporter.shutdown();
  return reason;
}
