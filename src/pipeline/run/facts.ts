import { randomBytes } from 'node:crypto';
import type { KnownRun, NewRun, RunCommand, SourceFile } from '../../ledger/index.ts';
import { RunStopped, type StopReason } from '../../model/index.ts';

/** What is known of a run beside its records. */
export interface RunFacts {
  readonly id: string;
  readonly command: RunCommand | 'validate';
  readonly resource: string;
  readonly mode: string;
  readonly offset: number;
  readonly store: string | null;
  readonly files: readonly SourceFile[];
  readonly mapping: { readonly name: string; readonly digest: string };
  readonly out: string;
  readonly version: string;
  readonly stopped?: { readonly reason: StopReason; readonly message: string } | undefined;
  /** Only with `stopped`; undefined: they could not be counted. */
  readonly notRead?: number | undefined;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** Without the time between two executions. */
  readonly workedMs: number;
}

/** As the ledger keeps them. */
export function storedFacts(run: KnownRun): RunFacts {
  const { id, command, resource, mode, store, files, out, version, stopped, notRead, startedAt, workedMs } =
    run;
  return {
    ...{ id, resource, mode, store, files, out, version, stopped, notRead, workedMs },
    command,
    offset: Number(run.options.offset ?? 0),
    mapping: { name: run.mappingName, digest: run.mappingDigest },
    startedAt: new Date(startedAt),
    finishedAt: new Date(run.finishedAt ?? startedAt),
  };
}

/** What the ledger is told of a run that begins. `options`: all it takes to go on with it later. */
export function newRunOf(
  { id, resource, mode, mapping, out, version, startedAt }: Omit<RunFacts, 'files' | 'finishedAt'>,
  given: Pick<NewRun, 'command' | 'store' | 'remembered' | 'files' | 'header' | 'options'>,
): NewRun {
  return {
    ...{ id, resource, mode, out, version },
    ...given,
    mappingName: mapping.name,
    mappingDigest: mapping.digest,
    startedAt: startedAt.getTime(),
  };
}

/** How a run that stopped early keeps and says it; undefined for one that did not. */
export function stopReason(stopped: Error | undefined): RunFacts['stopped'] {
  const reason = reasonOf(stopped);
  return stopped && reason ? { reason, message: stopped.message } : undefined;
}

/** Why a run stopped; a bug of our own stops it too. */
function reasonOf(stopped: Error | undefined): StopReason | undefined {
  return stopped instanceof RunStopped ? stopped.reason : stopped && 'internal-error';
}

/** A name for a run. Sorts by time, and is short enough to be typed: 20261121-093012-a1b2. */
export function newRunId(startedAt: Date): string {
  const stamp = startedAt.toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${randomBytes(2).toString('hex')}`;
}
