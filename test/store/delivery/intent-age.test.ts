import { describe, expect, test } from 'vitest';
import type { BeforeSending } from '../../../src/model/index.ts';
import * as wire from '../../support/store/adversary.ts';
import { REQUESTS, testClient } from '../../support/store/client.ts';

/** An intent that is too old for the first requests, as after a pause of the process. `tooOld`: how many. */
function intentOf(tooOld: number | undefined) {
  let calls = 0;
  const beforeSending: BeforeSending = async () => {
    calls++;
  };
  if (tooOld !== undefined) beforeSending.isTooOld = () => calls <= tooOld;
  return { beforeSending, calls: () => calls };
}

describe('an intent that is too old', () => {
  test('is not sent, and is written again first', async () => {
    await using store = await wire.adversary({ script: [wire.created('a')] });
    const { beforeSending, calls } = intentOf(2);
    const client = testClient({ baseUrl: store.url });
    expect(await client.deliver(REQUESTS.create, beforeSending)).toMatchObject({
      verdict: 'done',
      attempts: 1,
    });
    expect([calls(), store.requests.length]).toEqual([3, 1]);
  });

  test('sends nothing if it cannot be written again', async () => {
    await using store = await wire.adversary({ script: [wire.created('a')] });
    const refused = new Error('the lease is lost');
    let calls = 0;
    const beforeSending: BeforeSending = async () => {
      calls++;
      if (calls > 1) throw refused;
    };
    beforeSending.isTooOld = () => true;
    await expect(testClient({ baseUrl: store.url }).deliver(REQUESTS.create, beforeSending)).rejects.toThrow(
      'the lease is lost',
    );
    expect(store.requests).toHaveLength(0);
  });

  test('leaves a create in doubt whose first attempt had no answer', async () => {
    await using store = await wire.adversary({ script: [wire.reset, wire.created('a')] });
    let calls = 0;
    const beforeSending: BeforeSending = async () => {
      calls++;
      // Of another record, or of the source: no reason of this one.
      if (calls > 1) throw new Error('the file is gone');
    };
    beforeSending.isTooOld = () => false;
    const client = testClient({ baseUrl: store.url, inDoubt: 'resend' });
    expect(await client.deliver(REQUESTS.create, beforeSending)).toMatchObject({ verdict: 'in-doubt' });
    expect([calls, store.requests.length]).toEqual([2, 1]);
  });

  test.each([
    ['with an age, each attempt has an intent of its own', 0, 2],
    ['without an age, one intent is for all attempts', undefined, 1],
  ])('%s', async (_, tooOld, intents) => {
    await using store = await wire.adversary({ script: [wire.json(429, {}), wire.created('a')] });
    const { beforeSending, calls } = intentOf(tooOld);
    const client = testClient({ baseUrl: store.url });
    expect(await client.deliver(REQUESTS.create, beforeSending)).toMatchObject({
      verdict: 'done',
      attempts: 2,
    });
    expect(calls()).toBe(intents);
  });
});
