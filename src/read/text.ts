import type { Position } from '../model/index.ts';
import type { Bytes, Head } from './bytes/bytes.ts';
import type { ReadSettings } from './options.ts';

/** A file's text, as a format gets it: UTF-8, with its beginning to look at. */
export interface SourceText extends Head {
  /** As the user named it. */
  readonly file: string;
  /** What the bytes are letters in; known for sure of what was read. */
  encoding(): string;
  readonly settings: ReadSettings;
  /** Where rows begin to be given; those before are passed over. */
  readonly from: Position | undefined;
}

const MARK = Buffer.from('\uFEFF');

/** The bytes without their byte order mark. */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(markLength(bytes));
}

export function markLength(head: Buffer): number {
  return head.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0;
}

/** The stream from one of its bytes on. */
export async function* passOver(input: Bytes, bytes: number): Bytes {
  let left = bytes;
  for await (const chunk of input) {
    if (chunk.length > left) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}
