import type { LedgerSource } from '../../ledger/index.ts';
import type { RecordResult } from '../../model/index.ts';
import type { Sql } from '../../postgres/index.ts';
import type { Mask, SharedLimit } from '../../store/index.ts';
import type { ArtifactStorage } from '../artifacts/index.ts';
import type { SecretReader } from '../stores/secret.ts';
import type { TaskContext, TaskToRun, WorkerLog } from '../worker/options.ts';

export interface ExecutorOptions {
  readonly sql: Sql;
  /** Variables of the worker: secrets of stores, proxies, and credentials of object stores. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder on this machine for files of tasks that run; nothing in it is needed afterwards. */
  readonly scratch: string;
  /** Folders of this machine that tasks may read. Default: all that this process can. */
  readonly sources?: readonly string[] | undefined;
  /** True if images of tasks may be at private addresses. Default: they are not asked for. */
  readonly allowsPrivateImages?: boolean | undefined;
  /** True if source files of tasks may be at private addresses. Default: they are refused. */
  readonly allowsPrivateSources?: boolean | undefined;
  /** Largest source file, in bytes. Default: any. */
  readonly mostBytes?: number | undefined;
  /** This process, as messages about secrets name it. */
  readonly secretReader: SecretReader;
  /**
   * Keeps the files of tasks, and the keys of rows in the database. Without it, files are dropped, and rows of records that failed
   * cannot be read by another executor.
   */
  readonly storage?: ArtifactStorage | undefined;
  /** Secrets of stores are added to it. */
  readonly mask: Mask;
  readonly log: WorkerLog;
  /** Called with each record of an import whose outcome is incomplete, and what it belongs to; left out if nobody listens. */
  readonly recordFailed?: ((result: RecordResult, about: RecordOwner) => void) | undefined;
}

/** `run` is the id of the task. */
export interface RecordOwner {
  readonly task: string;
  readonly run: string;
  readonly store: string;
}

/** Folders of one execution, which no other execution uses. */
export interface TaskFolders {
  /** Sources that are fetched. */
  readonly sources: string;
  /** State of the command. */
  readonly home: string;
  /** Files to publish. */
  readonly out: string;
}

/** Everything that one execution needs. */
export interface TaskExecution extends ExecutorOptions, TaskContext {
  readonly task: TaskToRun;
  readonly folders: TaskFolders;
  readonly ledger: LedgerSource;
  readonly sharedLimit: SharedLimit | undefined;
}
