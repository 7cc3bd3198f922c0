import { closeSync, openSync, readSync } from 'node:fs';
import { ConfigError } from '../errors.ts';

/** Mappings, settings and the like are some kilobytes. */
const MOST_BYTES = 5_000_000;
const CHUNK_BYTES = 64 * 1024;

/**
 * Reads the text of a whole file that should be small. Stops at the limit, also for pipes and devices, whose size is not
 * known before. Throws ConfigError for a larger file, and the error of the system if it cannot be read. `what`: the file
 * in the message, at its beginning.
 */
export function readSmallFile(file: string, what: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const parts: Buffer[] = [];
    let length = 0;
    for (;;) {
      const part = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, MOST_BYTES + 1 - length));
      const read = readSync(descriptor, part);
      if (read === 0) return Buffer.concat(parts).toString('utf8');
      parts.push(part.subarray(0, read));
      length += read;
      if (length > MOST_BYTES)
        throw new ConfigError(`${what} is larger than ${MOST_BYTES} bytes, and was not read further.`, [
          'Is this the right file?',
        ]);
    }
  } finally {
    closeSync(descriptor);
  }
}
