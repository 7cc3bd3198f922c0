import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Plan for a process with preload.mjs. */
export interface FaultPlan {
  /** File to which every moment is appended. */
  readonly trace?: string;
  /**
   * The threads whose moments count: the main one, the one that folds the log, the one that reads the files, or those that
   * map blocks of a file. With several, each counts its own.
   */
  readonly thread?: 'main' | 'fold' | 'reader' | 'mapping';
  /** Number of cores that the process seems to have. */
  readonly cores?: number;
  /** A file of the bundle that seems to be missing, such as `reader-worker.cjs`: then there is no such thread. */
  readonly hidden?: string;
  /** The process ends at this moment, as by a kill; the first one is 1. */
  readonly killAt?: number;
  /** The thread ends at this moment by itself. */
  readonly endAt?: number;
  /**
   * Writes or syncs of the log fail from this one on, where the first one allocates the file; or SQLite calls
   * fail.
   */
  readonly fail?:
    | { readonly call: 'write' | 'sync'; readonly from: number; readonly code: 'ENOSPC' | 'EIO' }
    | { readonly call: 'sql'; readonly from: number };
}

/** Loaded before a worker of a fleet. The same path from here and from node_modules/.faults. */
export const PAUSE_BEFORE_SEND = fileURLToPath(
  new URL('../../test/faults/pause-before-send.mjs', import.meta.url),
);

/** Environment of a process with this plan. */
export function environmentFor(plan: FaultPlan): Record<string, string> {
  // The same path from here and from node_modules/.faults, the folder of the bundled scripts.
  const preload = fileURLToPath(new URL('../../test/faults/preload.mjs', import.meta.url));
  return { NODE_OPTIONS: `--import=${pathToFileURL(preload)}`, FAULT_PLAN: JSON.stringify(plan) };
}

/** A moment of such a process. */
export interface Moment {
  /** `writes`, `half written`, `written`, `syncs`, `synced`, `sync failed`, `sends`, `sent` and others. */
  readonly what: string;
  /** Descriptor of a sync that does not block. */
  readonly descriptor?: number;
  /** Bytes that were written or sent, or the path that was synced or removed. */
  readonly text?: string;
  /** Time in ms on the monotonic clock of the process; absent if only the order is known. */
  readonly ms?: number;
}

export function readTrace(file: string): Moment[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Moment);
}
