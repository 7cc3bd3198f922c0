import type { Outcome, ReadyRecord } from '../../model/index.ts';

/** A record of the canary, with its outcome. */
export interface CanaryRecord {
  readonly row: number;
  /** Given if the run has several files. */
  readonly file?: string | undefined;
  readonly key: string;
  readonly outcome: Outcome;
}

/** Sends some records first, and the rest only after a person has approved their outcomes. */
export interface Canary {
  /** Passes batches on, split after the canary. The rest waits for the approval. */
  hold(batches: AsyncIterable<ReadyRecord[]>): AsyncGenerator<ReadyRecord[]>;
  settled(record: CanaryRecord): void;
  /** Fires if the rest is not approved. */
  readonly refused: AbortSignal;
}

/** `ask` is called with the records in the order of their answers. Resolves with true to send the rest. */
export function createCanary(size: number, ask: (records: CanaryRecord[]) => Promise<boolean>): Canary {
  const refusal = new AbortController();
  const ended: CanaryRecord[] = [];
  let wake: () => void = () => {};
  let asked = false;

  return {
    refused: refusal.signal,
    settled(record) {
      if (asked) return;
      ended.push(record);
      wake();
    },
    async *hold(batches) {
      let taken = 0;
      for await (const batch of batches) {
        const ahead = batch.slice(0, Math.max(0, size - taken));
        taken += ahead.length;
        if (ahead.length > 0) yield ahead;
        if (ahead.length === batch.length) continue;
        if (!asked) {
          while (ended.length < taken)
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          asked = true;
          // If the run has stopped, there is nothing to ask.
          const stopped = ended.some(({ outcome }) => outcome.outcome === 'unsent');
          // If refused, the rest is passed on all the same: the stopped run counts what it did not read.
          if (!stopped && !(await ask(ended))) refusal.abort();
        }
        yield batch.slice(ahead.length);
      }
    },
  };
}
