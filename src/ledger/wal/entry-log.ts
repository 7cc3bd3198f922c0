/** The log of one run, as the journal writes it: a file, or lines of a table. */
export interface EntryLog {
  /** Bytes written since the epoch began. */
  readonly position: number;
  /** Writes an entry, whose text comes in pieces, without syncing it. May throw. */
  write(pieces: readonly (string | Buffer)[]): void;
  /**
   * Calls back when everything written so far is durable, or with the error. At most `syncsAtOnce` at a time; a later one
   * may end before an earlier one, and is then as good for both.
   */
  sync(done: (error: Error | null) => void): void;
  /** Maximum number of syncs under way. */
  readonly syncsAtOnce: number;
}
