import { ConfigError, type Issue, type Position } from '../model/index.ts';
import type { Limits } from './rows.ts';

export interface ReadOptions {
  /** Left out: the one of `,` `;` TAB `|` that the first line has most of. */
  delimiter?: string | undefined;
  /** Default `"`. Empty: quotes are ordinary text. */
  quote?: string | undefined;
  /** A longer cell is an issue of its row. Default 1 MiB. */
  maxCellBytes?: number | undefined;
  /** What the file name `-` stands for. Default: the process's standard input. */
  stdin?: NodeJS.ReadableStream | undefined;
  /** Told of what is odd about the header, before the source is returned. */
  onWarning?: ((warning: Issue) => void) | undefined;
  /** Where to read on: the header is read, the rows before are passed over. Not for standard input. */
  from?: Position | undefined;
  /** Ends the reading of standard input, which may be silent for ever; a file is read on, and can be counted. */
  interrupted?: AbortSignal | undefined;
}

/** The options with their defaults filled in. */
export interface ReadSettings {
  /** Undefined: to be detected. */
  readonly delimiter: string | undefined;
  readonly quote: string;
  readonly limits: Limits;
  readonly onWarning: (warning: Issue) => void;
}

const MIN_ROW_BYTES = 4 * 1024 * 1024;
const DEFAULT_MAX_CELL_BYTES = 1024 * 1024;

/** Throws ConfigError for options that contradict themselves; called before a file is opened. */
export function settingsOf(options: ReadOptions): ReadSettings {
  const { quote = '"', maxCellBytes = DEFAULT_MAX_CELL_BYTES, onWarning = () => {} } = options;
  // What a shell makes of --delimiter '\t'.
  const delimiter = options.delimiter === '\\t' ? '\t' : options.delimiter;
  if (delimiter === '')
    throw new ConfigError('--delimiter must not be empty: name the character between two cells.');
  if (delimiter !== undefined && /[\r\n]/.test(delimiter)) {
    throw new ConfigError('--delimiter must not be a line break: rows end with those.');
  }
  if ([...quote].length > 1 || /[\r\n]/.test(quote)) {
    throw new ConfigError(`--quote must be one character, or empty; it is ${JSON.stringify(quote)}.`);
  }
  if (quote !== '' && delimiter?.includes(quote))
    throw new ConfigError('--delimiter and --quote must differ.');
  return {
    delimiter,
    quote,
    limits: { maxCellBytes, maxRowBytes: Math.max(MIN_ROW_BYTES, 4 * maxCellBytes) },
    onWarning,
  };
}
