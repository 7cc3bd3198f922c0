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
  const detected = text.includes(SINGLE) ? [DOUBLE, SINGLE] : [DOUBLE];
  const quotes = named.quote === undefined ? detected : [named.quote];
  const [usual, other] = quotes.map((quote): Sample => {
    const sampleBy = (delimiter: string): Sample => {
      const dialect = { delimiter, quote };
      return { ...dialect, rows: rowsOf({ text, whole }, dialect) };
    };
    return delimiter === undefined ? likeliest(DELIMITERS.map(sampleBy), named) : sampleBy(delimiter);
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

/** Decides by the header. If it contains several delimiters, decides by the rows of the same width. */
function likeliest(samples: readonly Sample[], { tabs }: NamedDialect): Sample {
  const candidates = samples.flatMap((sample) => {
    const count = (sample.rows[0]?.length ?? 1) - 1;
    return count === 0 ? [] : [{ sample, count, score: count * agreeing(sample.rows) }];
  });
  const tabbed = tabs && candidates.find(({ sample }) => sample.delimiter === '\t');
  if (tabbed) return tabbed.sample;
  // If two delimiters fit equally well, prefer the other one: commas also occur in names and numbers.
  const comma = ({ sample, score }: (typeof candidates)[number]) =>
    Number(score > 0 && sample.delimiter === ',');
  candidates.sort((a, b) => b.score - a.score || comma(a) - comma(b) || b.count - a.count);
  return candidates[0]?.sample ?? samples[0]!;
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
  const marks = new RegExp(`[\r\n${inClass(delimiter.charAt(0))}${inClass(quote)}]`, 'g');
  for (let at = markFrom(0); at >= 0 && rows.length <= MOST_ROWS; at = markFrom(at + 1)) {
    const char = text[at]!;
    if (quoted) quoted = false;
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

  /** A search by the engine: a loop over all characters is slow before it is compiled, and a short command is then over. */
  function markFrom(at: number): number {
    if (quoted) return text.indexOf(quote, at);
    marks.lastIndex = at;
    return marks.exec(text)?.index ?? -1;
  }

  function endRow(at: number): void {
    const row = [...cells, text.slice(start, at)];
    if (row.length > 1 || row[0]!.trim() !== '') rows.push(row);
    cells = [];
  }
}

/** A character in the brackets of a regular expression. */
function inClass(character: string): string {
  return character.replace(/[\\\]^-]/, '\\$&');
}
