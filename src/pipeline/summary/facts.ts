import { randomInt } from 'node:crypto';
import type { KnownRun, NewRun, RunCommand, SourceFile } from '../../ledger/index.ts';
import {
  type ImageCounts,
  type JsonObject,
  type RunActivity,
  RunStopped,
  type StopReason,
} from '../../model/index.ts';
import type { PlanSummary, Summary } from '../../report/index.ts';

/** A run that has begun: everything known about it before its records. */
export interface StartedRun {
  readonly id: string;
  readonly command: RunCommand | 'validate';
  readonly resource: string;
  readonly mode: string;
  readonly offset: number;
  readonly store: string | null;
  readonly mapping: { readonly name: string; readonly digest: string };
  readonly out: string;
  readonly version: string;
  readonly startedAt: Date;
  /** The options of the command. Nothing secret. */
  readonly options: JsonObject;
  /** Activity of the earlier executions; once the run has ended, of all executions. undefined if none was noted. */
  readonly activity?: RunActivity | undefined;
  /** Milliseconds of work so far, without the time between two executions. */
  readonly workedMs: number;
}

/** Everything known about a run, except its records. */
export interface RunFacts extends StartedRun {
  readonly files: readonly SourceFile[];
  readonly stopped?: Summary['stopped'] | undefined;
  /** Only with `stopped`; undefined if they could not be counted. */
  readonly notRead?: number | undefined;
  readonly finishedAt: Date;
  /** The plan of a check; undefined for other commands. */
  readonly plan?: PlanSummary | undefined;
  /** Counts of the check of images; undefined if there was none. Of an import, the files have them. */
  readonly images?: ImageCounts | undefined;
}

/** The facts of an earlier run, from the ledger. */
export function storedFacts(run: KnownRun): RunFacts {
  const { id, command, resource, mode, store, files, out, version, stopped, notRead, startedAt, workedMs } =
    run;
  return {
    ...{ id, resource, mode, store, files, out, version, stopped, notRead, workedMs },
    activity: run.activity,
    command,
    options: run.options,
    offset: Number(run.options.offset ?? 0),
    mapping: { name: run.mappingName, digest: run.mappingDigest },
    startedAt: new Date(startedAt),
    finishedAt: new Date(run.finishedAt ?? startedAt),
  };
}

/** The ledger's line for a run that begins. Its command must not be `validate`, which no ledger keeps. */
export function newRunOf(
  { id, resource, mode, mapping, out, version, startedAt, options }: StartedRun,
  parts: NewRunParts,
): NewRun {
  return {
    ...{ id, resource, mode, out, version, options },
    ...parts,
    mappingName: mapping.name,
    mappingDigest: mapping.digest,
    startedAt: startedAt.getTime(),
  };
}

/** The parts of a new run that its reports do not need. */
export type NewRunParts = Pick<NewRun, 'command' | 'store' | 'remembered' | 'files' | 'header'>;

/** The reason that a run stopped early, for ledger and reports; undefined if it did not. */
export function stopReason(stopped: Error | undefined): RunFacts['stopped'] {
  const reason = reasonOf(stopped);
  if (!stopped || !reason) return undefined;
  const hints = stopped instanceof RunStopped ? stopped.hints : [];
  return { reason, message: stopped.message, ...(hints.length > 0 ? { hints } : {}) };
}

/** A bug stops a run too. */
function reasonOf(stopped: Error | undefined): StopReason | undefined {
  return stopped instanceof RunStopped ? stopped.reason : stopped && 'internal-error';
}

/** Ends of ids: four hexadecimal digits. */
const ID_ENDS = 0x10000;

/** Random for each process, and counted on from there: with another random end for each run, two runs of one second met. */
let idEnd = randomInt(ID_ENDS);

/** Makes an id for a run: 20261121-093012-a1b2. It sorts by time and is short enough to type. */
export function newRunId(startedAt: Date): string {
  const stamp = startedAt.toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  idEnd = (idEnd + 1) % ID_ENDS;
  return `${stamp}-${idEnd.toString(16).padStart(4, '0')}`;
}
