import type { RecordResult } from '../model/index.ts';
import { type CommonArguments, version } from './context.ts';
import { createLog, type Log } from './output/logger.ts';
import type { Terminal } from './output/terminal.ts';

/** Arguments that tell what a command was about. None of them holds a secret. */
const TOLD = [
  'resource',
  'files',
  'file',
  'run',
  'mapping',
  'mode',
  'offset',
  'limit',
  'out',
  'home',
] as const;

/**
 * The log of one command: its first line says what the command is about, its last one the exit code, however it
 * ends. Throws ConfigError where the file cannot be written.
 */
export async function openCommandLog(
  args: CommonArguments,
  terminal: Terminal,
  command: string,
): Promise<Log> {
  const began = performance.now();
  const { logLevel: level, logFile: file } = args;
  const log = await createLog({ level, file, mask: terminal.mask, onFailure: terminal.error });
  log.about({ command });
  const given = args as unknown as Readonly<Record<string, unknown>>;
  const told = TOLD.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]);
  log.info({ ...Object.fromEntries(told), storeport: version(), node: process.version }, 'begin');
  // In front, so that the line is there when the log is written to its end.
  process.prependListener('exit', (code) =>
    log.info({ exit_code: code, duration_ms: Math.round(performance.now() - began) }, 'end'),
  );
  return log;
}

/** A record that was not taken over as it should be, as a line of the log. */
export function logRecord(log: Log, { row, file, key, outcome }: RecordResult): void {
  const { outcome: word, id, httpStatus, attempts, code, field, message } = outcome;
  log.record(
    { row, file, key, outcome: word, code, field, message, id, http_status: httpStatus, attempts },
    `record ${word}`,
  );
}

/** Parts of a summary that are long, and that its reports have. */
export const ONLY_IN_REPORTS: readonly string[] = ['problems', 'files'];

interface Books {
  readonly exit_code: number;
  readonly stopped?: { readonly reason: string; readonly message: string };
}

/** The figures at the end of a command, and before them why it ended early. `left`: fields that only reports need. */
export function logSummary(log: Log, summary: Books, left: readonly string[] = []): void {
  if (!log.hasInfo) return;
  const { stopped } = summary;
  if (stopped) log.error({ reason: stopped.reason }, stopped.message);
  // The log already has the full name of the command; the summary calls "run undo" just "undo".
  const shown = Object.entries(summary).filter(([name]) => name !== 'command' && !left.includes(name));
  log.info(Object.fromEntries(shown), 'summary');
}
