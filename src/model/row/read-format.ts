/** Format of a source file, partly given by options and partly detected. */
export interface ReadFormat {
  readonly format: 'csv' | 'json' | 'ndjson';
  readonly packed?: 'gzip';
  readonly encoding: string;
  /** The encoding was detected from the text and may be wrong. */
  readonly guessed?: true;
  /** Another encoding that fits the text nearly as well. */
  readonly rival?: string;
  /** For CSV only. */
  readonly delimiter?: string;
  readonly quote?: string;
  /** For JSON with its list inside an object: the path, such as `products` or `data.items`. */
  readonly list?: string;
}
