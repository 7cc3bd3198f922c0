import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { open, realpath, stat, unlink } from '../model/files/fs.ts';
import {
  ConfigError,
  isOpenElsewhere,
  ownershipHints,
  RunStopped,
  replaceFile,
  shellWord,
} from '../model/index.ts';
import { removeLeftovers } from './leftovers.ts';
import { closedByReader, type Sink } from './sink.ts';

/** Small writes are buffered up to this size before a system call. */
const BUFFER_BYTES = 256 * 1024;

export interface AtomicFile extends Sink {
  /** Syncs the file, so that `commit` needs no more room on the disk. Nothing can be written afterwards. */
  seal(): Promise<void>;
}

export interface AtomicFileOptions {
  /** Permissions of the file. Undefined: those of the file it replaces, or those the umask leaves. */
  readonly mode?: number | undefined;
  /**
   * Called when everything is on the disk, just before the file is renamed. If it throws, the file does not appear. Not
   * called for a file that is written in place.
   */
  readonly beforeRename?: (() => Promise<void>) | undefined;
  /** Called with the bytes in order, as they are on the disk. The buffer is reused afterwards. */
  readonly onBytes?: ((bytes: Buffer) => void) | undefined;
}

const encoder = new TextEncoder();

/**
 * Opens a file that appears whole or not at all. It is written under another name in the same folder, synced and
 * renamed; the rename is synced too. Until `commit` returns, an existing file stays unchanged. Files that killed
 * processes left there are removed.
 *
 * A path that is not a regular file, such as /dev/null or a named pipe, is written in place.
 */
export async function openAtomicFile(
  path: string,
  { mode, beforeRename, onBytes }: AtomicFileOptions = {},
): Promise<AtomicFile> {
  const place = await findPlace(path);
  if (place.beside !== undefined) await removeLeftovers(place.path);
  const handle = await openFile(path, { ...place, mode: mode ?? place.mode });
  const failed = (error: unknown) =>
    new RunStopped('output-failed', `${path} cannot be written: ${(error as Error).message}.`, [
      `${isOpenElsewhere(error) ? 'Close it in other programs, such as a spreadsheet,' : 'Make room'} or choose another place, then run the command again; what stood there before is unchanged.`,
    ]);
  let state: 'open' | 'committed' | 'aborted' = 'open';
  let isSealed = false;
  /** True if the path is a pipe whose reader is gone. */
  let isClosed = false;
  // Two buffers: one is filled while the other is written.
  let room = Buffer.allocUnsafe(BUFFER_BYTES);
  let spare = Buffer.allocUnsafe(BUFFER_BYTES);
  let used = 0;
  let writing: Promise<void> = Promise.resolve();

  async function flush(): Promise<void> {
    await writing;
    const bytes = room.subarray(0, used);
    [room, spare, used] = [spare, room, 0];
    onBytes?.(bytes);
    writing = handle.appendFile(bytes);
    // The next `flush` or `seal` throws the error.
    writing.catch(() => {});
  }

  /** Encodes text straight into the buffer: a buffer for each text would cost as much as creating the text. */
  async function putText(text: string): Promise<void> {
    for (let rest = text; ; ) {
      const { read, written } = encoder.encodeInto(rest, room.subarray(used));
      used += written;
      if (read === rest.length) return;
      await flush();
      rest = rest.slice(read);
    }
  }

  async function putBytes(bytes: Buffer): Promise<void> {
    for (let rest = bytes; rest.length > 0; ) {
      const taken = rest.copy(room, used);
      used += taken;
      if (used === room.length) await flush();
      rest = rest.subarray(taken);
    }
  }

  async function seal(): Promise<void> {
    if (isSealed) return;
    await flush();
    await writing;
    if (place.beside !== undefined) await handle.sync();
    await handle.close();
    isSealed = true;
  }

  async function discard(): Promise<void> {
    if (state !== 'open') return;
    state = 'aborted';
    await writing.catch(() => {});
    await handle.close().catch(() => {});
    if (place.beside !== undefined) await unlink(place.beside).catch(() => {});
  }

  /** Removes the temporary file before it throws, so that a caller that gives up leaves nothing. */
  async function attempt(work: () => Promise<void>): Promise<void> {
    if (state !== 'open') throw new Error(`${path} was written to after it was ${state}.`);
    try {
      await work();
    } catch (error) {
      await discard();
      isClosed ||= (error as NodeJS.ErrnoException).code === 'EPIPE';
      if (isClosed) throw closedByReader(path);
      throw error instanceof RunStopped ? error : failed(error);
    }
  }

  return {
    write: (chunk) => attempt(() => (typeof chunk === 'string' ? putText(chunk) : putBytes(chunk))),
    seal: () => attempt(seal),
    commit: () =>
      attempt(async () => {
        await seal();
        if (place.beside !== undefined) {
          await beforeRename?.();
          await replaceFile(place.beside, place.path);
          await syncNamesIn(dirname(place.path));
        }
        state = 'committed';
      }),
    abort: discard,
    isClosed: () => isClosed,
  };
}

interface Place {
  /** The real path, behind symbolic links: a link stays a link. */
  readonly path: string;
  /** Path of the temporary file; undefined if the target cannot be replaced by a rename. */
  readonly beside: string | undefined;
  /** Permissions of the new file; undefined: those the umask leaves. */
  readonly mode: number | undefined;
}

async function findPlace(path: string): Promise<Place> {
  let target = path;
  let mode: number | undefined;
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new ConfigError(`${path} is a folder: name a file in it.`);
    // /dev/stdout leads to a pipe that has no path of its own.
    if (!found.isFile()) return { path, beside: undefined, mode };
    target = await realpath(path);
    mode = found.mode & 0o777;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof ConfigError) throw error;
    if (code !== 'ENOENT') throw new ConfigError(`${path} cannot be written: ${message}.`);
  }
  const unique = `${process.pid}.${randomBytes(6).toString('hex')}`;
  const beside = join(dirname(target), `.${basename(target)}.${unique}.part`);
  return { path: target, beside, mode };
}

async function openFile(path: string, place: Place): Promise<FileHandle> {
  try {
    // `wx` never follows a link that somebody else created there.
    if (place.beside === undefined) return await open(place.path, 'w');
    const handle = await open(place.beside, 'wx', place.mode);
    if (place.mode !== undefined) await handle.chmod(place.mode);
    return handle;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new ConfigError(`${path} cannot be written: there is no folder ${dirname(path)}.`, [
        `Make it first: ${makeFolderCommand(dirname(path))}`,
      ]);
    }
    throw new ConfigError(
      `${path} cannot be written: ${message}.`,
      ownershipHints(error, place.beside ?? place.path),
    );
  }
}

function makeFolderCommand(folder: string): string {
  // On Windows it makes missing folders above by itself.
  return `${process.platform === 'win32' ? 'mkdir' : 'mkdir -p'} ${shellWord(folder)}`;
}

/**
 * Syncs the names in a folder: otherwise a power cut may lose new files and renames. Windows cannot open folders, and does
 * not need to.
 */
export async function syncNamesIn(folder: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, 'r');
    await handle.sync();
  } catch (error) {
    if (process.platform !== 'win32') throw error;
  } finally {
    await handle?.close();
  }
}
