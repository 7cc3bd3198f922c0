import { closeSync, openSync, readSync } from 'node:fs';
import { ConfigError } from './errors.ts';

/** Mappings, settings and the like are some kilobytes. */
export const SMALL_FILE_BYTES = 5_000_000;

/**
 * The text of a file that is read whole, because it is small. No more than the limit is read, also of pipes and devices,
 * whose size nobody knows. Throws ConfigError for a larger one, and what the system says where it cannot be read.
 * `what`: the file, as the message begins.
 */
export function readSmallFile(file: string, what: string, most: number = SMALL_FILE_BYTES): string {
  const descriptor = openSync(file, 'r');
  try {
    const parts: Buffer[] = [];
    let length = 0;
    for (;;) {
      const part = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, most + 1 - length));
      const read = readSync(descriptor, part);
      if (read === 0) return Buffer.concat(parts).toString('utf8');
      parts.push(part.subarray(0, read));
      length += read;
      if (length > most)
        throw new ConfigError(`${what} is larger than ${most} bytes, and was not read further.`, [
          'Is this the right file?',
        ]);
    }
  } finally {
    closeSync(descriptor);
  }
}

const CHUNK_BYTES = 64 * 1024;
