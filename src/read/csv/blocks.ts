import type { Position } from '../../model/index.ts';
import { type Bytes, CR, LF } from '../bytes/bytes.ts';
import type { Block } from '../source.ts';
import type { Dialect } from './engine.ts';

export interface BlockOptions {
  readonly dialect: Dialect;
  /** Bytes from which on a block ends with the next row. */
  readonly blockBytes: number;
}

/** Longest block, as a multiple of `blockBytes`. A longer one is cut within a row. */
const MOST = 16;
/** Rows of a block. Rows of few bytes, each with an issue, would otherwise need hundreds of times the memory of their bytes. */
export const MAX_BLOCK_ROWS = 1000;
/** Lines of a block, in which its reader may find more rows than were counted. A longer one is cut within a row. */
const MAX_BLOCK_LINES = 8000;

/**
 * Cuts bytes into blocks of whole rows. It only looks for line ends outside of quotes, so the cuts are a guess: whoever
 * reads a block must check where its last row ends. If bytes cannot be read, those before them are a block, and the error
 * follows.
 */
export async function* cutBlocks(
  input: Bytes,
  begin: Position,
  { dialect, blockBytes }: BlockOptions,
): AsyncGenerator<Block, void> {
  const scan = createScan(dialect);
  let start = begin;
  let held: Buffer[] = [];
  let length = 0;

  function block(next: Position | undefined, end = false): Block {
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const part of held) {
      bytes.set(part, at);
      at += part.length;
    }
    const made = { bytes, start, next, end };
    start = next ?? { row: 0, line: 0, offset: start.offset + length };
    [held, length] = [[], 0];
    scan.restart();
    return made;
  }

  try {
    for await (const chunk of input) {
      let from = 0;
      while (from < chunk.length) {
        const wanted = blockBytes - length;
        const cut = scan.pass(chunk, from, wanted);
        const to = cut ? cut.at : chunk.length;
        held.push(chunk.subarray(from, to));
        length += to - from;
        from = to;
        if (cut)
          yield block({
            row: start.row + cut.rows,
            line: start.line + cut.lines,
            offset: start.offset + length,
          });
        else if (length > MOST * blockBytes || scan.isFull()) yield block(undefined);
      }
    }
  } catch (error) {
    yield block(undefined);
    throw error;
  }
  yield block(undefined, true);
}

/** The end of a row, and the numbers of rows and lines since the last cut. */
interface Cut {
  readonly at: number;
  readonly rows: number;
  readonly lines: number;
}

/** Looks for the ends of rows, at about a nanosecond a byte. */
function createScan({ delimiter, quote }: Dialect) {
  const mark = quote.length === 1 ? quote.charCodeAt(0) : -1;
  const lastOfDelimiter = delimiter.charCodeAt(delimiter.length - 1);
  const matters = new Uint8Array(256);
  for (const byte of [LF, CR, mark]) if (byte >= 0 && byte < 256) matters[byte] = 1;
  let isQuoted = false;
  /** The last byte of the chunk before. A line end, at the beginning. */
  let last = LF;
  let rows = 0;
  let lines = 0;

  /** Counts a line end, or notes a quote. Returns true if a row may end here. */
  function count(byte: number, before: number): boolean {
    if (byte === mark) {
      // Elsewhere a quote is text, such as that of 15 inches.
      if (isQuoted) isQuoted = false;
      else isQuoted = before === lastOfDelimiter || before === LF || before === CR || before === mark;
      return false;
    }
    // A line end of two bytes was counted at the first.
    if (byte === CR || before !== CR) {
      lines++;
      if (!isQuoted) rows++;
    }
    return byte === LF && !isQuoted;
  }

  return {
    /** True if the bytes since the last cut have too many rows, and none of them ends with LF, or too many lines. */
    isFull: () => rows > MAX_BLOCK_ROWS || lines > MAX_BLOCK_LINES,
    restart(): void {
      [rows, lines] = [0, 0];
    },
    /**
     * Reads to the first end of a row that is `wanted` bytes away or more, or after the most rows of a block. Undefined if
     * there is none.
     */
    pass(bytes: Buffer, from: number, wanted: number): Cut | undefined {
      const { length } = bytes;
      const enough = from + wanted;
      for (let at = from; at < length; at++) {
        const byte = bytes[at] as number;
        if (matters[byte] === 0) continue;
        const before = at === 0 ? last : (bytes[at - 1] as number);
        if (!count(byte, before) || (at + 1 < enough && rows < MAX_BLOCK_ROWS)) continue;
        last = LF;
        return { at: at + 1, rows, lines };
      }
      last = bytes[length - 1] ?? last;
      return undefined;
    },
  };
}
