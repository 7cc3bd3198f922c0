import type { OpenRun, SourceFile } from '../../ledger/index.ts';
import type { Mapping } from '../../map/index.ts';
import { ConfigError, type ReadyRecord, type Stopwatch } from '../../model/index.ts';
import type { Reports, SettledBatch } from '../../report/index.ts';
import type { Resource } from '../../resources/index.ts';
import type { StoreClient } from '../../store/index.ts';
import type { StartedRun } from '../summary/facts.ts';
import type { Progress, RecordCounts } from '../summary/progress.ts';
import type { ObservedClient } from './activity.ts';
import type { ErrorLimit } from './error-limit.ts';
import type { CommandOptions } from './options.ts';

/** The store that a run sends to. A check (`validate`) has none. */
export interface StoreTarget {
  readonly store: string;
  /** True if the store ends with the command: nothing about it is worth remembering. */
  readonly ephemeral: boolean;
  readonly storeId?: string | undefined;
  readonly client: Pick<StoreClient, 'authenticate' | 'deliver' | 'holdsSecret' | 'stop'> & ObservedClient;
  readonly concurrency: number;
}

/** The records of a run, wherever they come from: files, the ledger, or the records of another run. */
export interface RecordSource {
  /** Column names of the rows in errors.csv. */
  readonly header: readonly string[];
  readonly progress: Progress;
  /** Reads, groups, maps, validates and plans the records that are left, and makes their requests, in batches. */
  records(onCheckpoint: OpenRun['checkpoint']): AsyncIterable<ReadyRecord[]>;
  /** True if the ledger has all records already, so none remains to be read. */
  readonly whole?: boolean;
  /** The files of the run, with everything known about them at the time of the call. */
  files(): Promise<readonly SourceFile[]>;
  /**
   * The settled records of the run for its reports, read from the ledger by the thread that read the files; undefined if it
   * has ended. The tables must have all outcomes. Reads no further records.
   */
  settled?(run: number): AsyncIterable<SettledBatch> | undefined;
  /** Ends what it has begun. */
  close?(): Promise<void>;
}

/** All that one execution of a run needs. A resumed run has several executions. */
export interface RunContext {
  readonly options: CommandOptions & { readonly canary?: number | undefined };
  readonly target: StoreTarget;
  readonly source: RecordSource;
  readonly facts: StartedRun;
  /** Begins the run in the ledger, or reopens it. */
  readonly open: () => Promise<OpenRun>;
  /** The outcomes of earlier executions; this one adds its own. */
  readonly counts: RecordCounts;
  /** Stops the run if too many records go wrong. */
  readonly limit?: ErrorLimit | undefined;
}

/** An execution whose run is open in the ledger. */
export interface Execution extends RunContext {
  readonly run: OpenRun;
  readonly reports: Reports;
  /** Started with the execution. */
  readonly stopwatch: Stopwatch;
}

/**
 * The store's id for records that need one; undefined if none does. Also checks the credentials, so that a refusal is
 * found before anything is sent. Throws ConfigError if the id is needed and unknown.
 */
export async function storeIdFrom(
  resource: Resource,
  mapping: Mapping,
  target: StoreTarget,
): Promise<string | undefined> {
  const token = await target.client.authenticate();
  const storeId = target.storeId ?? token.storeId;
  const mapped = mapping.fields.some(({ path }) => path[0] === 'storeId');
  if (storeId === undefined && !mapped && resource.fromSettings?.includes('storeId'))
    throw new ConfigError(`${resource.name} need the store's id, and the token does not contain it.`, [
      'Give --store-id, or set STOREPORT_STORE_ID.',
    ]);
  return storeId;
}
