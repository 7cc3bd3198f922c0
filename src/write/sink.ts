import { RunStopped } from '../model/index.ts';

/**
 * Where bytes go. Calls are to be awaited one after the other: that is the backpressure. A file appears at its
 * path with `commit` and not before; what went to a stream is gone.
 */
export interface Sink {
  write(chunk: string | Buffer): Promise<void>;
  commit(): Promise<void>;
  /** Leaves no trace of a file; does nothing after `commit`, so that it may stand in a `finally`. */
  abort(): Promise<void>;
  /** True when the reader of a stream or a pipe is gone, as after `| head`. `write` and `commit` throw RunStopped then. */
  isClosed(): boolean;
}

/** `what`: at the beginning of a sentence. */
export function closedByReader(what: string): RunStopped {
  return new RunStopped('output-failed', `${what} was closed by its reader before everything was written.`, [
    'To have all of it, whoever reads along, name a file with --out.',
  ]);
}
