import type { Position } from '../model/index.ts';
import { type Bytes, CR, type Head, LF, replay } from './bytes/bytes.ts';
import type { ReadSettings } from './options.ts';

/** The text of a file as a format receives it: UTF-8, with its beginning to look at. */
export interface SourceText extends Head {
  /** The file as the user named it. */
  readonly file: string;
  /** The encoding of the bytes. Certain for the bytes that were read so far. */
  encoding(): string;
  readonly settings: ReadSettings;
  /** Position of the first row to return; earlier rows are skipped. */
  readonly from: Position | undefined;
}

const MARK = Buffer.from('\uFEFF');

/** Returns the bytes without their byte order mark. */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(markLength(bytes));
}

export function markLength(head: Buffer): number {
  return head.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0;
}

/** Skips the first `bytes` bytes of a stream. */
export async function* passOver(input: Bytes, bytes: number): Bytes {
  let left = bytes;
  for await (const chunk of input) {
    if (chunk.length > left) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

/** The lines at the beginning of a text, with their line ends. */
export interface FirstLines {
  readonly bytes: Buffer;
  /** Fewer than wanted if the text ends, or if they are too long. */
  readonly lines: number;
  /** The text after them. */
  readonly input: Bytes;
}

/** Takes the first lines from a text. Stops when they have more than `maxBytes`. */
export async function takeLines(input: Bytes, wanted: number, maxBytes: number): Promise<FirstLines> {
  const taken: Buffer[] = [];
  let length = 0;
  let lines = 0;
  /** True after a CR, to which an LF may belong. */
  let mayHaveLf = false;
  while (length <= maxBytes) {
    const next = await input.next();
    if (next.done === true) break;
    const chunk = next.value;
    let at = 0;
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (lines === wanted && !(mayHaveLf && byte === LF)) break;
      if (byte === CR || (byte === LF && !mayHaveLf)) lines++;
      mayHaveLf = byte === CR;
    }
    taken.push(chunk.subarray(0, at));
    length += at;
    if (at < chunk.length)
      return { bytes: Buffer.concat(taken), lines, input: replay(chunk.subarray(at), input) };
  }
  return { bytes: Buffer.concat(taken), lines, input };
}
