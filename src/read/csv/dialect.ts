import type { Dialect } from './engine.ts';

/** Delimiters that are detected; the first wins a tie. */
const DELIMITERS = [',', ';', '\t', '|'] as const;
const DOUBLE = '"';
const SINGLE = "'";
/** Rows below the header that are examined if the header is ambiguous. */
const MOST_ROWS = 20;

/** The parts of the dialect that the user named. Undefined parts are detected. */
export interface NamedDialect {
  readonly delimiter?: string | undefined;
  readonly quote?: string | undefined;
  /** True if the file name says that the delimiter is a tab. */
  readonly tabs?: boolean | undefined;
}

/** Returns the first rows of a file that are not blank, in a known dialect, without quotes around cells. */
export function firstRows(head: string, whole: boolean, dialect: Dialect): string[][] {
  const { quote } = dialect;
  const rows = rowsOf({ text: head.replace(SEPARATOR_LINE, ''), whole }, dialect);
  const bare = (cell: string) => {
    const text = cell.trim();
    const isQuoted = quote !== '' && text.length > 1 && text.startsWith(quote) && text.endsWith(quote);
    return isQuoted ? text.slice(1, -1).replaceAll(quote + quote, quote) : cell;
  };
  return rows.map((row) => row.map(bare));
}

/** Detects the dialect of a file from its beginning. `whole` is true if that is the whole file. */
export function detectDialect(head: string, whole: boolean, named: NamedDialect): Dialect {
  const delimiter = named.delimiter ?? separatorIn(head);
  const text = head.replace(SEPARATOR_LINE, '');
  const quotes = named.quote === undefined ? [DOUBLE, SINGLE] : [named.quote];
  const [usual, other] = quotes.map((quote): Sample => {
    const rowsBy = (delimiter: string) => rowsOf({ text, whole }, { delimiter, quote });
    const by = delimiter ?? detectDelimiter(rowsBy, named.tabs === true);
    return { delimiter: by, quote, rows: rowsBy(by) };
  });
  const { delimiter: by, quote } = other && usual && usesOther(usual, other) ? other : usual!;
  return { delimiter: by, quote };
}

/** The beginning of a file; `whole` is true if that is the whole file. */
interface Head {
  readonly text: string;
  readonly whole: boolean;
}

interface Sample extends Dialect {
  /** Cells with their quotes. */
  readonly rows: readonly (readonly string[])[];
}

/** `sep=;`: the line that declares the delimiter to Excel. */
const SEPARATOR_LINE = /^\s*"?sep=(.)"?[ \t]*(?:\r\n|\n|\r)/i;

function separatorIn(head: string): string | undefined {
  return SEPARATOR_LINE.exec(head)?.[1];
}

/**
 * Decides if apostrophes are quotes; mostly they are text. They are quotes if all names are in them, or if more rows
 * are as wide as the header with them than without.
 */
function usesOther(usual: Sample, other: Sample): boolean {
  const cells = other.rows.flat();
  const quoted = cells.filter((cell) => /^'.*'$/s.test(cell));
  if (quoted.length === 0 || cells.some((cell) => cell.trimStart().startsWith(DOUBLE))) return false;
  const [header = []] = other.rows;
  if (header.every((name) => /^'(?:[^']|'')+'$/.test(name))) return true;
  return agreeing(other.rows) > agreeing(usual.rows) && other.delimiter === usual.delimiter;
}

/** Decides by the header. If it contains several candidates, decides by the rows of the same width. */
function detectDelimiter(rowsBy: (delimiter: string) => string[][], tabs: boolean): string {
  const candidates = DELIMITERS.flatMap((delimiter) => {
    const rows = rowsBy(delimiter);
    const count = (rows[0]?.length ?? 1) - 1;
    return count === 0 ? [] : [{ delimiter, rows, count }];
  });
  if (tabs && candidates.some(({ delimiter }) => delimiter === '\t')) return '\t';
  const scored = candidates.map((each) => ({ ...each, score: each.count * agreeing(each.rows) }));
  // If two delimiters fit equally well, prefer the other one: commas also occur in names and numbers.
  const comma = ({ delimiter, score }: (typeof scored)[number]) => Number(score > 0 && delimiter === ',');
  scored.sort((a, b) => b.score - a.score || comma(a) - comma(b) || b.count - a.count);
  return scored[0]?.delimiter ?? DELIMITERS[0];
}

function agreeing([header = [], ...rows]: Sample['rows']): number {
  return rows.filter((row) => row.length === header.length).length;
}

/** Returns the first rows that are not blank; the last one only if it is complete. */
function rowsOf({ text, whole }: Head, { delimiter, quote }: Dialect): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length && rows.length <= MOST_ROWS; at++) {
    const char = text[at]!;
    if (quoted) quoted = char !== quote;
    else if (char === quote && text.slice(start, at).trim() === '') quoted = true;
    else if (char === quote && text[at - 1] === quote) quoted = true;
    else if (text.startsWith(delimiter, at)) {
      cells.push(text.slice(start, at));
      start = at + delimiter.length;
    } else if (char === '\n' || char === '\r') {
      endRow(at);
      start = at + 1;
    }
  }
  if (whole || rows.length === 0) endRow(text.length);
  return rows.slice(0, MOST_ROWS + 1);

  function endRow(at: number): void {
    const row = [...cells, text.slice(start, at)];
    if (row.length > 1 || row[0]!.trim() !== '') rows.push(row);
    cells = [];
  }
}
