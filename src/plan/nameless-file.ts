import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A file that only its process sees: it has no name, and is gone when it is closed or the process is, in any way. */
export interface UnlinkedTempFile {
  /** Hands the first `length` bytes to the system; nothing is promised for after a power cut. */
  write(bytes: Uint8Array, length: number, position: number): void;
  /** Fills the first `length` bytes. */
  read(bytes: Uint8Array, length: number, position: number): void;
  close(): void;
}

/** Throws what the system says, as reading and writing do. */
export function openNamelessFile(folder: string): UnlinkedTempFile {
  const path = join(folder, `storeport-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  // `wx`: never through a link that somebody else put there. For nobody else to read: keys may be people's addresses.
  const descriptor = openSync(path, 'wx+', 0o600);
  // The open file does not need its name. Windows may not let go of it before the file is closed.
  const isNameless = remove(path);

  return {
    write(bytes, length, position) {
      for (let written = 0; written < length; )
        written += writeSync(descriptor, bytes, written, length - written, position + written);
    },
    read(bytes, length, position) {
      for (let got = 0; got < length; ) {
        const more = readSync(descriptor, bytes, got, length - got, position + got);
        if (more === 0) throw new Error('the file has become shorter');
        got += more;
      }
    },
    close() {
      try {
        closeSync(descriptor);
      } catch {
        // What was in it is of no use any more: how it ends must not hide how the run did.
      }
      if (!isNameless) remove(path);
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
