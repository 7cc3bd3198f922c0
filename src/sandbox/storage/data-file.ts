import { closeSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { openSync } from '../../model/files/fs.ts';
import { DataFileError } from './data-file-error.ts';
import type { CreatedCollection } from './ids.ts';
import { lockFile } from './lock.ts';
import type { RecordLog } from './log.ts';
import type { Places } from './places.ts';
import { scan } from './scan.ts';

export interface DataFile extends RecordLog {
  /** Warning about the file as it was found. Undefined: it was in order. */
  readonly notice: string | undefined;
}

/**
 * Opens a file that keeps records over restarts: NDJSON, one line for each version of a record. The last version counts.
 *
 *     {"collection":"products","position":0,"record":{"_id":"5a9d0b01…","name":"Mug",…}}
 *
 * A line is written before its request is answered. `index` is filled with the places of the records in the file. If a
 * killed process left a last line without its end, that line is cut off: its request was never answered. Throws
 * DataFileError.
 */
export function openDataFile(file: string, index: Readonly<Record<CreatedCollection, Places>>): DataFile {
  const unlock = lockFile(file);
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'a+');
    const { end, size } = scan(file, descriptor, index);
    if (end < size) ftruncateSync(descriptor, end);
    const notice =
      end < size
        ? `The last line of ${file} was not complete, and was cut off (${size - end} bytes).`
        : undefined;
    return { ...createLog(descriptor, end, unlock), notice };
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    unlock();
    if (error instanceof DataFileError) throw error;
    throw new DataFileError(`${file} cannot be used: ${(error as Error).message}.`);
  }
}

function createLog(descriptor: number, end: number, unlock: () => void): RecordLog {
  let at = end;
  return {
    append(collection, position, text) {
      const before = `{"collection":"${collection}","position":${position},"record":`;
      const line = Buffer.from(`${before}${text}}\n`);
      write(descriptor, line, at);
      const place = { offset: at + before.length, length: line.length - before.length - 2 };
      at += line.length;
      return place;
    },
    read({ offset, length }) {
      const bytes = Buffer.allocUnsafe(length);
      for (let got = 0; got < length; ) {
        const more = readSync(descriptor, bytes, got, length - got, offset + got);
        if (more === 0) throw new Error('the data file has become shorter');
        got += more;
      }
      return bytes.toString();
    },
    close() {
      closeSync(descriptor);
      unlock();
    },
  };
}

/** Appends to a file of `end` bytes. It does not sync to disk: a kill loses nothing, but a power cut may. */
function write(descriptor: number, line: Buffer, end: number): void {
  try {
    for (let written = 0; written < line.length; )
      written += writeSync(descriptor, line, written, line.length - written);
  } catch (error) {
    // A full disk may have written half of the line. Remove it, or the next line would be appended to it.
    ftruncateSync(descriptor, end);
    throw error;
  }
}
