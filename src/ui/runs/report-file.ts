import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { NotFound, type RawAnswer } from '../../http/index.ts';
import { open, realpath } from '../../model/files/fs.ts';
import { reportsFound } from './run-view.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/**
 * report.html has a policy of its own, which allows its own script and style and no request. In a sandbox without its
 * origin it cannot use the API either, even if it was changed.
 */
const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts",
};

/** Opens a report in the folder of a run. Throws NotFound for every name that is not one of its reports. */
export async function reportFile(out: string, name: string): Promise<RawAnswer> {
  const missing = new NotFound(`The run has no report "${name}".`, [
    'storeport run report writes its reports again.',
  ]);
  if (!reportsFound(out).includes(name)) throw missing;
  const file = await openBelow(out, name).catch(() => undefined);
  if (file === undefined) throw missing;
  // A pipe of that name would never end.
  const isFile = await file.stat().then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) {
    await file.close();
    throw missing;
  }
  const headers =
    extname(name) === '.html'
      ? PAGE_HEADERS
      : {
          'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream',
          'Content-Disposition': `attachment; filename="${name}"`,
        };
  return { headers, body: file.createReadStream() };
}

/** Opens a file without following a link that leads out of its folder. Undefined for such a link. */
async function openBelow(folder: string, name: string): Promise<FileHandle | undefined> {
  const [home, path] = await Promise.all([realpath(folder), realpath(join(folder, name))]);
  if (!path.startsWith(home + sep)) return undefined;
  // Between the two calls somebody may have put a link there. Without O_NONBLOCK, opening a pipe would wait.
  return open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
}
