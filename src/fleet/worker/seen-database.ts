import { dirname } from 'node:path';
import { mkdir, readFile } from '../../model/files/fs.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../model/index.ts';
import { knownPositions, learnPositions } from '../../postgres/index.ts';
import { openAtomicFile } from '../../write/index.ts';
import type { WorkerLog } from './options.ts';

/**
 * Keeps how far the database was when workers of this machine last saw it. The next worker so notices that the database was
 * replaced by an earlier copy of itself. Trouble with the file is only a warning: it is not needed for work.
 */
export function seenDatabase(path: string | undefined, log: WorkerLog) {
  async function read(): Promise<void> {
    if (path === undefined) return;
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{}';
      throw error;
    });
    const found = Object.entries(JSON.parse(text) as Record<string, unknown>);
    learnPositions(
      Object.fromEntries(found.flatMap(([is, at]) => (/^\d{1,20}$/.test(`${at}`) ? [[is, `${at}`]] : []))),
    );
  }

  async function write(): Promise<void> {
    if (path === undefined) return;
    await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
    const file = await openAtomicFile(path, { mode: PRIVATE_FILE });
    try {
      await file.write(Buffer.from(`${JSON.stringify(knownPositions(), null, 2)}\n`));
      await file.commit();
    } finally {
      await file.abort();
    }
  }

  const warned = (work: () => Promise<void>) => () =>
    work().catch((error: unknown) =>
      log.warn({ file: path, error: String(error) }, 'what was seen of the database is not kept'),
    );
  return { read: warned(read), write: warned(write) };
}
