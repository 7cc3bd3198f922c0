import { randomBytes } from 'node:crypto';
import { type FileHandle, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ConfigError, RunStopped } from '../model/index.ts';
import { removeLeftovers } from './leftovers.ts';
import { closedByReader, type Sink } from './sink.ts';

/** Small writes are gathered up to this before they go to the system. */
const BUFFER_BYTES = 256 * 1024;

export interface AtomicFile extends Sink {
  /** Brings what was written to the disk, so that `commit` needs no more room there. Nothing is written after it. */
  seal(): Promise<void>;
}

export interface AtomicFileOptions {
  /** Permissions of the file; undefined: those of the file it replaces, or what the umask leaves. */
  readonly mode?: number | undefined;
  /**
   * Called when all is on the disk, and the file is about to appear. If it throws, nothing does. It is not called for
   * what is written in place.
   */
  readonly beforeItAppears?: (() => Promise<void>) | undefined;
  /** Sees the bytes in order, as they lie on the disk; what it is given is written over afterwards. */
  readonly onBytes?: ((bytes: Buffer) => void) | undefined;
}

const encoder = new TextEncoder();

/**
 * A file that appears whole or not at all: it is written beside its place under another name, synced, renamed,
 * and the rename is synced too. Until `commit` returns, a file that was there before stays as it was. What processes
 * that were killed have left beside it is removed.
 *
 * What is no ordinary file, such as /dev/null or a named pipe, is written in place.
 */
export async function openAtomicFile(
  path: string,
  { mode, beforeItAppears, onBytes }: AtomicFileOptions = {},
): Promise<AtomicFile> {
  const place = await findPlace(path);
  if (place.beside !== undefined) await removeLeftovers(place.path);
  const handle = await openFile(path, { ...place, mode: mode ?? place.mode });
  const failed = (error: unknown) =>
    new RunStopped('output-failed', `${path} cannot be written: ${(error as Error).message}.`, [
      'Make room or choose another place, then run the command again; what stood there before is unchanged.',
    ]);
  let state: 'open' | 'committed' | 'aborted' = 'open';
  let isSealed = false;
  /** The path is a pipe, and its reader is gone. */
  let isClosed = false;
  // While one is written, the other is filled.
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
    // It is thrown when the next one is to be written.
    writing.catch(() => {});
  }

  /** Text goes into the room as it is encoded: a buffer for each would cost as much as to make the text. */
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

  /** Removes the file beside before the failure is told: a caller that gives up leaves nothing. */
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
          await beforeItAppears?.();
          await rename(place.beside, place.path);
          await syncFolder(dirname(place.path));
        }
        state = 'committed';
      }),
    abort: discard,
    isClosed: () => isClosed,
  };
}

interface Place {
  /** The file itself, behind symbolic links: a link stays a link. */
  readonly path: string;
  /** Where it is written first; undefined for what cannot be renamed over. */
  readonly beside: string | undefined;
  /** Permissions that it gets; undefined: what the umask leaves. */
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
    // `wx`: never through a link that somebody else put there.
    if (place.beside === undefined) return await open(place.path, 'w');
    const handle = await open(place.beside, 'wx', place.mode);
    if (place.mode !== undefined) await handle.chmod(place.mode);
    return handle;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new ConfigError(`${path} cannot be written: there is no folder ${dirname(path)}.`, [
        `Make it first: mkdir -p ${dirname(path)}`,
      ]);
    }
    throw new ConfigError(`${path} cannot be written: ${message}.`);
  }
}

/** Without it a power cut may lose the rename. Windows cannot open folders, and does not need to. */
async function syncFolder(folder: string): Promise<void> {
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
