import { basename, dirname, join } from 'node:path';
import { readdir, unlink } from '../model/files/fs.ts';
import { isOfDeadProcess } from '../model/index.ts';

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
    if (pid !== undefined && isOfDeadProcess(file, Number(pid))) await unlink(file).catch(() => {});
  }
}
