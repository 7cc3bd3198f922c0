import { RunStopped, visible } from '../model/index.ts';
import { type AtomicFileOptions, openAtomicFile } from './atomic-file.ts';
import { gzipped } from './gzip.ts';
import { closedByReader, type Sink } from './sink.ts';

/** The path of a file, or a stream such as standard output. */
export type Destination = string | NodeJS.WritableStream;

/** The file, or standard output if there is none. */
export function destinationOf({
  out,
  stdout,
}: {
  readonly out?: string | undefined;
  readonly stdout?: NodeJS.WritableStream | undefined;
}): Destination {
  const destination = out ?? stdout;
  if (destination === undefined) throw new Error('There is neither a file nor a stream to write to.');
  return destination;
}

/** Opens a destination. A file whose name ends in `.gz` is compressed. The options are for files. */
export async function openDestination(
  destination: Destination,
  options: AtomicFileOptions = {},
): Promise<Sink> {
  if (typeof destination !== 'string') return openStream(destination);
  const file = await openAtomicFile(destination, options);
  return /\.gz$/i.test(destination) ? gzipped(file) : file;
}

function openStream(stream: NodeJS.WritableStream): Sink {
  let failure: NodeJS.ErrnoException | undefined;
  let wake: (() => void) | undefined;
  const onError = (error: NodeJS.ErrnoException) => {
    failure ??= error;
    wake?.();
  };
  const onReady = () => wake?.();
  // One set of listeners for the whole life of the sink: one for each write would cause a leak warning under load.
  stream.on('error', onError);
  stream.on('drain', onReady);
  stream.on('close', onReady);
  const isClosed = () =>
    failure?.code === 'EPIPE' ||
    (failure === undefined && (stream as { destroyed?: boolean }).destroyed === true);

  function check(): void {
    if (isClosed()) throw closedByReader('Standard output');
    if (failure !== undefined)
      throw new RunStopped('output-failed', `Standard output cannot be written: ${failure.message}.`);
  }

  /** Escapes text for a terminal only, where data must not move the cursor or hide text. */
  function shown(chunk: string | Buffer): string | Buffer {
    const isTerminal = (stream as { isTTY?: boolean }).isTTY === true;
    return isTerminal && typeof chunk === 'string' ? visible(chunk) : chunk;
  }

  /** Keeps the error listener: the error of a last failed write may arrive later. */
  function release(): void {
    stream.removeListener('drain', onReady);
    stream.removeListener('close', onReady);
  }

  return {
    async write(chunk) {
      check();
      if (stream.write(shown(chunk))) return;
      if (!isClosed()) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = undefined;
      }
      check();
    },
    async commit() {
      check();
      // The callback of an empty write runs when all earlier data has left the process. Its error reaches the listener.
      await new Promise<void>((resolve) => stream.write('', () => resolve()));
      release();
      check();
    },
    async abort() {
      release();
    },
    isClosed,
  };
}
