import { randomBytes } from 'node:crypto';
import { closeSync, readSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSync, unlinkSync } from '../../model/files/fs.ts';
import { RunStopped } from '../../model/index.ts';

/**
 * A temporary file that no other program sees: its name is removed at once. It is read and written in place, since the
 * operating system keeps it in memory.
 */
export interface TemporaryFile {
  readonly size: number;
  append(bytes: Buffer): void;
  /** Fills the buffer from this place on. Returns the number of bytes, which is less at the end of the file. */
  read(into: Buffer, position: number): number;
  close(): void;
}

/** Throws RunStopped if the file cannot be written. `what` begins the message: what is kept there. */
export function openTemporaryFile(what: string, folder = tmpdir()): TemporaryFile {
  const path = join(folder, `storeport-${process.pid}-${randomBytes(6).toString('hex')}.part`);
  const attempt = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw new RunStopped(
        'temporary-file-failed',
        `${what} in a temporary file in ${folder}, which failed: ${(error as Error).message}.`,
        [
          `Make room there, or name another folder in the variable ${process.platform === 'win32' ? 'TEMP' : 'TMPDIR'}.`,
        ],
      );
    }
  };
  const file = attempt(() => openSync(path, 'wx+', 0o600));
  // On Windows the name may stay until the file is closed, which the end of the process does too.
  const isHidden = remove(path);
  let size = 0;
  return {
    get size() {
      return size;
    },
    append(bytes) {
      attempt(() => {
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, size + at);
      });
      size += bytes.length;
    },
    read(into, position) {
      let filled = 0;
      for (let read = -1; read !== 0 && filled < into.length; filled += read)
        read = attempt(() => readSync(file, into, filled, into.length - filled, position + filled));
      return filled;
    },
    close() {
      closeSync(file);
      if (!isHidden) remove(path);
    },
  };
}

function remove(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
