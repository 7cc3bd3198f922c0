import { isUtf8 } from 'node:buffer';
import { readSync } from 'node:fs';
import type { Json, JsonObject } from '../../model/index.ts';
import { DataFileError } from './data-file-error.ts';
import { CREATED, type CreatedCollection, idOf } from './ids.ts';
import type { Places } from './places.ts';

type Index = Readonly<Record<CreatedCollection, Places>>;

const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 10;

/**
 * Adds the place of each record to the index. `end` is the end of the last whole line; if it is less than `size`, an
 * unfinished line follows. Throws DataFileError for any other damage.
 */
export function scan(
  file: string,
  descriptor: number,
  index: Index,
): { readonly end: number; readonly size: number } {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let rest: Buffer = Buffer.alloc(0);
  let end = 0;
  let size = 0;
  let line = 1;
  for (;;) {
    const got = readSync(descriptor, chunk, 0, CHUNK_BYTES, size);
    if (got === 0) return { end, size };
    size += got;
    const bytes = Buffer.concat([rest, chunk.subarray(0, got)]);
    let start = 0;
    for (let stop = bytes.indexOf(NEWLINE); stop >= 0; stop = bytes.indexOf(NEWLINE, start)) {
      const problem = noteLine(bytes.subarray(start, stop), end, index);
      if (problem !== undefined) throw damage(file, line, problem);
      line += 1;
      end += stop + 1 - start;
      start = stop + 1;
    }
    rest = bytes.subarray(start);
    // The caller cuts off an unfinished line, so make sure that a sandbox wrote it: the file may be named by mistake.
    if (!isBeginning(rest)) throw damage(file, line, OTHER_SHAPE);
  }
}

function damage(file: string, line: number, problem: string): DataFileError {
  return new DataFileError(
    `${file}, line ${line}: ${problem}. The file is left as it is; remove the line, or name another file.`,
  );
}

const OTHER_SHAPE = 'a line is {"collection": …, "position": …, "record": …}, as this sandbox writes it';
const BEGINNING = Buffer.from('{"collection":"');
const BEFORE_RECORD = /^\{"collection":"(\w+)","position":(\d{1,15}),"record":(?=\{)/;

function isBeginning(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, BEGINNING.length);
  return bytes.subarray(0, length).equals(BEGINNING.subarray(0, length));
}

/** Adds the place of a line's record to the index, or returns the mistake in the line. */
function noteLine(bytes: Buffer, offset: number, index: Index): string | undefined {
  if (!isUtf8(bytes)) return 'this is not UTF-8';
  const text = bytes.toString();
  const [before, name, number] = (text.endsWith('}') && BEFORE_RECORD.exec(text)) || [];
  let record: Json;
  try {
    record = JSON.parse(before === undefined ? text : text.slice(before.length, -1)) as Json;
  } catch (error) {
    return `this is not JSON (${(error as Error).message})`;
  }
  const collection = CREATED.find((each) => each === name);
  if (before === undefined || collection === undefined) return OTHER_SHAPE;
  const position = Number(number);
  const places = index[collection];
  if (position > places.count()) return `${collection} ${places.count()} should come next, not ${position}`;
  if ((record as JsonObject)._id !== idOf(collection, position))
    return `the _id is not that of ${collection} ${position}`;
  places.set(position, { offset: offset + before.length, length: bytes.length - before.length - 1 });
  return undefined;
}
