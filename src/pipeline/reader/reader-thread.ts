import type { Worker } from 'node:worker_threads';
import { existsSync, givenFolder } from '../../model/files/fs.ts';
import { RunStopped, runningLine } from '../../model/index.ts';
import type { SettledBatch } from '../../report/index.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import { stopPretenuring } from './pretenuring.ts';
import type {
  ReaderEvents,
  ReaderFacts,
  ReaderMessage,
  ReaderOptions,
  ReaderRequest,
} from './reader-options.ts';
import { errorOf } from './thrown.ts';

/** Reads, groups, maps, validates and plans in a thread of its own, which opens the files and the ledger itself. */
export interface ReaderThread<Batch> {
  /**
   * The packed batches in source order; to be called once. Calls `note` with the events of each batch when it is taken.
   * Throws what reading throws, and RunStopped if the thread fails.
   */
  batches(note: (events: ReaderEvents) => void): AsyncGenerator<Batch>;
  /** The facts as far as they are known now; if the thread failed, those from before it. */
  facts(): Promise<ReaderFacts>;
  /**
   * The settled records of a run, for its reports; undefined if the thread has ended. Reads the files no further. To be
   * called once. Throws RunStopped if the ledger cannot be read or the thread fails.
   */
  settled(run: number): AsyncGenerator<SettledBatch> | undefined;
  /** Ends the thread, if it has not ended, after the batch that it is preparing. */
  close(): Promise<void>;
}

/** A file of the bundle. Sources that run without it, as in tests, have no thread. */
const WORKER = new URL('./reader-worker.cjs', import.meta.url);

/** Bytes from which on a thread is worth its start: some ten thousand records. */
const LEAST_BYTES = 2 * 1024 * 1024;
/** How many times larger gzip files become, about. */
const PACKED = 6;

/** True for files that a thread reads better: not for a pipe, which only one can read, nor for workbooks. */
export function isWorthThread({ files }: ImportInputs): boolean {
  let bytes = 0;
  for (const { source } of files) {
    const { format, packed } = source.reading();
    if (source.size === undefined || format === 'xlsx') return false;
    bytes += source.size * (packed ? PACKED : 1);
  }
  return bytes >= LEAST_BYTES && existsSync(WORKER);
}

/** In megabytes. Enough for some batches, while V8 keeps rows among the young objects. */
const YOUNG_MB = 12;

/** Time for the thread to end by itself, milliseconds. */
const PATIENCE_MS = 5000;

/** `before`: the facts from before the thread reads. */
export function createReaderThread<Batch>(
  options: ReaderOptions,
  before: () => ReaderFacts,
): ReaderThread<Batch> {
  type Arrived = Exclude<ReaderMessage<Batch>, { kind: 'facts' }>;
  const arrived: Arrived[] = [];
  let worker: Worker | undefined;
  let ended: Promise<void> | undefined;
  let facts: ReaderFacts | undefined;
  let failure: RunStopped | undefined;
  let isClosing = false;
  let wake: () => void = () => {};
  let onFacts: (now: ReaderFacts) => void = () => {};

  function ask(request: ReaderRequest): void {
    worker?.postMessage(request);
  }

  function receive(message: ReaderMessage<Batch>): void {
    if (message.kind === 'facts') {
      onFacts(message.facts);
      return;
    }
    if (message.kind === 'end') {
      facts = message.facts;
      onFacts(facts);
    }
    arrived.push(message);
    wake();
  }

  function fail(why: string): void {
    const sendsNothing = options.check !== undefined || options.clean !== undefined;
    failure ??= new RunStopped('internal-error', `The thread that reads the files failed: ${why}.`, [
      sendsNothing
        ? 'Run the command again; if it fails again, report it.'
        : 'What was sent before is in the ledger. Resume the run; if it fails again, report it.',
    ]);
    onFacts(before());
    wake();
  }

  async function start(): Promise<void> {
    // Loaded here: most commands have no thread.
    const threads = await import('node:worker_threads');
    const pretenureAgain = stopPretenuring();
    const started = new threads.Worker(WORKER, {
      workerData: { ...options, folder: givenFolder(), line: runningLine() },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    worker = started;
    started.on('message', receive);
    started.on('error', (error) => fail((error as Error).message));
    ended = new Promise((resolve) => {
      started.once('exit', (code) => {
        pretenureAgain();
        worker = undefined;
        if (!isClosing) fail(`it ended with ${code}`);
        resolve();
      });
    });
  }

  async function next(): Promise<Arrived> {
    for (;;) {
      const message = arrived.shift();
      if (message) return message;
      if (failure) throw failure;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  async function* settled(run: number): AsyncGenerator<SettledBatch> {
    ask({ settledOf: run });
    for (;;) {
      const message = await next();
      if (message.kind === 'all-settled') {
        if (message.failed) throw errorOf(message.failed);
        return;
      }
      // Batches that nobody took are older.
      if (message.kind !== 'settled') continue;
      ask('more');
      yield message.batch;
    }
  }

  return {
    async *batches(note) {
      await start();
      for (;;) {
        const message = await next();
        if (message.kind !== 'batch' && message.kind !== 'end') continue;
        note(message.events);
        if (message.kind === 'end') {
          if (message.failed) throw errorOf(message.failed);
          return;
        }
        ask('more');
        yield message.batch;
      }
    },
    settled: (run) => (worker && !failure ? settled(run) : undefined),
    facts() {
      if (facts || failure || !worker) return Promise.resolve(facts ?? before());
      return new Promise((resolve) => {
        onFacts = resolve;
        ask('facts');
      });
    },
    async close() {
      if (!worker) return ended;
      isClosing = true;
      ask('close');
      // A file on a network may hang; the thread then ends in the middle of it.
      const impatient = setTimeout(() => void worker?.terminate(), PATIENCE_MS);
      await ended;
      clearTimeout(impatient);
    },
  };
}
