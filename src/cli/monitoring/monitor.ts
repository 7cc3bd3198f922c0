import { ConfigError } from '../../model/index.ts';
import type { CommandFacts } from '../command-facts.ts';
import type { CommandContext } from '../context.ts';
import { asksForTelemetry } from './asks-for-telemetry.ts';
import { openMetricsFile } from './metrics-file.ts';
import { NOTIFY_SECRET, notificationOf, postNotification } from './notification.ts';

/** The options of commands that can be watched. */
export interface MonitorArguments {
  readonly notify?: string | undefined;
  readonly metrics?: string | undefined;
}

/** The parts of a command's context that are used. */
type MonitorContext = Pick<CommandContext, 'terminal' | 'log' | 'environment' | 'io' | 'onExit'>;

/** Tells others of the end of a command. */
export interface Monitor {
  /** Called once, when the command has ended. Never throws: trouble is a warning, and does not change the exit code. */
  end(exitCode: number): Promise<void>;
}

/** Variables with headers for OpenTelemetry, which mostly hold a key. */
const HEADERS = [
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'OTEL_EXPORTER_OTLP_METRICS_HEADERS',
];

/**
 * Begins to watch a command. The metrics file is also written if the process ends at once. Throws ConfigError if it cannot be
 * written.
 */
export function openMonitor(
  { notify, metrics }: MonitorArguments,
  facts: CommandFacts,
  { terminal, log, environment, io, onExit }: MonitorContext,
): Monitor {
  const secret = environment[NOTIFY_SECRET] || undefined;
  for (const headers of HEADERS.flatMap((name) => io.env[name] ?? []))
    terminal.hide(...headers.split(',').map((header) => header.slice(header.indexOf('=') + 1)));
  if (notify !== undefined) {
    // The address of a chat room is all that one needs to write there.
    terminal.hide(notify, new URL(notify).pathname + new URL(notify).search);
    if (secret !== undefined) terminal.hide(secret);
  }
  const file = metrics === undefined ? undefined : openMetricsFile(metrics, facts);
  file?.begin();
  let isWritten = false;
  function writeMetrics(exitCode: number): void {
    if (file === undefined || isWritten) return;
    isWritten = true;
    try {
      file.end(exitCode);
    } catch (error) {
      trouble(`The metrics file ${metrics} cannot be written: ${(error as Error).message}.`);
    }
  }
  function trouble(message: string): void {
    terminal.error(`Warning: ${message}`);
    log.warn({}, message);
  }
  onExit(writeMetrics);
  if (file !== undefined)
    facts.writeFigures = () => {
      try {
        if (!isWritten) file.begin();
      } catch (error) {
        trouble((error as Error).message);
      }
    };

  async function sendTelemetry(exitCode: number): Promise<void> {
    // Loaded only now: the libraries are large.
    const { exportTelemetry } = await import('./telemetry.ts');
    for (const reason of await exportTelemetry(facts, exitCode, io.env))
      trouble(`OpenTelemetry did not get the ${reason}.`);
  }

  return {
    async end(exitCode) {
      writeMetrics(exitCode);
      if (asksForTelemetry(io.env)) await sendTelemetry(exitCode);
      if (notify === undefined) return;
      const body = terminal.mask(JSON.stringify(notificationOf(facts, exitCode)));
      const time = String(Math.floor(facts.stopwatch.date().getTime() / 1000));
      try {
        const reason = await postNotification(notify, body, { environment, secret, time });
        if (reason === undefined) log.info({}, 'notified');
        else trouble(`The notification of --notify did not arrive: ${reason}.`);
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        trouble(`The notification of --notify was not sent: ${error.message}`);
      }
    },
  };
}
