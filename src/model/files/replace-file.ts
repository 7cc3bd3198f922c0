import { setTimeout as wait } from 'node:timers/promises';
import { rename, renameSync, rmSync } from './fs.ts';

/** Parts of the system that tests replace. */
export interface RenameSystem {
  readonly platform: string;
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly wait: (ms: number) => Promise<unknown>;
}

/** Waits before further tries, in milliseconds: 1.3 seconds in all. */
const WAITS_MS = [10, 20, 40, 80, 160, 320, 640];
/** Codes with which Windows refuses to rename files that are open. Elsewhere they are about permissions. */
const OPEN_ELSEWHERE: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/**
 * Renames a file or folder over what exists there. Windows refuses that while any process has either of them open, which
 * virus scanners and search indexes do for moments, so there it is tried again. Throws the error of the system.
 */
export async function replaceFile(
  from: string,
  to: string,
  system: RenameSystem = { platform: process.platform, rename, wait },
): Promise<void> {
  for (const ms of WAITS_MS) {
    try {
      return await system.rename(from, to);
    } catch (error) {
      if (!isOpenElsewhere(error, system.platform)) throw error;
    }
    await system.wait(ms);
  }
  await system.rename(from, to);
}

/** Does the same where the caller cannot wait for a promise. */
export function replaceFileSync(
  from: string,
  to: string,
  system = { platform: process.platform as string, rename: renameSync, wait: waitSync },
): void {
  for (const ms of WAITS_MS) {
    try {
      system.rename(from, to);
      return;
    } catch (error) {
      if (!isOpenElsewhere(error, system.platform)) throw error;
    }
    system.wait(ms);
  }
  system.rename(from, to);
}

/** True for an error that another program causes, by having the file open. */
export function isOpenElsewhere(error: unknown, platform: string = process.platform): boolean {
  return platform === 'win32' && OPEN_ELSEWHERE.has((error as NodeJS.ErrnoException).code);
}

/** Removes a folder with all that is in it, if it exists. On Windows it waits for programs that have a file open. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function waitSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
