import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import type { Json } from '../../model/index.ts';
import { CREATED, type CreatedCollection, idOf } from '../ids.ts';
import { lockFile } from './lock.ts';
import type { Place, RecordLog } from './log.ts';
import type { Places } from './places.ts';

/**
 * A data file that cannot be used: it is damaged, another sandbox has it, or the system refuses it. It is left as it
 * is. The message names file and line.
 */
export class DataFileError extends Error {}

export interface DataFile extends RecordLog {
  /** What was found when it was opened, where that is worth a word. */
  readonly notice: string | undefined;
}

/**
 * Records in a file, over restarts: NDJSON, one line for each version of a record, the last one counts.
 *
 *     {"collection":"products","position":0,"record":{"_id":"5a9d0b01…","name":"Mug",…}}
 *
 * A line is written before its request is answered. `index` is filled with what the file has. A last line without an
 * end, as a killed process leaves it, was never answered, and is cut off. Throws DataFileError.
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
    return { ...writer(descriptor, end, unlock), notice };
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    unlock();
    if (error instanceof DataFileError) throw error;
    throw new DataFileError(`${file} cannot be used: ${(error as Error).message}.`);
  }
}

function writer(descriptor: number, end: number, unlock: () => void): RecordLog {
  let at = end;
  return {
    append(collection, position, text) {
      const before = `{"collection":"${collection}","position":${position},"record":`;
      const line = Buffer.from(`${before}${text}}\n`);
      // To the system, not to the disk: a killed sandbox loses nothing, a power cut may.
      for (let written = 0; written < line.length; )
        written += writeSync(descriptor, line, written, line.length - written);
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

const SCAN_BYTES = 1024 * 1024;

/** Reads all whole lines into the index. `end`: where the last of them ends. */
function scan(file: string, descriptor: number, index: Readonly<Record<CreatedCollection, Places>>) {
  const chunk = Buffer.allocUnsafe(SCAN_BYTES);
  let rest: Buffer = Buffer.alloc(0);
  let end = 0;
  let size = 0;
  let line = 0;
  for (;;) {
    const got = readSync(descriptor, chunk, 0, SCAN_BYTES, size);
    if (got === 0) return { end, size };
    size += got;
    const bytes = Buffer.concat([rest, chunk.subarray(0, got)]);
    let start = 0;
    for (let stop = bytes.indexOf(10); stop >= 0; stop = bytes.indexOf(10, start)) {
      line += 1;
      const problem = readLine(bytes.toString('utf8', start, stop), end, index);
      if (problem !== undefined)
        throw new DataFileError(
          `${file}, line ${line}: ${problem}. The file is left as it is; take the line out, or name another file.`,
        );
      end += stop + 1 - start;
      start = stop + 1;
    }
    rest = bytes.subarray(start);
  }
}

/** Notes where a line's record lies, or says what is wrong with the line. */
function readLine(
  text: string,
  offset: number,
  index: Readonly<Record<CreatedCollection, Places>>,
): string | undefined {
  let line: Json;
  try {
    line = JSON.parse(text) as Json;
  } catch (error) {
    return `this is not JSON (${(error as Error).message})`;
  }
  const [, before, name, number] =
    /^(\{"collection":"(\w+)","position":(\d{1,15}),"record":)\{/.exec(text) ?? [];
  const collection = CREATED.find((each) => each === name);
  if (before === undefined || collection === undefined)
    return 'a line is {"collection": …, "position": …, "record": …}, as this sandbox writes it';
  const position = Number(number);
  const places = index[collection];
  if (position > places.count()) return `${collection} ${places.count()} should come next, not ${position}`;
  const { record } = line as { record: { _id?: Json } };
  if (record._id !== idOf(collection, position)) return `the _id is not that of ${collection} ${position}`;
  const place: Place = {
    offset: offset + before.length,
    length: Buffer.byteLength(text) - before.length - 1,
  };
  places.set(position, place);
  return undefined;
}
