import { RunStopped } from '../model/index.ts';

/**
 * A destination for bytes. Each call must be awaited before the next, which gives backpressure. A file appears at its
 * path only with `commit`; data written to a stream cannot be taken back.
 */
export interface Sink {
  write(chunk: string | Buffer): Promise<void>;
  commit(): Promise<void>;
  /** Removes all traces of a file. Does nothing after `commit`, so that it can be called in a `finally`. */
  abort(): Promise<void>;
  /**
   * True if the reader of a stream or a pipe is gone, as after `| head`. `write` and `commit` then throw RunStopped.
   */
  isClosed(): boolean;
}

/** `what` begins the sentence. */
export function closedByReader(what: string): RunStopped {
  return new RunStopped('output-failed', `${what} was closed by its reader before everything was written.`, [
    'To have all of it, whoever reads along, name a file with --out.',
  ]);
}
