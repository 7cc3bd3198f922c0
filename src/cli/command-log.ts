import type { RecordResult } from '../model/index.ts';
import type { Doubtful, Finding, ShownRecord } from '../pipeline/index.ts';
import type { Summary } from '../report/index.ts';
import type { CommandFacts } from './command-facts.ts';
import { type CommandContext, type CommonArguments, version } from './context.ts';
import { paintSummary } from './output/colour.ts';
import { createLog, type Log, type LogOptions } from './output/logger.ts';
import type { Terminal } from './output/terminal.ts';

/** Arguments that the first line of the log contains. None of them holds a secret. */
const LOGGED_ARGUMENTS = [
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
 * Opens the log of one command. The first line has the command's arguments and the last one its exit code, however the
 * command ends. Throws ConfigError if the file cannot be written.
 */
export async function openCommandLog(
  args: CommonArguments,
  facts: CommandFacts,
  { terminal, stderr, onExit }: { readonly terminal: Terminal } & Pick<LogOptions, 'stderr' | 'onExit'>,
): Promise<Log> {
  const { logLevel: level, logFile: file } = args;
  const { mask, error: onFailure } = terminal;
  const log = noting(facts, await createLog({ level, file, mask, onFailure, stderr, onExit }));
  log.about({ command: facts.command });
  const given = args as unknown as Readonly<Record<string, unknown>>;
  const logged = LOGGED_ARGUMENTS.filter((name) => given[name] !== undefined).map((name) => [
    name,
    given[name],
  ]);
  log.info({ ...Object.fromEntries(logged), storeport: version(), node: process.version }, 'begin');
  // Called before the log is flushed.
  onExit((code) => log.info({ exit_code: code, duration_ms: facts.stopwatch.elapsedMs() }, 'end'));
  return log;
}

/** Notes in the facts what the log learns about the command. */
function noting(facts: CommandFacts, log: Log): Log {
  return {
    ...log,
    facts,
    about(fields) {
      const { store, profile, run } = fields;
      if (store !== undefined) facts.store = store;
      if (profile !== undefined) facts.profile = profile;
      if (run !== undefined) facts.run = run;
      log.about(fields);
    },
  };
}

/** Logs a record whose outcome is incomplete. `about`: what it belongs to, if the log is not of one run. */
export function logRecord(log: Log, { row, file, key, outcome }: RecordResult, about: object = {}): void {
  const { outcome: word, id, httpStatus, attempts, code, field, message } = outcome;
  log.record(
    { ...about, row, file, key, outcome: word, code, field, message, id, http_status: httpStatus, attempts },
    `record ${word}`,
  );
}

/** Logs each record that is no longer in doubt. */
export function logResolved(log: Log, found: ReadonlyMap<Doubtful, Finding>): void {
  for (const [{ run, row, file, key }, finding] of found) {
    const id = finding === 'not-there' ? undefined : finding.id;
    log.record({ run, row, file, key, there: id !== undefined, id }, 'record resolved');
  }
}

/** Long parts of a summary, which its reports contain. */
export const ONLY_IN_REPORTS: readonly string[] = ['problems', 'files'];

interface LoggedSummary {
  readonly exit_code: number;
  readonly stopped?: { readonly reason: string; readonly message: string };
}

/** Logs the final figures of a command, preceded by the reason if it ended early. `omitted`: fields that are left out. */
export function logSummary(log: Log, summary: LoggedSummary, omitted: readonly string[] = []): void {
  if (log.facts) log.facts.summary = { ...summary };
  if (!log.hasInfo) return;
  const { stopped } = summary;
  if (stopped) log.error({ reason: stopped.reason }, stopped.message);
  // The log already has the full name of the command; the summary calls "run undo" just "undo".
  const shown = Object.entries(summary).filter(([name]) => name !== 'command' && !omitted.includes(name));
  log.info(Object.fromEntries(shown), 'summary');
}

/** Logs and prints the summary of a run, below the records to show, and returns its exit code. */
export async function printSummary(
  summary: Summary,
  { terminal, log, json }: CommandContext,
  shown: readonly ShownRecord[] = [],
): Promise<number> {
  logSummary(log, summary, ONLY_IN_REPORTS);
  const { summaryText } = await import('./output/summary-text.ts');
  if (shown.length > 0 && !json) {
    const { previewText } = await import('./output/preview-text.ts');
    terminal.out(`${previewText(shown, terminal.outColumns())}\n`);
  }
  const result = shown.length > 0 ? { ...summary, shown } : summary;
  terminal.out(json ? JSON.stringify(result) : summaryText(summary), paintSummary);
  return summary.exit_code;
}
