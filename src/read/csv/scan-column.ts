import { type Bytes, CR, LF, SPACE, TAB } from '../bytes/bytes.ts';
import type { Dialect } from './engine.ts';

export interface ColumnScan {
  readonly dialect: Dialect;
  /** Index of the column, from 0. */
  readonly column: number;
  /** A longer row is not regular, since the reader treats it specially. */
  readonly maxRowBytes: number;
  /**
   * Called with each cell in order, except one with the same bytes as the cell above. The cell is '' if the row is
   * short.
   */
  readonly onCell: (text: string) => void;
}

/**
 * Scans UTF-8 text for the cells of one column, at a few nanoseconds a byte: it creates no cells of other columns. The
 * header and blank lines count as rows.
 *
 * Returns false if the quotes are not regular (RFC 4180, section 2, rules 5 to 7). The cells passed until then must be
 * dropped, since only the real reader knows how such a row is split. Yields now and then, so that the caller can stop
 * it.
 */
export async function* scanColumn(input: Bytes, scan: ColumnScan): AsyncGenerator<void, boolean> {
  if (scan.dialect.delimiter.length !== 1 || scan.dialect.delimiter.charCodeAt(0) > 0x7f) return false;
  if (scan.dialect.quote.length > 1 || scan.dialect.quote.charCodeAt(0) > 0x7f) return false;
  const scanRows = createRowScanner(scan);
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of input) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const next = scanRows(bytes, false);
    if (next < 0) return false;
    rest = bytes.subarray(next);
    if (rest.length > scan.maxRowBytes) return false;
    yield;
  }
  return scanRows(rest, true) >= 0;
}

const NEAR_BYTES = 48;

/** The quotes break the rules. */
const IRREGULAR = -1;
/** The row does not end in these bytes. */
const UNFINISHED = -2;

/**
 * Creates a function that scans the complete rows in a chunk. It returns the start of the first incomplete row, or
 * IRREGULAR.
 */
function createRowScanner({ dialect, column, maxRowBytes, onCell }: ColumnScan) {
  const delimiter = dialect.delimiter.charCodeAt(0);
  const quote = dialect.quote === '' ? -1 : dialect.quote.charCodeAt(0);
  const doubled = dialect.quote + dialect.quote;
  let bytes: Buffer = Buffer.alloc(0);
  let end = false;
  // Cached positions of the next quote, LF and CR: most rows have no quote, so a search must not repeat for each row.
  let nextQuote = 0;
  let nextLf = 0;
  let nextCr = 0;
  let above: Buffer | undefined;

  const find = (byte: number, from: number) => {
    if (byte < 0) return bytes.length;
    // Search near bytes in a loop: a call to indexOf costs as much as comparing about fifty bytes.
    const near = Math.min(from + NEAR_BYTES, bytes.length);
    for (let at = from; at < near; at++) if (bytes[at] === byte) return at;
    const at = bytes.indexOf(byte, near);
    return at < 0 ? bytes.length : at;
  };
  const quoteFrom = (from: number) => {
    if (nextQuote < from) nextQuote = find(quote, from);
    return nextQuote;
  };
  const lineEndFrom = (from: number) => {
    if (nextLf < from) nextLf = find(LF, from);
    if (nextCr < from) nextCr = find(CR, from);
    return Math.min(nextLf, nextCr);
  };

  /** Returns the index after the closing quote of a cell whose opening quote is at `at`. */
  function closeQuoted(at: number): number {
    let close = quoteFrom(at + 1);
    while (close + 1 < bytes.length && bytes[close + 1] === quote) close = quoteFrom(close + 2);
    const after = close + 1;
    if (close >= bytes.length) return end ? IRREGULAR : UNFINISHED;
    if (after === bytes.length) return end ? after : UNFINISHED;
    const byte = bytes[after];
    return byte === delimiter || byte === LF || byte === CR ? after : IRREGULAR;
  }

  /** Returns the end of a row, searching from the end of one of its cells. */
  function endOfRow(from: number, start: number): number {
    for (let at = from; ; ) {
      const lineEnd = lineEndFrom(at);
      const opening = quoteFrom(at);
      if (opening >= lineEnd) return lineEnd === bytes.length && !end ? UNFINISHED : lineEnd;
      const place = quotePlace(opening, start);
      if (place === 'padded') return IRREGULAR;
      at = place === 'literal' ? opening + 1 : closeQuoted(opening);
      if (at < 0) return at;
    }
  }

  /** Classifies a quote: it opens a cell, is text in a bare cell, or follows blanks and may be either. */
  function quotePlace(at: number, start: number): 'opening' | 'literal' | 'padded' {
    let before = at - 1;
    while (before >= start && bytes[before] !== delimiter && isBlank(bytes[before])) before--;
    const isFirst = before < start || bytes[before] === delimiter;
    if (!isFirst) return 'literal';
    return before === at - 1 ? 'opening' : 'padded';
  }

  function hand(start: number, stop: number, isQuoted: boolean): void {
    const cell = bytes.subarray(start, stop);
    if (above?.equals(cell)) return;
    above = cell;
    const text = cell.toString();
    onCell(isQuoted && text.includes(doubled) ? text.replaceAll(doubled, dialect.quote) : text);
  }

  /** Returns the end of the row that begins at `start`. Passes the cell on once the row is known to be complete. */
  function scanRow(start: number): number {
    let at = start;
    for (let index = 0; ; index++) {
      const isQuoted = at < bytes.length && bytes[at] === quote;
      const from = isQuoted ? at + 1 : at;
      if (isQuoted) {
        at = closeQuoted(at);
        if (at < 0) return at;
      } else {
        const padded = isBlank(bytes[at]);
        while (at < bytes.length) {
          const byte = bytes[at];
          if (byte === delimiter || byte === LF || byte === CR) break;
          if (byte === quote && padded && quotePlace(at, from) === 'padded') return IRREGULAR;
          at++;
        }
        if (at === bytes.length && !end) return UNFINISHED;
      }
      const isLast = at === bytes.length || bytes[at] !== delimiter;
      if (index < column && !isLast) {
        at++;
        continue;
      }
      const rowEnd = isLast ? at : endOfRow(at, start);
      if (rowEnd < 0) return rowEnd;
      if (index < column) hand(at, at, false);
      else hand(from, isQuoted ? at - 1 : at, isQuoted);
      return rowEnd;
    }
  }

  return (chunk: Buffer, isEnd: boolean): number => {
    [bytes, end] = [chunk, isEnd];
    [nextQuote, nextLf, nextCr] = [-1, -1, -1];
    let start = 0;
    while (start < bytes.length) {
      const rowEnd = scanRow(start);
      if (rowEnd === UNFINISHED) break;
      if (rowEnd < 0 || rowEnd - start > maxRowBytes) return IRREGULAR;
      const isCr = bytes[rowEnd] === CR;
      // An LF may follow.
      if (isCr && rowEnd + 1 === bytes.length && !end) break;
      start = rowEnd + (isCr && bytes[rowEnd + 1] === LF ? 2 : 1);
    }
    return start;
  };

  function isBlank(byte: number | undefined): boolean {
    return byte === SPACE || (byte === TAB && delimiter !== TAB);
  }
}
