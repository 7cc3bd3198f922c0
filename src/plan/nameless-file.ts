import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A file without a name, which only its process sees. It is deleted when it is closed, or when the process ends. */
export interface UnlinkedTempFile {
  /** Writes the first `length` bytes, which are not durable after a power cut. */
  write(bytes: Uint8Array, length: number, position: number): void;
  /** Reads into the first `length` bytes. */
  read(bytes: Uint8Array, length: number, position: number): void;
  close(): void;
}

/** Throws the system's error, as reading and writing do. */
export function openNamelessFile(folder: string): UnlinkedTempFile {
  const path = join(folder, `storeport-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  // `wx`: never follows a link that somebody else has placed. Only the owner may read: keys may be mail addresses.
  const descriptor = openSync(path, 'wx+', 0o600);
  // The open file does not need its name. Windows may refuse to remove it before the file is closed.
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
        // The content is no longer needed, and this error must not hide that of the run.
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
