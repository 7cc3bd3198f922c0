import { hostname } from 'node:os';
import { isAbsolute } from 'node:path';
import { existsSync, realpathSync, relative } from '../../model/files/fs.ts';
import { ConfigError, missingFile } from '../../model/index.ts';
import type { Sql } from '../../postgres/index.ts';
import { readLocation } from '../artifacts/index.ts';

/** A worker without a sign of life for so long does not count. */
const ALIVE_S = 60;

/**
 * Throws ConfigError for a path that no worker may read, and for one that does not exist here unless a worker of another machine is
 * at work, which may have it. Addresses are left to the workers.
 */
export async function refuseUnreadableFiles(sql: Sql, files: readonly string[]): Promise<void> {
  const paths = files.map(readLocation).flatMap((place) => (place.kind === 'path' ? [place.path] : []));
  if (paths.length === 0) return;
  const workers = await sql.query<{ host: string; sources: string[] | null }>(
    `select host, sources from worker
     where slots > 0 and seen_at > clock_timestamp() - make_interval(secs => $1)`,
    [ALIVE_S],
  );
  for (const path of paths) {
    if (workers.length > 0 && !workers.some(({ sources }) => sources === null || isBelow(path, sources)))
      throw new ConfigError(`${path} is not in a folder that a worker reads, so nothing was added.`, [
        `They read ${[...new Set(workers.flatMap(({ sources }) => sources ?? []))].join(', ')}, as --sources of each says.`,
      ]);
    if (!existsSync(path) && workers.every(({ host }) => host === hostname())) throw missingFile(path);
  }
}

/** By the text of the path, or by its real path on this machine. */
function isBelow(path: string, folders: readonly string[]): boolean {
  const real = existsSync(path) ? realpathSync(path) : path;
  return folders.some((folder) =>
    [path, real].some((each) => {
      const below = relative(folder, each);
      return below !== '..' && !/^\.\.[/\\]/.test(below) && !isAbsolute(below);
    }),
  );
}
