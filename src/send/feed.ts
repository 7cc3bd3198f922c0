import type { PlannedRecord } from '../model/index.ts';

/**
 * Batches, handed out one record at a time to whoever asks. Between batches all askers wait for the same pull, so
 * the source is read by one hand and no faster than records are taken.
 */
export interface Feed {
  /** The next record, if one is at hand. */
  take(): PlannedRecord | undefined;
  /** Resolves when there may be one again: true, or false at the end of the source or once `close` was called. */
  more(): Promise<boolean>;
  /** Wakes all who wait; what was read can still be taken. */
  close(): void;
  /**
   * How many records the source still has that were not read, reading it to its end; undefined when that takes
   * longer than `patienceMs` (standard input may never end).
   */
  countRest(patienceMs: number): Promise<number | undefined>;
}

export function createFeed(batches: AsyncIterable<readonly PlannedRecord[]>): Feed {
  const source = batches[Symbol.asyncIterator]();
  let batch: readonly PlannedRecord[] = [];
  let position = 0;
  let ended = false;
  let closed = false;
  let failed = false;
  let waiting: PromiseWithResolvers<boolean> | undefined;
  let pulling: Promise<void> | undefined;

  const wake = (settle: (waiting: PromiseWithResolvers<boolean>) => void) => {
    const woken = waiting;
    waiting = undefined;
    if (woken) settle(woken);
  };
  const pull = () => {
    waiting = withResolvers();
    const { promise } = waiting;
    pulling = source.next().then(
      ({ value, done }) => {
        if (done) ended = true;
        else [batch, position] = [value, 0];
        wake(({ resolve }) => resolve(!done));
      },
      (error) => {
        ended = true;
        failed = true;
        wake(({ reject }) => reject(error));
      },
    );
    return promise;
  };

  return {
    take: () => (position < batch.length ? batch[position++] : undefined),
    more: async () => {
      if (position < batch.length) return true;
      return closed || ended ? false : (waiting?.promise ?? pull());
    },
    close() {
      closed = true;
      wake(({ resolve }) => resolve(false));
    },
    async countRest(patienceMs) {
      let timer: NodeJS.Timeout | undefined;
      const tooLong = new Promise<undefined>((resolve) => {
        timer = setTimeout(resolve, patienceMs, undefined);
      });
      const all = async () => {
        // A pull that was under way when the feed was closed still brings a batch.
        await pulling;
        // A source that failed does not tell how much there was.
        if (failed) return undefined;
        let count = batch.length - position;
        for (;;) {
          const { value, done } = await source.next();
          if (done) return count;
          count += value.length;
        }
      };
      try {
        return await Promise.race([all(), tooLong]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** Promise.withResolvers, which Node 20 does not have. */
function withResolvers<T>(): PromiseWithResolvers<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
