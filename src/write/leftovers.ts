import { readdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Removes the files that killed processes left beside a file: `.reviews.csv.<process>.<random>.part`. Keeps those of
 * running processes. Ignores a file that cannot be removed, since it does no harm.
 */
export async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  const prefix = `.${basename(path)}.`;
  // The folder may be missing; opening the file reports that.
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(prefix)) continue;
    const pid = /^(\d+)\.[0-9a-f]{12}\.part$/.exec(name.slice(prefix.length))?.[1];
    const file = join(folder, name);
    if (pid !== undefined && (await isLeft(file, Number(pid)))) await unlink(file).catch(() => {});
  }
}

async function isLeft(file: string, pid: number): Promise<boolean> {
  // In a container the process of every night may have the same number: then the file's time decides.
  if (pid === process.pid) return (await writtenAt(file)) < startedAt();
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/**
 * Returns the start time of this process, in milliseconds since 1970. The clock may have been set since. The earlier of
 * both answers counts, so that a file that this process is writing never looks older than the process.
 */
function startedAt(): number {
  return Math.min(performance.timeOrigin, Date.now() - performance.now());
}

/** Returns the modification time in milliseconds since 1970. */
async function writtenAt(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return found?.mtimeMs ?? Number.POSITIVE_INFINITY;
}
