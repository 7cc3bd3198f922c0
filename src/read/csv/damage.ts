import { CR, LF, SPACE, TAB } from '../bytes/bytes.ts';
import type { Damage } from '../messages.ts';

/** Where a line ends: `stop` is its line end, `next` the start of the next line. */
export interface LineEnd {
  readonly stop: number;
  readonly next: number;
}

/**
 * The first line end in `bytes` from `from` on and before `limit`. Undefined where there is none yet; that is so
 * also for a CR that ends the bytes when more may come, since a LF may follow it.
 */
export function findLineEnd(bytes: Buffer, from: number, limit: number, end: boolean): LineEnd | undefined {
  for (let at = from; at < limit; at++) {
    const byte = bytes[at];
    if (byte === LF) return { stop: at, next: at + 1 };
    if (byte !== CR) continue;
    if (at + 1 === bytes.length && !end) return undefined;
    return { stop: at, next: bytes[at + 1] === LF ? at + 2 : at + 1 };
  }
  return undefined;
}

/** A cell that was read without csv-parse: its text, and where the delimiter or line end behind it is. */
export interface OddCell {
  readonly text: string;
  readonly stop: number;
}

/** A cell without quotes around it, whatever is in it. Undefined while its end is not in `bytes`. */
export function bareCell(bytes: Buffer, from: number, delimiter: Buffer, end: boolean): OddCell | undefined {
  const next = bytes.indexOf(delimiter, from);
  const limit = next === -1 ? bytes.length : next;
  const lineEnd = findLineEnd(bytes, from, limit, end);
  if (lineEnd === undefined && next === -1 && !end) return undefined;
  const stop = lineEnd?.stop ?? limit;
  return { text: bytes.toString('utf8', from, stop), stop };
}

/**
 * A quoted cell with blanks around its quotes, as in `a, "b, c" ,d`: files that are laid out by hand or padded
 * to even columns have them, and nobody means the blanks. Undefined where the cell is anything else. When the
 * bytes end behind the closing quote, `stop` is their end.
 */
export function paddedCell(
  bytes: Buffer,
  from: number,
  delimiter: Buffer,
  quote: string,
): OddCell | undefined {
  const open = skipBlanks(bytes, from, delimiter);
  const mark = Buffer.from(quote);
  if (!startsWith(bytes, mark, open)) return undefined;
  const close = closingQuote(bytes, open + mark.length, mark);
  if (close === -1) return undefined;
  const stop = skipBlanks(bytes, close + mark.length, delimiter);
  const byte = bytes[stop];
  if (byte !== undefined && byte !== LF && byte !== CR && !startsWith(bytes, delimiter, stop))
    return undefined;
  const text = bytes.toString('utf8', open + mark.length, close).replaceAll(quote + quote, quote);
  return { text, stop };
}

/** The first quote from `at` on that is not one of a pair, or -1. */
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

/** Line breaks inside cells: they move the next row's line, not its number. */
export function countBreaks(cells: readonly string[]): number {
  let breaks = 0;
  for (const cell of cells) {
    if (cell.includes('\n') || cell.includes('\r')) breaks += cell.match(/\r\n|\n|\r/g)?.length ?? 0;
  }
  return breaks;
}

/**
 * What is wrong with a quoted cell, given its first line. Where a quote closes the cell on this line, the text
 * behind it is the trouble. Where none does, the cell ran on into other rows until one of their quotes
 * seemed to close it: then the closing quote is what is missing.
 */
export function quoteDamage(cell: string, quote: string, column: number): Damage {
  const close = closingQuote(Buffer.from(cell), quote.length, Buffer.from(quote));
  const found = close === -1 ? '' : Buffer.from(cell).toString('utf8', close + Buffer.byteLength(quote));
  return found === ''
    ? { code: 'unterminated-quote', column, found: cell }
    : { code: 'text-after-quote', column, found };
}
