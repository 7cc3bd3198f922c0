/**
 * Where bytes go. Calls are to be awaited one after the other: that is the backpressure. A file appears at its
 * path with `commit` and not before; what went to a stream is gone.
 */
export interface Sink {
  write(chunk: string | Buffer): Promise<void>;
  commit(): Promise<void>;
  /** Leaves no trace of a file; does nothing after `commit`, so that it may stand in a `finally`. */
  abort(): Promise<void>;
  /** True when nobody reads any more, as after `| head`: further writes are dropped without a word. */
  ended(): boolean;
}
