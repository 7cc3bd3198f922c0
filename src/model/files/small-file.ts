import { closeSync, readSync } from 'node:fs';
import { ConfigError } from '../errors.ts';
import { openSync } from './fs.ts';

/** Upper bound. Mappings and settings have a few kilobytes. */
const MOST_BYTES = 5_000_000;
const CHUNK_BYTES = 64 * 1024;

/**
 * Reads the whole text of a file that should be small. Also stops at the limit for pipes and devices, whose size is
 * unknown. Throws ConfigError for a larger file, and the system's error if the file cannot be read. `what` names the
 * file at the beginning of the message.
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
