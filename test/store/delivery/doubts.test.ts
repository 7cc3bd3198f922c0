import { describe, expect, test } from 'vitest';
import { passTimeByTurns } from '../../support/quick-time.ts';
import * as wire from '../../support/store/adversary.ts';
import { deliver, REQUESTS, testClient } from '../../support/store/client.ts';

passTimeByTurns();

const CONCURRENCY = 16;
const LIST = wire.json(200, { results: [] });
const isCreate = ({ target }: wire.WireRequest) => target === REQUESTS.create.path;

/** Sends `count` creates until they have all ended, or the run stops. */
async function importing(store: wire.Adversary, count: number, options: object = {}) {
  const client = testClient({ baseUrl: store.url, concurrency: CONCURRENCY, ...options });
  const ends = await Promise.allSettled(Array.from({ length: count }, () => deliver(client, 'create')));
  const verdicts: Record<string, number> = {};
  for (const end of ends) {
    const word = end.status === 'fulfilled' ? end.value.verdict : end.reason.reason;
    verdicts[word] = (verdicts[word] ?? 0) + 1;
  }
  const stop = ends.find((end) => end.status === 'rejected')?.reason;
  return { verdicts, stop, client };
}

describe('an outage that begins while requests are in flight', () => {
  test('late answers let no more creates through: at most 32 are in doubt', async () => {
    // The first requests are answered one by one, each after 14 others were reset; the rest when the store is
    // read.
    const late: (() => void)[] = [];
    let resets = 0;
    const step: wire.Step = (socket, request) => {
      if (!isCreate(request)) {
        for (const answer of late.splice(0)) answer();
        LIST(socket, request);
      } else if (store.requests.length < CONCURRENCY) late.push(() => wire.created()(socket, request));
      else {
        wire.reset(socket, request);
        if (++resets % (CONCURRENCY - 2) === 0) late.shift()?.();
      }
    };
    await using store = await wire.adversary({ script: [step] });
    const { verdicts, stop } = await importing(store, 400);
    expect(verdicts['in-doubt']).toBe(2 * CONCURRENCY);
    expect(verdicts.done).toBe(CONCURRENCY - 1);
    expect(stop).toMatchObject({
      reason: 'store-unreachable',
      message: expect.stringMatching(/^32 new records in a row were sent without a usable answer/),
    });
  });

  test('requests without an answer yet count before another create is tried', async () => {
    // All but one of the first requests hang until their deadline. The others are reset, and reads are
    // answered.
    const step: wire.Step = (socket, request) => {
      const hangs = isCreate(request) && store.requests.length < CONCURRENCY;
      (isCreate(request) ? (hangs ? wire.stall : wire.reset) : LIST)(socket, request);
    };
    await using store = await wire.adversary({ script: [step] });
    const { verdicts } = await importing(store, 400, { timeoutMs: 3_000 });
    expect(verdicts['in-doubt']).toBe(2 * CONCURRENCY);
  });

  test('late answers of the API let no more records meet a web page', async () => {
    const page = wire.reply(403, '<html><title>Log in</title></html>');
    const late: (() => void)[] = [];
    let pages = 0;
    const step: wire.Step = (socket, request) => {
      if (!isCreate(request)) {
        for (const answer of late.splice(0)) answer();
        (pages < 100 ? wire.html : LIST)(socket, request);
        pages += 50;
      } else if (store.requests.length <= 1) wire.created()(socket, request);
      else if (store.requests.length <= CONCURRENCY) late.push(() => wire.created()(socket, request));
      else {
        (pages < 100 ? page : wire.created())(socket, request);
        if (pages < 100 && ++pages % 4 === 0) late.shift()?.();
      }
    };
    await using store = await wire.adversary({ script: [step] });
    const { verdicts } = await importing(store, 400, { giveUpAfterMs: 900_000 });
    expect(verdicts.rejected).toBeLessThanOrEqual(4 + CONCURRENCY);
    expect(verdicts.done).toBe(400 - (verdicts.rejected ?? 0));
  });
});

describe('a store that loses a share of its answers', () => {
  /** Loses `lost` of each `of` creates, in the order in which they arrive. */
  function losing(lost: number, of: number): wire.Step {
    let creates = 0;
    return (socket, request) => {
      if (!isCreate(request)) return LIST(socket, request);
      return (creates++ % of < lost ? wire.reset : wire.created())(socket, request);
    };
  }

  test('of 15 in 16 ends the run before one record in twenty is in doubt', async () => {
    await using store = await wire.adversary({ script: [losing(15, 16)] });
    const { verdicts, stop } = await importing(store, 1000);
    expect(verdicts['in-doubt']).toBeLessThanOrEqual(35);
    expect(stop).toMatchObject({ reason: 'store-unreachable' });
  });

  test('of one in two ends the run, which reports the number and warned before', async () => {
    const said: object[] = [];
    await using store = await wire.adversary({ script: [losing(1, 2)] });
    const { verdicts, stop } = await importing(store, 1000, {
      onManyDoubts: (seen: object) => said.push(seen),
    });
    const { 'in-doubt': doubts = 0, done = 0 } = verdicts;
    expect(doubts).toBeLessThanOrEqual(32 + done / 10);
    expect(stop.message).toMatch(
      new RegExp(
        `^${doubts} of the last \\d+ new records were sent without a usable answer. Stopped, to leave`,
      ),
    );
    expect(said).toEqual([{ bad: expect.any(Number), ends: expect.any(Number) }]);
  });

  test('of one in fifty receives the whole import', async () => {
    const said: object[] = [];
    await using store = await wire.adversary({ script: [losing(1, 50)] });
    const { verdicts } = await importing(store, 1000, { onManyDoubts: (seen: object) => said.push(seen) });
    expect(verdicts).toEqual({ done: 980, 'in-doubt': 20 });
    expect(said).toEqual([]);
  });

  test('of one in two receives the whole import with --in-doubt resend', async () => {
    await using store = await wire.adversary({ script: [losing(1, 2)] });
    const { verdicts } = await importing(store, 200, { inDoubt: 'resend' });
    expect(verdicts.done).toBeGreaterThan(190);
    expect((verdicts.done ?? 0) + (verdicts['in-doubt'] ?? 0)).toBe(200);
  });

  test('of 15 in 16 ends the run with --in-doubt resend too', async () => {
    await using store = await wire.adversary({ script: [losing(15, 16)] });
    const { verdicts, stop } = await importing(store, 1000, { inDoubt: 'resend' });
    expect(stop).toMatchObject({ reason: 'store-unreachable' });
    expect(store.requests.filter(isCreate).length).toBeLessThan(200);
    expect(verdicts.done ?? 0).toBeLessThan(20);
  });

  test('refusals are not doubts: half of all creates meet a 429 or a 503 of the API', async () => {
    const busy = [wire.reply(429), wire.json(503, { status: 'error', message: 'busy' })];
    let creates = 0;
    const step: wire.Step = (socket, request) => {
      const refusal = busy[creates++ % 4];
      (refusal ?? wire.created())(socket, request);
    };
    await using store = await wire.adversary({ script: [step] });
    // More refusals than doubts are permitted. The client waits after each.
    const { verdicts } = await importing(store, 30, { concurrency: 4 });
    expect(verdicts).toEqual({ done: 30 });
  });
});
