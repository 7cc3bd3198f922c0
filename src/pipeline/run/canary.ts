import type { Outcome, PlannedRecord } from '../../model/index.ts';

/** One record that was sent ahead of the others. */
export interface CanaryRecord {
  readonly row: number;
  /** Where the run has several. */
  readonly file?: string | undefined;
  readonly key: string;
  readonly outcome: Outcome;
}

/** Sends some records first, and the rest only when somebody has looked at what became of them. */
export interface Canary {
  /** The same batches, cut after the first records; what comes behind waits for the answer. */
  hold(batches: AsyncIterable<PlannedRecord[]>): AsyncGenerator<PlannedRecord[]>;
  settled(record: CanaryRecord): void;
  /** Fires when the answer was no. */
  readonly refused: AbortSignal;
}

/** `ask` shows the records, in the order of their answers, and says whether to go on. */
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
          // A run that stopped has answered for itself.
          const stopped = ended.some(({ outcome }) => outcome.outcome === 'unsent');
          // After a no the rest still comes: the run has stopped, and counts what it did not read.
          if (!stopped && !(await ask(ended))) refusal.abort();
        }
        yield batch.slice(ahead.length);
      }
    },
  };
}
