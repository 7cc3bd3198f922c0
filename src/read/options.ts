import { ConfigError, type Issue, type Position } from '../model/index.ts';

export const FORMATS = ['csv', 'tsv', 'json', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

export interface ReadOptions {
  /** Left out: told from the beginning of the text. */
  format?: Format | undefined;
  /** Left out: told from the bytes. */
  encoding?: string | undefined;
  /** Left out: the one of `,` `;` TAB `|` that fits the header, and the rows below it. */
  delimiter?: string | undefined;
  /** Left out: `"`, or `'` where that is plainly used. Empty: quotes are ordinary text. */
  quote?: string | undefined;
  /** A longer cell is an issue of its row. Default 1 MiB. */
  maxCellBytes?: number | undefined;
  /** What the file name `-` stands for. Default: the process's standard input. */
  stdin?: NodeJS.ReadableStream | undefined;
  /** What the file is called in messages. Default: its path. */
  name?: string | undefined;
  /** Told of what is odd about the file as such: its header, or lists in it that are not read. */
  onWarning?: ((warning: Issue) => void) | undefined;
  /** Where to read on: the header is read, the rows before are passed over. Not for standard input. */
  from?: Position | undefined;
  /** Ends the reading of standard input, which may be silent for ever; a file is read on, and can be counted. */
  interrupted?: AbortSignal | undefined;
}

export interface Limits {
  readonly maxCellBytes: number;
  /** A row or an item of JSON beyond this is not held; it must have room for a few long cells. */
  readonly maxRowBytes: number;
}

/** The options with their defaults filled in. What is undefined is to be found out. */
export interface ReadSettings extends Pick<ReadOptions, 'format' | 'encoding' | 'delimiter' | 'quote'> {
  readonly limits: Limits;
  readonly onWarning: (warning: Issue) => void;
}

const MIN_ROW_BYTES = 4 * 1024 * 1024;
const DEFAULT_MAX_CELL_BYTES = 1024 * 1024;

/** Throws ConfigError for options that contradict themselves; called before a file is opened. */
export function settingsOf(options: ReadOptions): ReadSettings {
  const { format, encoding, quote, maxCellBytes = DEFAULT_MAX_CELL_BYTES, onWarning = () => {} } = options;
  // What a shell makes of --delimiter '\t'.
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
  return {
    ...{ format, encoding, delimiter, quote, onWarning },
    limits: { maxCellBytes, maxRowBytes: Math.max(MIN_ROW_BYTES, 4 * maxCellBytes) },
  };
}
