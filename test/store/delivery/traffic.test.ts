import { expect, test } from 'vitest';
import { createTraffic, waitingAt } from '../../../src/store/delivery/traffic.ts';
import * as wire from '../../support/store/adversary.ts';
import { deliver, testClient } from '../../support/store/client.ts';

const nobodyAway = { waiting: () => undefined };

test('the wait for an answer is counted from the last answer, or from the first request after it', () => {
  const traffic = createTraffic();
  expect(waitingAt(50, nobodyAway, traffic)).toBeUndefined();
  traffic.sent(100);
  expect(waitingAt(130, nobodyAway, traffic)).toEqual({ what: 'an answer', forMs: 30 });
  traffic.sent(120);
  expect(waitingAt(130, nobodyAway, traffic)).toEqual({ what: '2 answers', forMs: 30 });
  traffic.answered(140);
  expect(waitingAt(150, nobodyAway, traffic)).toEqual({ what: 'an answer', forMs: 10 });
  traffic.answered(160);
  expect(waitingAt(170, nobodyAway, traffic)).toBeUndefined();
});

test('an outage takes precedence over other reasons to wait', () => {
  const away = { waiting: () => ({ reason: 'refused the connection', sinceMs: 10 }) };
  expect(waitingAt(60, away, createTraffic())).toEqual({
    what: 'the store: it refused the connection',
    forMs: 50,
  });
});

test('a client reports a wait for a token, then for an answer, then none', async () => {
  const answers: (() => void)[] = [];
  const held =
    (step: wire.Step): wire.Step =>
    (socket, request) =>
      void answers.push(() => step(socket, request));
  await using store = await wire.adversary({ script: [held(wire.created())], token: [held(wire.token())] });
  const client = testClient({ baseUrl: store.url });
  const delivery = deliver(client, 'create');
  const answerNext = async () => {
    while (answers.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(client.waiting()?.what).toBe('an answer');
    answers.shift()?.();
  };
  await answerNext();
  await answerNext();
  expect((await delivery).verdict).toBe('done');
  expect(client.waiting()).toBeUndefined();
});
