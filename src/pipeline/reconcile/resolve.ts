import type { KnownRun, Ledger, OutcomeCounts } from '../../ledger/index.ts';
import type { ReportSettings, Summary } from '../../report/index.ts';
import { type LedgerOptions, ledgerOf } from '../run/options.ts';
import { type RewriteOptions, rewriteRunReports } from '../run/reports.ts';
import { findRun } from '../run/runs.ts';
import type { ExitCodeOf } from '../summary/summary.ts';
import type { Doubtful, Finding, OpenDoubts } from './doubts.ts';
import { type RecordedFindings, recordFindings } from './record-findings.ts';

export interface ResolveOptions extends LedgerOptions {
  /** Name of the run. */
  readonly name: string;
  readonly exitCodeOf: ExitCodeOf;
  /** Form of the reports; missing parts are as each run was asked for. */
  readonly reportFormat?: Partial<ReportSettings> | undefined;
}

/** Result of resolving. */
export interface Resolved extends Omit<RecordedFindings, 'runs'> {
  /** Undefined for a pruned run, which has no reports any more. */
  readonly summary: Summary | undefined;
  readonly exitCode: number;
  /** Folder of the run's reports. */
  readonly out: string;
}

/**
 * Locks a run's store, records the findings of `work` about its records in doubt, and rewrites the run's reports. Throws
 * ConfigError, also if every finding was refused.
 */
export async function resolveRun(
  { name, ...options }: ResolveOptions,
  work: (doubts: OpenDoubts) => Promise<ReadonlyMap<Doubtful, Finding>>,
): Promise<Resolved> {
  const ledger = await ledgerOf(options).open();
  try {
    const commands = options.reportFormat?.commands;
    const { runs, ...settled } = await recordFindings(ledger, { name, commands }, work);
    // A re-imported record is in the reports of both runs.
    const [id = name, ...others] = runs;
    for (const other of others) await rewriteReportsIfWhole(ledger, other, options);
    const summary = await rewriteReportsIfWhole(ledger, id, options);
    const run = await findRun(ledger, id);
    const exitCode = summary?.exit_code ?? options.exitCodeOf(await doubtsLeft(ledger, run));
    return { ...settled, summary, exitCode, out: run.out };
  } finally {
    await ledger.close();
  }
}

/** Resolves with undefined for a pruned run: its reports would lack most records, and stay as they are. */
async function rewriteReportsIfWhole(
  ledger: Ledger,
  id: string,
  options: RewriteOptions,
): Promise<Summary | undefined> {
  const run = await findRun(ledger, id);
  return run.pruned ? undefined : rewriteRunReports(ledger, run, options);
}

async function doubtsLeft(ledger: Ledger, run: KnownRun): Promise<OutcomeCounts> {
  const { 'in-doubt': left = 0 } = await ledger.outcomes(run);
  return { 'in-doubt': left };
}
