import { isAbsolute } from 'node:path';
import { realpath, relative } from '../../../model/files/fs.ts';
import { ConfigError, missingFile } from '../../../model/index.ts';

/**
 * Returns the real path of a file or folder, after all links. Throws ConfigError unless it is in one of these folders, in the
 * same words whether it exists or not.
 */
export async function realPathWithin(path: string, folders: readonly string[]): Promise<string> {
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => error);
  // A path that does not exist is judged by its text: what is there outside must not show.
  const isAllowed = await anyContains(folders, real instanceof Error ? path : real);
  if (!isAllowed)
    throw new ConfigError(`${path} is not in a folder that this worker reads.`, [
      'Workers read the folders that --sources names.',
    ]);
  if (!(real instanceof Error)) return real;
  if (real.code === 'ENOENT' || real.code === 'ENOTDIR') throw missingFile(path);
  throw new ConfigError(`${path} cannot be read: ${real.message}.`);
}

async function anyContains(folders: readonly string[], path: string): Promise<boolean> {
  for (const folder of folders) {
    const root = await realpath(folder).catch(() => folder);
    const below = relative(root, path);
    if (below !== '..' && !below.startsWith('../') && !below.startsWith('..\\') && !isAbsolute(below))
      return true;
  }
  return false;
}
