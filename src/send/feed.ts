import type { ReadyRecord } from '../model/index.ts';

/**
 * Gives out batches one record at a time to several consumers. Between batches all consumers wait for the same pull, so
 * the source has one reader, and is read no faster than records are taken.
 */
export interface Feed {
  /** The next record; undefined if the batch is used up. */
  take(): ReadyRecord | undefined;
  /**
   * Resolves with true when there may be another record, with false at the end of the source, or after `close`
   * once the batch is used up.
   */
  more(): Promise<boolean>;
  /** Wakes all waiting consumers. Records that were read can still be taken. */
  close(): void;
  /**
   * Reads the source to its end and counts the records that were not taken; undefined if that takes longer than
   * `patienceMs`, since standard input may never end.
   */
  countRest(patienceMs: number): Promise<number | undefined>;
}

export function createFeed(batches: AsyncIterable<readonly ReadyRecord[]>): Feed {
  const source = batches[Symbol.asyncIterator]();
  let batch: readonly ReadyRecord[] = [];
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
        // A pull that was in progress when the feed was closed still gives a batch.
        await pulling;
        // The number of records in a source that failed is unknown.
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
