import { CR, LF, SPACE, TAB } from '../bytes/bytes.ts';
import type { Damage } from '../messages.ts';

/** Bytes that are not split yet. `end` is true if no more follow. */
export interface Rest {
  readonly bytes: Buffer;
  readonly end: boolean;
}

/** The end of a line: `stop` is its line end, `next` the start of the next line. */
export interface LineEnd {
  readonly stop: number;
  readonly next: number;
}

/**
 * Finds the first line end between `from` and `limit`. Undefined if there is none yet. A CR at the end of
 * the bytes does not count if more may come, since an LF may follow it.
 */
export function findLineEnd({ bytes, end }: Rest, from: number, limit = bytes.length): LineEnd | undefined {
  for (let at = from; at < limit; at++) {
    const byte = bytes[at];
    if (byte === LF) return { stop: at, next: at + 1 };
    if (byte !== CR) continue;
    if (at + 1 === bytes.length && !end) return undefined;
    return { stop: at, next: bytes[at + 1] === LF ? at + 2 : at + 1 };
  }
  return undefined;
}

/** A cell that was read without csv-parse: its text, and the position of the delimiter or line end after it. */
export interface OddCell {
  readonly text: string;
  readonly stop: number;
}

/** The dialect, with the delimiter as bytes. */
export interface Separators {
  readonly delimiter: Buffer;
  readonly quote: string;
}

/** Reads an unquoted cell, with any content. Undefined while its end is not in `bytes`. */
export function bareCell(rest: Rest, from: number, delimiter: Buffer): OddCell | undefined {
  const { bytes, end } = rest;
  const next = bytes.indexOf(delimiter, from);
  const limit = next === -1 ? bytes.length : next;
  const lineEnd = findLineEnd(rest, from, limit);
  if (lineEnd === undefined && next === -1 && !end) return undefined;
  const stop = lineEnd?.stop ?? limit;
  return { text: bytes.toString('utf8', from, stop), stop };
}

/**
 * Reads a quoted cell with blanks around its quotes, as in `a, "b, c" ,d`. Files that are written by hand or padded to
 * even columns have them, and the blanks have no meaning. Undefined for any other cell. If the bytes end after the
 * closing quote, `stop` is their end.
 */
export function paddedCell(
  { bytes, end }: Rest,
  from: number,
  { delimiter, quote }: Separators,
): OddCell | undefined {
  const open = skipBlanks(bytes, from, delimiter);
  const mark = Buffer.from(quote);
  if (!startsWith(bytes, mark, open)) return undefined;
  const close = closingQuote(bytes, open + mark.length, mark);
  if (close === -1) return undefined;
  const stop = skipBlanks(bytes, close + mark.length, delimiter);
  const byte = bytes[stop];
  // The rest of a delimiter may be in the next chunk.
  const known = end ? delimiter : delimiter.subarray(0, bytes.length - stop);
  if (byte !== undefined && byte !== LF && byte !== CR && !startsWith(bytes, known, stop)) return undefined;
  const text = bytes.toString('utf8', open + mark.length, close).replaceAll(quote + quote, quote);
  return { text, stop };
}

/** Finds the first quote from `at` on that is not one of a pair. Returns -1 if there is none. */
function closingQuote(bytes: Buffer, at: number, quote: Buffer): number {
  for (let from = at; ; ) {
    const found = bytes.indexOf(quote, from);
    if (found === -1 || !startsWith(bytes, quote, found + quote.length)) return found;
    from = found + 2 * quote.length;
  }
}

function skipBlanks(bytes: Buffer, from: number, delimiter: Buffer): number {
  let at = from;
  while ((bytes[at] === SPACE || bytes[at] === TAB) && bytes[at] !== delimiter[0]) at++;
  return at;
}

export function startsWith(bytes: Buffer, part: Buffer, at: number): boolean {
  return bytes.compare(part, 0, part.length, at, Math.min(at + part.length, bytes.length)) === 0;
}

/** Counts line breaks inside cells. They change the line of the next row, not its number. */
export function countBreaks(cells: readonly string[]): number {
  let breaks = 0;
  for (const cell of cells) {
    if (cell.includes('\n') || cell.includes('\r')) breaks += cell.match(/\r\n|\n|\r/g)?.length ?? 0;
  }
  return breaks;
}

/**
 * Explains the fault of a quoted cell, given its first line. If a quote closes the cell on this line, the text after it
 * is the fault. Otherwise the cell ran into other rows until one of their quotes seemed to close it, so the closing
 * quote is missing.
 */
export function quoteDamage(cell: string, quote: string, column: number): Damage {
  const close = closingQuote(Buffer.from(cell), quote.length, Buffer.from(quote));
  const found = close === -1 ? '' : Buffer.from(cell).toString('utf8', close + Buffer.byteLength(quote));
  return found === ''
    ? { code: 'unterminated-quote', column, found: cell }
    : { code: 'text-after-quote', column, found };
}
