import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { asksForTelemetry } from '../../../src/cli/monitoring/asks-for-telemetry.ts';
import { cliForEachTest } from '../../support/cli.ts';

const cli = cliForEachTest({ seed: 250 });

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string | number };
}
interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly events?: readonly { readonly name: string }[];
  readonly status?: { readonly code?: number; readonly message?: string };
}

/** A collector that takes OTLP as JSON over HTTP. */
async function openCollector(status = 200) {
  const received: { path: string; headers: IncomingHttpHeaders; body: Record<string, never> }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(text) });
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bodyOf = (path: string) =>
    received.find((each) => each.path === path)?.body as unknown as Record<string, unknown>;
  return {
    received,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () =>
      (
        bodyOf('/v1/traces') as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
      ).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    metrics: () => JSON.stringify(bodyOf('/v1/metrics')),
    resource: () =>
      JSON.stringify(
        (bodyOf('/v1/traces') as { resourceSpans: { resource: object }[] }).resourceSpans[0]?.resource,
      ),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const attributeOf = (span: Span | undefined, name: string) => {
  const { value } = span?.attributes.find(({ key }) => key === name) ?? {};
  return value?.stringValue ?? (value?.intValue === undefined ? undefined : Number(value.intValue));
};

test('an export is a trace with its stages in order, and metrics', async () => {
  await using collector = await openCollector();
  const { code, stderr } = await cli.runProcess(['export', 'reviews', '--out', 'r.csv'], {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.address, OTEL_RESOURCE_ATTRIBUTES: 'team=night' },
  });
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.not.stringContaining('OpenTelemetry') });
  const spans = collector.spans();
  const root = spans.find(({ name }) => name === 'storeport export');
  expect(root?.parentSpanId ?? '').toBe('');
  expect(attributeOf(root, 'storeport.resource')).toBe('reviews');
  expect(attributeOf(root, 'server.address')).toBe(cli.sandbox.url);
  expect(attributeOf(root, 'process.exit.code')).toBe(0);
  expect(attributeOf(root, 'storeport.records.exported')).toBe(250);
  const stages = spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
  const inOrder = [...stages].sort((a, b) =>
    Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)),
  );
  expect(inOrder.map(({ name }) => name)).toEqual(['open', 'connect', 'read']);
  for (const [index, stage] of inOrder.entries()) {
    const next = inOrder[index + 1];
    expect(stage.endTimeUnixNano).toBe(next ? next.startTimeUnixNano : root?.endTimeUnixNano);
  }
  expect(collector.resource()).toContain('"storeport"');
  expect(collector.resource()).toContain('"night"');
  expect(collector.metrics()).toMatch(/"storeport\.records".*"exported"/);
  expect(collector.metrics()).toContain('"storeport.exit_code"');
});

test('an import that is not complete is an error, with its warnings as events', async () => {
  await using collector = await openCollector();
  await cli.runProcess(['import', 'products', '-', '--out', 'out'], {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.address },
    input: 'name,reference,colour\nMug,M-1,red\n,M-2,blue\n',
  });
  const spans = collector.spans();
  const root = spans.find(({ name }) => name === 'storeport import');
  expect(root?.status).toMatchObject({ code: 2, message: 'incomplete' });
  expect(attributeOf(root, 'storeport.records.invalid')).toBe(1);
  expect(attributeOf(root, 'storeport.run')).toBe(cli.reports('out').summary.run);
  expect(spans.map(({ name }) => name)).toContain('deliver');
});

test('a trace continues that of the job that started the command', async () => {
  await using collector = await openCollector();
  await cli.runProcess(['export', 'reviews', '--out', 'r.csv'], {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
      TRACEPARENT: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    },
  });
  const root = collector.spans().find(({ name }) => name === 'storeport export');
  expect(root).toMatchObject({
    traceId: '0af7651916cd43dd8448eb211c80319c',
    parentSpanId: 'b7ad6b7169203331',
  });
});

test('one signal alone, with the key in a header, which is in no output', async () => {
  await using collector = await openCollector();
  const { stdout, stderr } = await cli.runProcess(
    ['export', 'reviews', '--out', 'r.csv', '--log-level', 'trace'],
    {
      env: {
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.address}/v1/traces`,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=T0P-SECRET-KEY',
      },
    },
  );
  expect(collector.received.map(({ path }) => path)).toEqual(['/v1/traces']);
  expect(collector.received[0]?.headers['x-api-key']).toBe('T0P-SECRET-KEY');
  expect(stdout + stderr + JSON.stringify(collector.received[0]?.body)).not.toContain('T0P-SECRET-KEY');
});

test('a collector that refuses is a warning, and the exit code stays', async () => {
  await using collector = await openCollector(403);
  const { code, stderr } = await cli.runProcess(['export', 'reviews', '--out', 'r.csv'], {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.address, OTEL_METRICS_EXPORTER: 'none' },
  });
  expect(code).toBe(0);
  expect(stderr).toMatch(/Warning: OpenTelemetry did not get the traces: /);
  expect(collector.received).toHaveLength(1);
});

describe('without an address', () => {
  test.each([
    [{}, false],
    [{ OTEL_SERVICE_NAME: 'shop' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' }, false],
    [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://127.0.0.1:4318/v1/metrics' }, true],
  ])('%j asks for it: %s', (environment, asks) => {
    expect(asksForTelemetry(environment)).toBe(asks);
  });
});
