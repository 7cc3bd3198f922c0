import type { Position } from '../model/index.ts';
import type { Bytes, Head } from './bytes/bytes.ts';
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
