import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { existsSync, givenFolder } from '../../model/files/fs.ts';
import { RunStopped, runningLine } from '../../model/index.ts';
import { stopPretenuring } from '../reader/pretenuring.ts';
import type { ReaderOptions } from '../reader/reader-options.ts';
import { errorOf } from '../reader/thrown.ts';
import type {
  BlockAnswer,
  BlockDuplicates,
  MapBlock,
  MappingMessage,
  MappingRequest,
} from './block-messages.ts';

/** Threads that map blocks. */
export interface MappingThreads<Batch> {
  readonly mappers: readonly MapBlock<Batch>[];
  /** Ends them, whatever they are doing: nothing is lost. */
  close(): Promise<void>;
}

/** A file of the bundle. Sources that run without it, as in tests, have no thread. */
const PROGRAM = new URL('./mapping-worker.cjs', import.meta.url);

/** With more, the main thread is what bounds the speed. */
const MOST_THREADS = 2;

/** In megabytes. With 24, two threads need 35 MB more. */
const YOUNG_MB = 12;

/** Number of threads that can map blocks beside the main thread, which reads; 0 if there is one core. */
export function mappingThreads(): number {
  return existsSync(PROGRAM) ? Math.min(availableParallelism() - 1, MOST_THREADS) : 0;
}

/** The threads start with the first block. */
export function createMappingThreads<Batch>(options: ReaderOptions, count: number): MappingThreads<Batch> {
  const workers: Worker[] = [];
  let pretenureAgain: (() => void) | undefined;
  let starting: Promise<readonly MapBlock<Batch>[]> | undefined;

  async function start(): Promise<readonly MapBlock<Batch>[]> {
    // Loaded here: most commands have no thread.
    const threads = await import('node:worker_threads');
    pretenureAgain = stopPretenuring();
    for (let thread = 0; thread < count; thread++)
      workers.push(
        new threads.Worker(PROGRAM, {
          workerData: { ...options, folder: givenFolder(), line: runningLine() },
          resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
        }),
      );
    return workers.map((worker) => mapperOn<Batch>(worker));
  }

  return {
    mappers: Array.from(
      { length: count },
      (_, thread): MapBlock<Batch> =>
        async (request) => {
          starting ??= start();
          const map = (await starting)[thread] as MapBlock<Batch>;
          return map(request);
        },
    ),
    async close() {
      await starting?.catch(() => {});
      await Promise.all(workers.map((worker) => worker.terminate()));
      pretenureAgain?.();
    },
  };
}

interface Waiting<Answer> {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

function mapperOn<Batch>(worker: Worker): MapBlock<Batch> {
  type Message = MappingMessage<Batch>;
  const waiting: Waiting<Exclude<Message, { failed: unknown }>>[] = [];
  let failure: Error | undefined;

  function fail(why: string): void {
    failure ??= new RunStopped('internal-error', `A thread that reads the files failed: ${why}.`, [
      'Run the command again; if it fails again, report it.',
    ]);
    for (const { reject } of waiting.splice(0)) reject(failure);
  }

  worker.on('message', (message: Message) => {
    const next = waiting.shift();
    if ('failed' in message) next?.reject(errorOf(message.failed));
    else next?.resolve(message);
  });
  worker.on('error', (error) => fail((error as Error).message));
  worker.once('exit', (code) => fail(`it ended with ${code}`));

  function ask(request: MappingRequest): Promise<Exclude<Message, { failed: unknown }>> {
    if (failure) return Promise.reject(failure);
    return new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      worker.postMessage(request, [request.bytes.buffer]);
    });
  }

  return async (request) => {
    const { answer } = (await ask(request)) as { readonly answer: BlockAnswer<Batch> };
    const again = async (duplicates: BlockDuplicates) => {
      const message = await ask({ number: answer.number, bytes: answer.bytes, duplicates });
      return (message as { readonly batch: Batch }).batch;
    };
    return { ...answer, again };
  };
}
