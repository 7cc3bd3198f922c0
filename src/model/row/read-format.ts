/** Format of a source file, partly given by options and partly detected. */
export interface ReadFormat {
  readonly format: 'csv' | 'json' | 'ndjson' | 'xlsx';
  readonly packed?: 'gzip';
  readonly encoding: string;
  /** The encoding was detected from the text and may be wrong. */
  readonly guessed?: true;
  /** Another encoding that fits the text nearly as well. */
  readonly rival?: string;
  /** All that was read is ASCII: a letter further down may show another encoding. */
  readonly undecided?: true;
  /** For CSV only. */
  readonly delimiter?: string;
  readonly quote?: string;
  /** Lines above the header that were left out, by `--skip-lines` or since they are titles; undefined if none. */
  readonly skippedLines?: number;
  /** The file has no header: its columns are called A, B, C. */
  readonly noHeader?: true;
  /** Cells that were missing at the end of a row were read as empty. */
  readonly paddedRows?: true;
  /** For a workbook: the sheet that was read, and the others, if any. */
  readonly sheet?: string;
  readonly otherSheets?: readonly string[];
  /** For JSON with its list inside an object: the path, such as `products` or `data.items`. */
  readonly list?: string;
}
