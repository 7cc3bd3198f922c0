/** How a source file is read: what was named, and what was found out. */
export interface ReadFormat {
  readonly format: 'csv' | 'json' | 'ndjson';
  readonly packed?: 'gzip';
  readonly encoding: string;
  /** The encoding was told from the text itself, and may be wrong. */
  readonly guessed?: true;
  /** Another encoding that fits its text nearly as well. */
  readonly rival?: string;
  /** Of CSV. */
  readonly delimiter?: string;
  readonly quote?: string;
  /** Of JSON whose list lies in an object: its path, such as `products` or `data.items`. */
  readonly list?: string;
}
