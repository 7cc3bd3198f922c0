import { describe, expect, test } from 'vitest';
import * as wire from '../../support/store/adversary.ts';
import { deliver, REQUESTS, testClient } from '../../support/store/client.ts';

const REFUSAL = wire.json(401, { status: 'error', message: 'not for this brand' });
const LIST = wire.json(200, { results: [] });
const isBad = ({ body }: wire.WireRequest) => body.includes('bad');

/** Refuses a request with a 401 if `refuses` is true for it, answers reads with `read`, and accepts all else. */
function refusing(refuses: (request: wire.WireRequest) => boolean, read: wire.Step = LIST): wire.Step {
  return (socket, request) => {
    const other = request.method === 'GET' ? read : wire.created();
    (refuses(request) ? REFUSAL : other)(socket, request);
  };
}

const record = (n: number, bad: boolean) => ({
  ...REQUESTS.create,
  body: JSON.stringify({ name: `${bad ? 'bad' : 'good'} ${n}` }),
});

async function importing(
  step: wire.Step,
  count: number,
  isBadOne: (n: number) => boolean,
  concurrency: number,
) {
  await using store = await wire.adversary({ script: [step] });
  const client = testClient({ baseUrl: store.url, concurrency });
  const words: string[] = [];
  let next = 0;
  // Like an import: each worker takes the next record when its record has ended.
  const worker = async () => {
    while (next < count) {
      const n = next++;
      words[n] = await client.deliver(record(n, isBadOne(n))).then(
        ({ verdict }) => verdict,
        ({ reason }) => reason,
      );
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return words;
}

const times = (words: readonly string[], word: string) => words.filter((each) => each === word).length;

describe('a 401 for one record, repeated with a new token', () => {
  test('rejects that record with the message of the store, and the token stays valid', async () => {
    await using store = await wire.adversary({ script: [refusing(isBad)] });
    const client = testClient({ baseUrl: store.url });
    await deliver(client, 'create');
    expect(await client.deliver(record(1, true))).toEqual({
      verdict: 'rejected',
      attempts: 2,
      durationMs: expect.any(Number),
      httpStatus: 401,
      code: 'store-refused',
      message: 'The store refused the request (401): not for this brand',
    });
    expect(await deliver(client, 'create')).toMatchObject({ verdict: 'done', attempts: 1 });
    expect(store.tokenRequests).toHaveLength(2);
  });

  test.each([1, 4, 16])('does not delay the other records, with %i at once', async (concurrency) => {
    const words = await importing(refusing(isBad), 60, (n) => n % 10 === 0, concurrency);
    expect(words).toEqual(Array.from({ length: 60 }, (_, n) => (n % 10 === 0 ? 'rejected' : 'done')));
  });

  test('rejects the record if no other record is left to send', async () => {
    const words = await importing(refusing(isBad), 2, () => true, 4);
    expect(words).toEqual(['rejected', 'rejected']);
  });

  test('rejects the record if the store has no list to read, as long as other records succeed', async () => {
    const words = await importing(refusing(isBad, wire.html404()), 40, (n) => n % 10 === 5, 1);
    expect(times(words, 'rejected')).toBe(4);
    expect(times(words, 'done')).toBe(36);
  });

  test('rejects an update too', async () => {
    await using store = await wire.adversary({ script: [refusing(isBad)] });
    const client = testClient({ baseUrl: store.url });
    await deliver(client, 'update');
    const bad = { ...REQUESTS.update, body: '"bad"' };
    expect(await client.deliver(bad)).toMatchObject({ verdict: 'rejected', httpStatus: 401 });
  });

  test('leaves a create in doubt that was sent before without an answer', async () => {
    let sent = 0;
    const step: wire.Step = (socket, request) =>
      (isBad(request) && ++sent === 1 ? wire.reset : refusing(isBad))(socket, request);
    await using store = await wire.adversary({ script: [step] });
    const client = testClient({ baseUrl: store.url, inDoubt: 'resend' });
    await deliver(client, 'create');
    const delivery = await client.deliver(record(1, true));
    expect(delivery).toMatchObject({ verdict: 'in-doubt', code: 'no-answer' });
    expect(delivery.message).toContain('not for this brand');
  });
});

describe('a 401 for everything', () => {
  test.each([1, 16])('stops the run and rejects no record, with %i at once', async (concurrency) => {
    const words = await importing(
      refusing(() => true),
      40,
      () => false,
      concurrency,
    );
    expect(words).toEqual(Array(40).fill('credentials-refused'));
  });

  test('stops the run also if it begins during the run', async () => {
    let seen = 0;
    const words = await importing(
      refusing(() => ++seen > 20),
      40,
      () => false,
      4,
    );
    expect(times(words, 'done')).toBe(20);
    expect(times(words, 'credentials-refused')).toBe(20);
  });

  test('except reads, as for a token without write access, stops the run after a few records', async () => {
    const words = await importing(
      refusing(({ method }) => method !== 'GET'),
      40,
      () => false,
      1,
    );
    expect(times(words, 'rejected')).toBe(4);
    expect(words[4]).toBe('credentials-refused');
  });

  test('in a list stops an export', async () => {
    await using store = await wire.adversary({
      script: [refusing(({ target }) => target.includes('reviews'))],
    });
    const client = testClient({ baseUrl: store.url });
    await expect(deliver(client, 'read')).rejects.toMatchObject({ reason: 'credentials-refused' });
  });
});
