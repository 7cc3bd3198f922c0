import type { FileHandle } from 'node:fs/promises';
import { type Bytes, openHandle } from './bytes.ts';
import { stateOf } from './digest.ts';
import { openTemporaryFile } from './temporary-file.ts';
import type { Unchanged } from './unchanged.ts';

/** Bytes that can be read at any place, as the index at the end of a zip file requires. */
export interface RandomAccess {
  readonly size: number;
  /** Reads `length` bytes, or fewer at the end of the file. */
  read(position: number, length: number): Promise<Buffer>;
  /** Returns the SHA-256 of all bytes, in hex. */
  digest(): Promise<string>;
  close(): Promise<void>;
}

/** Opens a regular file. Throws RunStopped if it changes while it is read. */
export async function fileAccess(file: string, unchanged: Unchanged): Promise<RandomAccess> {
  const handle = await openHandle(file);
  // Parts of the file are read in any order, so only a digest from before shows that it has changed.
  const { size, sha256 } = await digested(file, unchanged).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  return {
    size,
    async read(position, length) {
      const bytes = await readAt(handle, position, length);
      await unchanged.check(handle.fd);
      return bytes;
    },
    async digest() {
      await unchanged.check(handle.fd);
      return sha256;
    },
    close: () => handle.close(),
  };
}

async function digested(file: string, unchanged: Unchanged): ReturnType<typeof stateOf> {
  const state = await stateOf(file);
  unchanged.expect(state.sha256);
  return state;
}

/** Copies a stream to a temporary file, since a pipe can be read only once. `digest` returns that of the stream. */
export async function spooledAccess(input: Bytes, digest: () => string | undefined): Promise<RandomAccess> {
  const file = openTemporaryFile('A workbook from standard input is kept');
  const close = async () => file.close();
  try {
    for await (const bytes of input) file.append(bytes);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    size: file.size,
    async read(position, length) {
      const bytes = Buffer.allocUnsafe(length);
      return bytes.subarray(0, file.read(bytes, position));
    },
    digest: async () => digest() ?? '',
    close,
  };
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
