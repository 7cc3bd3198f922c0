import { Worker } from 'node:worker_threads';
import { existsSync, resolve } from '../../model/files/fs.ts';
import type { RecordStoreOptions } from '../records/record-store.ts';
import type { EpochToFold } from './fold-epoch.ts';

/** Folds epochs in a thread of its own, with a connection of its own to the ledger. */
export interface FoldThread {
  /** True once it can fold. It may have failed since: then `fold` says so. */
  readonly isReady: boolean;
  /** Calls back when the tables have the epoch, or with the error. One at a time. */
  fold(epoch: EpochToFold, done: (error: Error | null) => void): void;
  close(): Promise<void>;
}

/** The data of the thread when it starts. */
export interface FoldThreadOptions extends RecordStoreOptions {
  readonly home: string;
}

/** The end of a fold in the thread, with the message of its error. */
export interface FoldAnswer {
  readonly failed?: string;
}

/** A file of the bundle. Sources that run without it, as in tests, have no thread. */
const WORKER = new URL('./fold-worker.cjs', import.meta.url);

export function hasFoldThread(): boolean {
  return existsSync(WORKER);
}

/** A fold makes garbage of some hundred kilobytes. With V8's default the process would need 25 MB more. */
const YOUNG_MB = 4;

/** Starts the thread, which takes as long as some dozens of records. A failure is reported by the next `fold`. */
export function startFoldThread(options: FoldThreadOptions): FoldThread {
  const worker = new Worker(WORKER, {
    workerData: { ...options, home: resolve(options.home) },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  let isReady = false;
  let failure: Error | undefined;
  let waiting: ((error: Error | null) => void) | undefined;
  // Alone it must not keep the process running.
  worker.unref();

  function answer(error: Error | null): void {
    const done = waiting;
    waiting = undefined;
    worker.unref();
    done?.(error);
  }

  function fail(error: Error): void {
    failure ??= error;
    isReady = true;
    answer(failure);
  }

  const ended = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      fail(new Error(`the thread that writes the tables ended with ${code}`));
      resolve();
    });
  });
  worker.on('error', (error) => fail(error as Error));
  worker.once('message', () => {
    isReady = true;
    worker.on('message', ({ failed }: FoldAnswer) => answer(failed === undefined ? null : new Error(failed)));
  });

  return {
    get isReady() {
      return isReady;
    },
    fold(epoch, done) {
      if (failure) return done(failure);
      waiting = done;
      worker.ref();
      worker.postMessage(epoch);
    },
    async close() {
      worker.ref();
      worker.postMessage('close');
      await ended;
    },
  };
}
