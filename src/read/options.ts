import {
  againHint,
  ConfigError,
  type Issue,
  type Position,
  ROW_RANGES_WORDS,
  type RowRange,
  rowRangesIn,
} from '../model/index.ts';

export const FORMATS = ['csv', 'tsv', 'json', 'ndjson', 'xlsx'] as const;
export type Format = (typeof FORMATS)[number];

/** The options of the reader that users give. */
export interface FormatOptions {
  /** Undefined: detected from the beginning of the text. */
  format?: Format | undefined;
  /** Undefined: detected from the bytes. */
  encoding?: string | undefined;
  /** Undefined: the one of `,` `;` TAB `|` that fits the header and the rows below it. */
  delimiter?: string | undefined;
  /** Undefined: `"`, or `'` if the file plainly uses that. Empty: quotes are ordinary text. */
  quote?: string | undefined;
  /** Lines above the header that are not data. Undefined: titles that are plainly above the header. */
  skipLines?: number | undefined;
  /** True if the first row is data. The columns are then named as a spreadsheet names them: A, B, C. */
  noHeader?: boolean | undefined;
  /** True if cells that are missing at the end of a row are empty. Default: such a row is an issue. */
  padRows?: boolean | undefined;
  /** Rows to read, by the numbers that reports show, such as `4-63,70-`. Undefined: all. */
  rows?: string | undefined;
  /** `column=text`: leaves out rows with this cell, compared without case and without blanks around it. */
  skipRows?: readonly string[] | undefined;
  /** True if nothing is read from the first empty row on that is below another row. */
  untilBlankRow?: boolean | undefined;
  /** Name of the sheet of a workbook, or its number from 1. Undefined: the first that is not hidden. */
  sheet?: string | undefined;
}

export interface ReadOptions extends FormatOptions {
  /** A longer cell is an issue of its row. Default 1 MiB. */
  maxCellBytes?: number | undefined;
  /** Opens standard input, for the file name `-`. */
  stdin?: (() => NodeJS.ReadableStream) | undefined;
  /** The name of the file in messages. Default: its path. */
  name?: string | undefined;
  /** Called with each warning about the file itself: about its header, or about lists in it that are not read. */
  onWarning?: ((warning: Issue) => void) | undefined;
  /** Position to resume at: the header is read, the rows before are skipped. Not for standard input. */
  from?: Position | undefined;
  /**
   * Aborts reading of standard input, which may be silent for ever. A file is still read, so that its rows are counted.
   */
  interrupted?: AbortSignal | undefined;
}

/** Parts of a table that users must describe, since the text does not show them reliably. */
export interface TableLayout {
  /** Undefined: titles that are plainly above the header. */
  readonly skipLines: number | undefined;
  readonly noHeader: boolean;
  readonly padRows: boolean;
}

/** Rows of a source that its options select. The others are not passed on. */
export interface RowSelection {
  /** Undefined: all. */
  readonly ranges: readonly RowRange[] | undefined;
  /** Rows with these cells are left out: `column=text`. */
  readonly skipRows: readonly string[];
  /** Leaves out all from the first empty row on that is below another row. */
  readonly untilBlankRow: boolean;
}

export interface Limits {
  readonly maxCellBytes: number;
  /** A longer row or JSON item is not held in memory. It must leave room for a few long cells. */
  readonly maxRowBytes: number;
}

/** The options with defaults filled in. An undefined option is detected from the file. */
export interface ReadSettings
  extends Pick<ReadOptions, 'format' | 'encoding' | 'delimiter' | 'quote' | 'sheet'> {
  readonly layout: TableLayout;
  /** Undefined: all rows. */
  readonly selection: RowSelection | undefined;
  readonly limits: Limits;
  readonly onWarning: (warning: Issue) => void;
}

const MIN_ROW_BYTES = 4 * 1024 * 1024;
const DEFAULT_MAX_CELL_BYTES = 1024 * 1024;
/** Columns of a table: those of a spreadsheet, A to XFD. */
export const MAX_COLUMNS = 16_384;

/** Resolves the options before a file is opened. Throws ConfigError if they contradict each other. */
export function settingsOf(options: ReadOptions): ReadSettings {
  const {
    format,
    encoding,
    quote,
    sheet,
    maxCellBytes = DEFAULT_MAX_CELL_BYTES,
    onWarning = () => {},
  } = options;
  // A shell passes --delimiter '\t' as a backslash and a t.
  const delimiter = options.delimiter === '\\t' ? '\t' : options.delimiter;
  if (delimiter === '')
    throw new ConfigError('--delimiter must not be empty: name the character between two cells.');
  if (delimiter !== undefined && /[\r\n]/.test(delimiter)) {
    throw new ConfigError('--delimiter must not be a line break: rows end with those.');
  }
  if (quote !== undefined && ([...quote].length > 1 || /[\r\n]/.test(quote))) {
    throw new ConfigError(`--quote must be one character, or empty; it is ${JSON.stringify(quote)}.`);
  }
  if ((quote && delimiter?.includes(quote)) || delimiter === '"')
    throw new ConfigError('--delimiter and --quote must differ.');
  if ((format === 'json' || format === 'ndjson') && (delimiter !== undefined || quote !== undefined)) {
    throw new ConfigError(`--delimiter and --quote are for CSV; --format is ${format}.`);
  }
  const layout = {
    skipLines: options.skipLines,
    noHeader: options.noHeader ?? false,
    padRows: options.padRows ?? false,
  };
  if (options.rows !== undefined && rowRangesIn(options.rows) === undefined)
    throw new ConfigError(`--rows takes ${ROW_RANGES_WORDS}; it is ${JSON.stringify(options.rows)}.`);
  for (const rule of options.skipRows ?? [])
    if (!/^[^=]+=/.test(rule))
      throw new ConfigError(
        `--skip-rows takes column=text, such as SKU=TOTAL; it is ${JSON.stringify(rule)}.`,
      );
  const selection = rowSelectionIn(options);
  if (format === 'json' || format === 'ndjson') refuseLayout({ layout, selection }, `--format is ${format}`);
  if (format !== undefined && format !== 'xlsx') refuseSheet({ sheet }, `--format is ${format}`);
  return {
    ...{ format, encoding, delimiter, quote, sheet, layout, selection, onWarning },
    limits: { maxCellBytes, maxRowBytes: Math.max(MIN_ROW_BYTES, 4 * maxCellBytes) },
  };
}

/** The selection that options name; undefined if they select all rows. */
function rowSelectionIn({
  rows,
  skipRows = [],
  untilBlankRow = false,
}: FormatOptions): RowSelection | undefined {
  const isAll = rows === undefined && skipRows.length === 0 && !untilBlankRow;
  return isAll
    ? undefined
    : { ranges: rows === undefined ? undefined : rowRangesIn(rows), skipRows, untilBlankRow };
}

/** Throws ConfigError if an option for tables is given. `found` says why the source is none. */
export function refuseLayout(
  { layout, selection }: Pick<ReadSettings, 'layout' | 'selection'>,
  found: string,
): void {
  const { skipLines = 0, noHeader, padRows } = layout;
  const { skipRows = [], untilBlankRow = false } = selection ?? {};
  const given = [
    ...(skipRows.length > 0 ? ['--skip-rows'] : []),
    ...(untilBlankRow ? ['--until-blank-row'] : []),
    ...(skipLines > 0 ? ['--skip-lines'] : []),
    ...(noHeader ? ['--no-header'] : []),
    ...(padRows ? ['--pad-rows'] : []),
  ];
  if (given.length === 0) return;
  const are = given.length === 1 ? 'is' : 'are';
  throw new ConfigError(
    `${given.join(' and ')} ${are} for tables such as CSV; ${found}.`,
    againHint({
      ...{ 'skip-lines': undefined, 'no-header': undefined, 'pad-rows': undefined },
      ...{ 'skip-rows': undefined, 'until-blank-row': undefined },
    }),
  );
}

/** Throws ConfigError if a sheet is named. `found` says why the source is no workbook. */
export function refuseSheet({ sheet }: Pick<ReadSettings, 'sheet'>, found: string): void {
  if (sheet !== undefined)
    throw new ConfigError(`--sheet is for Excel workbooks (.xlsx); ${found}.`, [
      'Leave it out.',
      ...againHint({ sheet: undefined }),
    ]);
}

/** Throws ConfigError if an option for text is given for the workbook `file`. */
export function refuseForWorkbook({ encoding, delimiter, quote }: ReadSettings, file: string): void {
  const given = Object.entries({ encoding, delimiter, quote }).find(([, value]) => value !== undefined);
  if (given)
    throw new ConfigError(`--${given[0]} is for text such as CSV; ${file} is an Excel workbook.`, [
      'Leave it out.',
      ...againHint({ encoding: undefined, delimiter: undefined, quote: undefined }),
    ]);
}
