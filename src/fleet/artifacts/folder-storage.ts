import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { createReadStream, mkdir, open, readdir, rmdir, stat, unlink } from '../../model/files/fs.ts';
import { ConfigError, PRIVATE_FILE, PRIVATE_FOLDER } from '../../model/index.ts';
import { openAtomicFile } from '../../write/index.ts';
import { checkArtifactName } from './keys.ts';
import type { ArtifactStorage, ListedObject } from './types.ts';

/** Opens a folder, which is created if it is missing. All workers and `fleet serve` must see the same one. */
export async function openFolderStorage(root: string): Promise<ArtifactStorage> {
  await makeFolder(root);

  function pathOf(key: string): string {
    checkArtifactName(key);
    return join(root, ...key.split('/'));
  }

  return {
    name: root,
    async put(key, content, { signal } = {}) {
      const path = pathOf(key);
      await makeFolder(dirname(path));
      const file = await openAtomicFile(path, { mode: PRIVATE_FILE });
      const hash = createHash('sha256');
      let bytes = 0;
      try {
        for await (const chunk of content) {
          signal?.throwIfAborted();
          hash.update(chunk);
          bytes += chunk.length;
          await file.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
        }
        signal?.throwIfAborted();
        await file.commit();
      } finally {
        await file.abort();
      }
      return { key, bytes, sha256: hash.digest('hex') };
    },
    async get(key, signal) {
      const handle = await unlessMissing(open(pathOf(key), 'r'));
      return handle && createReadStream('', { fd: handle, ...(signal && { signal }) });
    },
    async remove({ key, upload }) {
      const path = pathOf(upload ?? key);
      await unlessMissing(unlink(path));
      // The last file of a publication takes its folder along. Nothing else is ever written there.
      await rmdir(dirname(path)).catch(() => {});
    },
    list: () => listFolder(root, ''),
    close: async () => {},
  };
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  } catch (error) {
    throw new ConfigError(
      `The folder ${folder} for files of tasks cannot be used: ${(error as Error).message}.`,
    );
  }
}

async function unlessMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Lists files below a folder, deepest folders last. Entries that vanish meanwhile are left out. */
async function* listFolder(root: string, below: string): AsyncGenerator<ListedObject, void, undefined> {
  const entries: Dirent[] = (await unlessMissing(readdir(join(root, below), { withFileTypes: true }))) ?? [];
  for (const entry of entries) {
    const path = posix.join(below, entry.name);
    if (entry.isDirectory()) yield* listFolder(root, path);
    if (!entry.isFile()) continue;
    const found = await unlessMissing(stat(join(root, path)));
    if (found === undefined) continue;
    const [, name] = /^\.(.+)\.\d+\.[0-9a-f]{12}\.part$/.exec(entry.name) ?? [];
    if (name === undefined) yield { key: path, at: found.mtime };
    else yield { key: posix.join(below, name), at: found.mtime, upload: path };
  }
}
