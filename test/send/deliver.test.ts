import { describe, expect, test } from 'vitest';
import { decodeIntent } from '../../src/ledger/index.ts';
import {
  type Delivery,
  type ReadyRecord,
  type RecordResult,
  RunStopped,
  type StoreRequest,
} from '../../src/model/index.ts';
import { readyRecord } from '../../src/pipeline/prepare/ready-records.ts';
import { products } from '../../src/resources/products.ts';
import { createFeed, deliverAll } from '../../src/send/index.ts';

const table = { file: 'a.csv', header: ['name'] };

const ready = (planned: Parameters<typeof readyRecord>[0]) =>
  readyRecord(planned, { resource: products, namesFiles: false });

function known(seq: number) {
  const row = { table, row: seq + 2, line: seq + 2, cells: [`p${seq}`] };
  return { record: { seq, rows: [row] }, key: `p${seq}` };
}

function create(seq: number): ReadyRecord {
  return ready({ ...known(seq), operation: { kind: 'create', payload: { name: `p${seq}` } } });
}

function invalid(seq: number): ReadyRecord {
  const outcome = {
    outcome: 'invalid',
    attempts: 0,
    durationMs: 0,
    code: 'required',
    message: 'no name',
  } as const;
  return ready({ ...known(seq), outcome });
}

const seqOf = (record: ReadyRecord | undefined) =>
  record && ('result' in record ? record.result.seq : record.seq);

async function* batches(...all: ReadyRecord[][]): AsyncGenerator<ReadyRecord[]> {
  for (const batch of all) yield batch;
}

/** A journal in memory that notes the order of all calls. Its commits take a turn of the event loop. */
function memoryJournal() {
  const log: string[] = [];
  const settled: RecordResult[] = [];
  return {
    log,
    settled,
    intend: async (intent: Buffer) => {
      const { seq } = decodeIntent(intent);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`intent ${seq}`);
    },
    settle(end: RecordResult, sent: boolean) {
      log.push(`${end.outcome.outcome} ${end.seq}${sent ? ' sent' : ''}`);
      settled.push(end);
      return undefined;
    },
    flush: async () => {
      log.push('flush');
    },
  };
}

const done = (id: string): Delivery => ({ verdict: 'done', attempts: 1, durationMs: 5, httpStatus: 200, id });
const nameIn = (request: StoreRequest): string => JSON.parse(String(request.body)).name;

/** `send` is called once nothing delays the request. */
function options(
  send: (request: StoreRequest) => Promise<Delivery>,
  more: { concurrency?: number; signal?: AbortSignal } = {},
) {
  const journal = memoryJournal();
  const counted: string[] = [];
  return {
    journal,
    counted,
    options: {
      resource: products,
      async send(request: StoreRequest, beforeSending: () => Promise<void>) {
        await beforeSending();
        return send(request);
      },
      journal,
      readIntent: decodeIntent,
      concurrency: more.concurrency ?? 2,
      interrupted: more.signal ?? new AbortController().signal,
      onSettled: ({ outcome }: RecordResult) => void counted.push(outcome.outcome),
    },
  };
}

describe('deliver', () => {
  test('writes the intent before the request, and the outcome after the answer', async () => {
    const { journal, options: given } = options(
      async (request) => {
        journal.log.push(`request ${nameIn(request)}`);
        return done('x');
      },
      { concurrency: 1 },
    );
    expect(await deliverAll(createFeed(batches([create(0), create(1)])), given)).toBeUndefined();
    expect(journal.log).toEqual([
      'intent 0',
      'request p0',
      'created 0 sent',
      'intent 1',
      'request p1',
      'created 1 sent',
      'flush',
    ]);
  });

  test('a waiting record has no intent, and is not sent once the run stops', async () => {
    const controller = new AbortController();
    const { journal, options: given } = options(async () => done('x'), { signal: controller.signal });
    const waiting = {
      ...given,
      async send(_: StoreRequest, beforeSending: () => Promise<void>) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        expect(journal.log).toEqual([]);
        controller.abort();
        await beforeSending();
        return done('sent all the same');
      },
    };
    const stopped = await deliverAll(createFeed(batches([create(0)])), waiting);
    expect((stopped as RunStopped).reason).toBe('interrupted');
    expect(journal.log).toEqual(['intent 0', 'unsent 0 sent', 'flush']);
  });

  test('a record has no intent if the store was never reached', async () => {
    const { journal, options: given } = options(async () => done('x'));
    const send = async () => {
      throw new RunStopped('store-unreachable', 'gone');
    };
    await deliverAll(createFeed(batches([create(0)])), { ...given, send });
    expect(journal.log).toEqual(['unsent 0', 'flush']);
  });

  test('never has more requests in flight than allowed, and settles every record once', async () => {
    let inFlight = 0;
    let most = 0;
    const all = Array.from({ length: 100 }, (_, seq) => (seq % 7 === 0 ? invalid(seq) : create(seq)));
    const {
      journal,
      counted,
      options: given,
    } = options(
      async (request) => {
        most = Math.max(most, ++inFlight);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
        inFlight--;
        return done(nameIn(request));
      },
      { concurrency: 5 },
    );
    await deliverAll(createFeed(batches(all.slice(0, 33), [], all.slice(33, 34), all.slice(34))), given);
    expect(most).toBe(5);
    expect(journal.settled.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(all.map(seqOf));
    expect(counted).toHaveLength(100);
  });

  test('keeps the rows of records that reports return, and of those in doubt, and of no others', async () => {
    const verdicts: Record<string, Delivery> = {
      p0: done('a'),
      p1: {
        verdict: 'rejected',
        attempts: 1,
        durationMs: 1,
        httpStatus: 400,
        code: 'store-refused',
        message: 'no',
      },
      p2: { verdict: 'in-doubt', attempts: 1, durationMs: 1, code: 'no-answer', message: 'lost' },
      p3: { verdict: 'failed', attempts: 6, durationMs: 1, code: 'not-sent', message: 'gone' },
    };
    const { journal, options: given } = options(async (request) => verdicts[nameIn(request)] as Delivery);
    await deliverAll(createFeed(batches([create(0), create(1), create(2), create(3), invalid(4)])), given);
    const kept = journal.settled.filter(({ rows }) => rows).map(({ seq }) => seq);
    expect(kept.sort()).toEqual([1, 2, 3, 4]);
    expect(journal.settled.find(({ seq }) => seq === 1)?.rows).toEqual([{ row: 3, cells: ['p1'] }]);
  });

  test('RunStopped leaves read records unsent and awaits those in flight, and none is lost', async () => {
    const { journal, options: given } = options(async (request) => {
      if (nameIn(request) === 'p1') throw new RunStopped('credentials-refused', 'the store refuses us');
      await new Promise((resolve) => setTimeout(resolve, 20));
      return done('x');
    });
    const feed = createFeed(batches([create(0), create(1), create(2), invalid(3)], [create(4), create(5)]));
    const stopped = await deliverAll(feed, given);
    expect(stopped).toBeInstanceOf(RunStopped);
    const outcomes = Object.fromEntries(journal.settled.map(({ seq, outcome }) => [seq, outcome.outcome]));
    expect(outcomes).toEqual({ 0: 'created', 1: 'unsent', 2: 'unsent', 3: 'invalid' });
    expect(await feed.countRest(1000)).toBe(2);
    expect(journal.settled.find(({ seq }) => seq === 2)?.outcome).toMatchObject({
      code: 'credentials-refused',
      message: 'not sent: the store refuses us',
    });
  });

  test('an internal error leaves begun records in doubt and the rest unsent, and none is lost', async () => {
    const { journal, options: given } = options(async (request) => {
      if (nameIn(request) === 'p1') throw new TypeError('a bug');
      await new Promise((resolve) => setTimeout(resolve, 10));
      return done('x');
    });
    const stopped = await deliverAll(createFeed(batches([create(0), create(1), create(2)])), given);
    expect(stopped).toBeInstanceOf(TypeError);
    expect(Object.fromEntries(journal.settled.map(({ seq, outcome }) => [seq, outcome.outcome]))).toEqual({
      0: 'created',
      1: 'in-doubt',
      2: 'unsent',
    });
  });

  test('an interrupt awaits requests in flight and sends nothing more', async () => {
    const controller = new AbortController();
    const sent: string[] = [];
    const { journal, options: given } = options(
      async (request) => {
        sent.push(nameIn(request));
        controller.abort();
        await new Promise((resolve) => setTimeout(resolve, 10));
        return done('x');
      },
      { concurrency: 1, signal: controller.signal },
    );
    const stopped = await deliverAll(createFeed(batches([create(0), create(1), create(2)])), given);
    expect((stopped as RunStopped).reason).toBe('interrupted');
    expect(sent).toEqual(['p0']);
    expect(journal.settled.map(({ seq, outcome }) => [seq, outcome.outcome])).toEqual([
      [0, 'created'],
      [1, 'unsent'],
      [2, 'unsent'],
    ]);
  });

  test('an interrupt ends a run that waits for an idle source', async () => {
    const controller = new AbortController();
    async function* stuck(): AsyncGenerator<ReadyRecord[]> {
      yield [create(0)];
      await new Promise(() => {});
    }
    const { journal, options: given } = options(async () => done('x'), { signal: controller.signal });
    const feed = createFeed(stuck());
    const ended = deliverAll(feed, given);
    setTimeout(() => controller.abort(), 20);
    expect(((await ended) as RunStopped).reason).toBe('interrupted');
    expect(journal.settled.map(({ outcome }) => outcome.outcome)).toEqual(['created']);
    expect(await feed.countRest(10)).toBeUndefined();
  });

  test('a source that fails stops the run after the records that were read before', async () => {
    async function* breaking(): AsyncGenerator<ReadyRecord[]> {
      yield [create(0), create(1)];
      throw new RunStopped('source-failed', 'the disk is gone');
    }
    const { journal, options: given } = options(async () => done('x'));
    const stopped = await deliverAll(createFeed(breaking()), given);
    expect((stopped as RunStopped).reason).toBe('source-failed');
    expect(journal.settled).toHaveLength(2);
  });

  test('sends nothing once an intent could not be written', async () => {
    const sent: string[] = [];
    const { journal, options: given } = options(async (request) => {
      sent.push(nameIn(request));
      return done('x');
    });
    const failing = {
      ...given,
      journal: {
        intend: async () => {
          throw new RunStopped('ledger-failed', 'disk full');
        },
        settle: given.journal.settle,
        flush: async () => {},
      },
    };
    const stopped = await deliverAll(createFeed(batches([create(0), create(1), create(2)])), failing);
    expect((stopped as RunStopped).reason).toBe('ledger-failed');
    expect(sent).toEqual([]);
    // They have outcomes nevertheless.
    expect(journal.settled.map(({ seq, outcome }) => [seq, outcome.outcome]).sort()).toEqual([
      [0, 'unsent'],
      [1, 'unsent'],
      [2, 'unsent'],
    ]);
  });
});

describe('feed', () => {
  test('does not pull the next batch before one is asked for', async () => {
    let pulled = 0;
    async function* counted(): AsyncGenerator<ReadyRecord[]> {
      for (let batch = 0; batch < 3; batch++) {
        pulled++;
        yield [create(batch)];
      }
    }
    const feed = createFeed(counted());
    expect(await feed.more()).toBe(true);
    expect(pulled).toBe(1);
    expect(seqOf(feed.take())).toBe(0);
    expect(feed.take()).toBeUndefined();
    expect(pulled).toBe(1);
  });

  test('one pull wakes all waiting consumers', async () => {
    const feed = createFeed(batches([create(0)], [create(1)]));
    expect(await Promise.all([feed.more(), feed.more(), feed.more()])).toEqual([true, true, true]);
    expect(seqOf(feed.take())).toBe(0);
  });

  test('reports the end of the source', async () => {
    const feed = createFeed(batches([create(0)]));
    await feed.more();
    feed.take();
    expect(await feed.more()).toBe(false);
    expect(await feed.more()).toBe(false);
  });
});
