const ENDPOINTS = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
];

/**
 * True if the environment asks for OpenTelemetry, whose libraries are loaded only then. `environment`: of the process, which a
 * file of the folder cannot change.
 */
export function asksForTelemetry(environment: Readonly<Record<string, string | undefined>>): boolean {
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  return ENDPOINTS.some((name) => environment[name]);
}
