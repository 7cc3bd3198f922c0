import type { IncomingMessage } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createWriteStream, mkdirSync, readdirSync } from '../../model/files/fs.ts';
import { ConfigError, PRIVATE_FILE, PRIVATE_FOLDER, removeFolder } from '../../model/index.ts';
import { newWorkId } from './work-state.ts';

/** A larger file is better opened by its path, since it is copied here. */
const MOST_BYTES = 4 * 1024 ** 3;
/** Bytes of a name, since file systems count them so. */
const LONGEST_NAME = 120;

/** Keeps a file that was dropped on the page, in a folder of its own below `folder`. Returns its path. */
export async function keepUpload(incoming: IncomingMessage, name: string, folder: string): Promise<string> {
  const file = join(folder, newWorkId(), safeName(name));
  mkdirSync(dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
  let bytes = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(
        bytes > MOST_BYTES
          ? new ConfigError('The file is larger than 4 GiB.', [
              'Put it into the folder of storeport ui, and open it by its path.',
            ])
          : null,
        chunk,
      );
    },
  });
  try {
    await pipeline(incoming, limit, createWriteStream(file, { mode: PRIVATE_FILE, flags: 'wx' }));
  } catch (error) {
    removeFolder(dirname(file));
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new ConfigError('There is no space left for the file.', ['Make room, or open it by its path.']);
    throw error;
  }
  return file;
}

/** The name without anything that would lead elsewhere. Its end stays, since it tells the format. */
export function safeName(name: string): string {
  const plain = withoutStart(name.replaceAll(/[\u0000-\u001f\u007f/\\:]/g, '_'));
  const characters = [...plain];
  let bytes = Buffer.byteLength(plain);
  let from = 0;
  while (bytes > LONGEST_NAME) bytes -= Buffer.byteLength(characters[from++] ?? '');
  const kept = withoutStart(characters.slice(from).join(''));
  return kept === '' ? 'file' : kept;
}

/** A name that begins with a dot is hidden, and one with a hyphen looks like an option. */
function withoutStart(name: string): string {
  return name.replace(/^[.\s-]+/, '');
}

/** Removes uploads that no work has: the server was killed in the middle of them. `used`: paths of works. */
export function removeHalfUploads(folder: string, used: readonly string[]): void {
  const ids = new Set(used.map((path) => basename(dirname(path))));
  for (const id of readdirSync(folder)) if (!ids.has(id)) removeFolder(join(folder, id));
}
