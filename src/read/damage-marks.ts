import { isUtf8 } from 'node:buffer';
import { NO_VALUE_TEXTS } from '../model/index.ts';
import { wholeCharacters } from './bytes/bytes.ts';

/** A JSON string that says that there is no value. */
const NO_VALUE = new RegExp(
  `" *(?:${NO_VALUE_TEXTS.map((text) => text.replace(/[?()/]/g, '\\$&')).join('|')}) *"`,
);

/**
 * Byte sequences that undamaged text hardly ever contains, with each byte as one character (latin1): a number that a
 * spreadsheet has rounded, a lost letter (U+FFFD), and UTF-8 that was read as Windows-1252 and saved again.
 * `src/suspect` decides cell by cell which of them count.
 */
const TRACES =
  /\dE\+\d|\xEF\xBF\xBD|\xC3(?:[\x82\x83\x8E-\x91\x97-\x9B][\xC2\xC5\xC6\xCB\xE2]|\xA2\xE2\x82\xAC|\xA2\xE2\x80[\x9A\x9E]|\xAF\xC2)/;
/** The same sequences as JSON escapes. */
const ESCAPED = /\\u(?:fffd|00(?:c[23ef]|d[0-9ab]|e2|ef)\\u)/i;

const LOST = Buffer.from('\uFFFD');

/**
 * True if bytes should be inspected for damage. Most bytes contain none of the first bytes of a trace and cost nothing.
 */
export function hasTrace(bytes: Buffer): boolean {
  return (
    (bytes.includes(0xc3) || bytes.includes('E+') || bytes.includes(LOST)) &&
    TRACES.test(bytes.toString('latin1'))
  );
}

/** True if a JSON item should be inspected for damage. Escapes count too, and strings that say there is no value. */
export function itemHasTrace(bytes: Buffer, text: string): boolean {
  return hasTrace(bytes) || ESCAPED.test(text) || NO_VALUE.test(text);
}

/**
 * Checks whole chunks for bytes that are not UTF-8, NUL bytes and traces of damage. The checks run at memory speed.
 * Only rows that begin before the offsets found here are examined one by one.
 */
export interface ChunkMarks {
  look(chunk: Buffer, end: boolean): void;
  /** Rows that start before these offsets may contain bad bytes, NUL bytes, or damage from before the import. */
  readonly bad: number;
  readonly nul: number;
  readonly damaged: number;
}

/** One byte less than the longest trace. */
const SEAM = 4;

export function createChunkMarks(): ChunkMarks {
  let offset = 0;
  /** The beginning of a character that a chunk border cuts in two. */
  let tail: Buffer = Buffer.alloc(0);
  /** The last bytes of the previous chunks, in which a trace across the chunk border may begin. */
  let seam: Buffer = Buffer.alloc(0);
  const marks = {
    bad: 0,
    nul: 0,
    damaged: 0,
    look(chunk: Buffer, end: boolean): void {
      offset += chunk.length;
      if (chunk.includes(0)) marks.nul = offset;
      if (hasTrace(chunk) || hasTrace(Buffer.concat([seam, chunk.subarray(0, SEAM)]))) marks.damaged = offset;
      const bytes = tail.length === 0 ? chunk : Buffer.concat([tail, chunk]);
      const whole = end ? bytes : wholeCharacters(bytes);
      if (!isUtf8(whole)) marks.bad = offset;
      // Copied, so that three bytes do not keep a chunk in memory.
      tail = Buffer.from(bytes.subarray(whole.length));
      seam = Buffer.from(Buffer.concat([seam, chunk.subarray(-SEAM)]).subarray(-SEAM));
    },
  };
  return marks;
}
