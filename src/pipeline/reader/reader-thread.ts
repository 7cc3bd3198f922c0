import { existsSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import type { SourceFile } from '../../ledger/index.ts';
import { type ReadyRecord, RunStopped } from '../../model/index.ts';
import { type Resource, resourceOf } from '../../resources/index.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import type { ReaderEvents, ReaderMessage, ReaderOptions, ReaderRequest } from './reader-options.ts';
import { unpackBatch } from './ready-batch.ts';
import { errorOf } from './thrown.ts';

/** Reads, groups, maps, validates and plans in a thread of its own, which opens the files and the ledger itself. */
export interface ReaderThread {
  /**
   * The ready records in source order; to be called once. Calls `note` with the events of each batch when it is taken.
   * Throws what reading throws, and RunStopped if the thread fails.
   */
  records(note: (events: ReaderEvents) => void): AsyncGenerator<ReadyRecord[]>;
  /** The facts about the files as far as they are known now; if the thread failed, those from before it. */
  files(): Promise<readonly SourceFile[]>;
  /** Ends the thread, if it has not ended, after the batch that it is preparing. */
  close(): Promise<void>;
}

/** A file of the bundle. Sources that run without it, as in tests, have no thread. */
const WORKER = new URL('./reader-worker.js', import.meta.url);

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

/** In megabytes. With V8's default the process needs 40 MB more; with less, rows of a batch survive collections. */
const YOUNG_MB = 24;

/** Time for the thread to end by itself, milliseconds. */
const PATIENCE_MS = 5000;

/** The resource may have overrides; the thread makes the same one from the options. */
export function createReaderThread(options: ReaderOptions): ReaderThread {
  const resource: Resource = resourceOf(options.resource);
  const arrived: Exclude<ReaderMessage, { kind: 'files' }>[] = [];
  let worker: Worker | undefined;
  let ended: Promise<void> | undefined;
  let files: readonly SourceFile[] | undefined;
  let failure: RunStopped | undefined;
  let wake: () => void = () => {};
  let onFiles: (now: readonly SourceFile[]) => void = () => {};

  function ask(request: ReaderRequest): void {
    worker?.postMessage(request);
  }

  function receive(message: ReaderMessage): void {
    if (message.kind === 'files') {
      onFiles(message.files);
      return;
    }
    if (message.kind === 'end') {
      files = message.files;
      onFiles(files);
    }
    arrived.push(message);
    wake();
  }

  function fail(why: string): void {
    failure ??= new RunStopped('internal-error', `The thread that reads the files failed: ${why}.`, [
      'What was sent before is in the ledger. Resume the run; if it fails again, report it.',
    ]);
    onFiles(options.known);
    wake();
  }

  async function start(): Promise<void> {
    // Loaded here: most commands have no thread.
    const threads = await import('node:worker_threads');
    const started = new threads.Worker(WORKER, {
      workerData: options,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    worker = started;
    started.on('message', receive);
    started.on('error', (error) => fail((error as Error).message));
    ended = new Promise((resolve) => {
      started.once('exit', (code) => {
        worker = undefined;
        if (files === undefined) fail(`it ended with ${code}`);
        resolve();
      });
    });
  }

  async function next(): Promise<(typeof arrived)[number]> {
    for (;;) {
      const message = arrived.shift();
      if (message) return message;
      if (failure) throw failure;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    async *records(note) {
      await start();
      for (;;) {
        const message = await next();
        note(message.events);
        if (message.kind === 'end') {
          if (message.failed) throw errorOf(message.failed);
          return;
        }
        ask('more');
        yield unpackBatch(message.batch, resource);
      }
    },
    files() {
      if (files || failure || !worker) return Promise.resolve(files ?? options.known);
      return new Promise((resolve) => {
        onFiles = resolve;
        ask('files');
      });
    },
    async close() {
      if (!worker) return ended;
      ask('close');
      // A file on a network may hang; the thread then ends in the middle of it.
      const impatient = setTimeout(() => void worker?.terminate(), PATIENCE_MS);
      await ended;
      clearTimeout(impatient);
    },
  };
}
