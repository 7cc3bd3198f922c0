import { decodeIntent } from '../../ledger/index.ts';
import { INCOMPLETE, type ReadyRecord, type RunActivity } from '../../model/index.ts';
import { createFeed, deliverAll, type Feed } from '../../send/index.ts';
import { noteActivity } from './activity.ts';
import { createCanary } from './canary.ts';
import type { Execution } from './context.ts';

export interface SentRecords {
  /** The reason that the run stopped early; undefined if it did not. */
  readonly stopped: Error | undefined;
  /** Records that were not read since the run stopped; undefined if they could not be counted. */
  readonly notRead: number | undefined;
  readonly activity: RunActivity;
}

/** Time to count the records that were not read when a run stops early. */
const COUNT_PATIENCE_MS = 5000;

/** Sends records and records each outcome in the ledger. With a canary, asks before the rest is sent. */
export async function sendRecords(
  ready: AsyncIterable<ReadyRecord[]>,
  { run, options, target, source, counts, facts, limit }: Execution,
): Promise<SentRecords> {
  const { watch, interrupted } = options;
  const { recordFailed, recordSettled } = watch;
  const canary = options.canary === undefined ? undefined : createCanary(options.canary, watch.canary);
  const feed = createFeed(canary ? canary.hold(ready) : ready);
  watch.began?.(facts, counts.records);
  watch.started(source.progress);
  const noted = noteActivity({
    ...{ records: () => counts.records, client: target.client, earlier: facts.activity },
    keep: run.keepActivity,
  });
  const delivered = deliverAll(feed, {
    resource: options.resource,
    send: target.client.deliver,
    journal: run,
    concurrency: target.concurrency,
    readIntent: decodeIntent,
    interrupted: canary ? AbortSignal.any([interrupted, canary.refused]) : interrupted,
    onSettled(result) {
      counts.add(result.outcome.outcome);
      canary?.settled(result);
      if (recordFailed && INCOMPLETE.has(result.outcome.outcome)) recordFailed(result);
      recordSettled?.(result);
      return limit?.(result.outcome);
    },
    room: watch.room,
    onLedgerFailed: target.client.stop,
  });
  const stopped = await delivered.finally(noted.stop);
  // If nothing stopped the sending, everything was read.
  const notRead = stopped ? await countUnread(feed, source.whole) : 0;
  return { stopped, notRead, activity: noted.activity() };
}

async function countUnread(feed: Feed, isWhole = false): Promise<number | undefined> {
  return isWhole ? 0 : feed.countRest(COUNT_PATIENCE_MS).catch(() => undefined);
}
