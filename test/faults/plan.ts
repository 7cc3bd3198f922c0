import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** What happens to a process that runs behind preload.mjs. */
export interface FaultPlan {
  /** File that every moment is appended to. */
  readonly trace?: string;
  /** The process ends at this moment, as by a kill; the first one is 1. */
  readonly killAt?: number;
  /**
   * Writes or syncs of the log fail from this one on, the first one being that which allocates the file; or what SQLite
   * is told to do.
   */
  readonly fail?:
    | { readonly call: 'write' | 'sync'; readonly from: number; readonly code: 'ENOSPC' | 'EIO' }
    | { readonly call: 'sql'; readonly from: number };
}

/** Environment of a process to which this is to happen. */
export function environmentFor(plan: FaultPlan): Record<string, string> {
  // The same path from here and from node_modules/.faults, where the scripts are bundled.
  const preload = fileURLToPath(new URL('./preload.mjs', import.meta.url));
  return { NODE_OPTIONS: `--import=${pathToFileURL(preload)}`, FAULT_PLAN: JSON.stringify(plan) };
}

/** A moment of such a process. */
export interface Moment {
  /** `writes`, `half written`, `written`, `syncs`, `synced`, `sync failed`, `sends`, `sent` and others. */
  readonly what: string;
  /** What was written or sent, or the path of what was synced or removed. */
  readonly text?: string;
  /** When, in milliseconds on the process's own monotonic clock; absent where only the order is known. */
  readonly ms?: number;
}

export function readTrace(file: string): Moment[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Moment);
}
