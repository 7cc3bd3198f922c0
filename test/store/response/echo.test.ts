import { describe, expect, test } from 'vitest';
import type { Json, Operation, StoreRequest } from '../../../src/model/index.ts';
import { overridden, resourceNamed } from '../../../src/resources/index.ts';
import { requestFor } from '../../../src/send/index.ts';
import { findRecord } from '../../../src/store/response/body.ts';
import { readEcho } from '../../../src/store/response/echo.ts';
import { passTimeByTurns } from '../../support/quick-time.ts';
import * as wire from '../../support/store/adversary.ts';
import { testClient } from '../../support/store/client.ts';

passTimeByTurns();

const products = resourceNamed('products');

function productOf(reference: string): StoreRequest {
  return requestFor(products, { kind: 'create', payload: { name: 'Mug', reference } }, '');
}

function echoIn(answer: Json, request: StoreRequest) {
  const found = findRecord(answer, request.envelopes);
  if (found === undefined) throw new Error('the answer has no record');
  return readEcho(found, request);
}

/** Outcome for an answer that has this value in the key field of the record that was sent. */
function echoOf(resource: string, sent: Record<string, string>, got: Record<string, unknown>) {
  const request = requestFor(resourceNamed(resource), { kind: 'create', payload: sent }, '');
  const echo = echoIn({ status: 'success', data: { _id: 'x1', ...got } as never }, request);
  return typeof echo === 'object' ? 'other' : echo;
}

describe('the key in an answer to a create', () => {
  test.each([
    ['MUG-01', 'MUG-01'],
    ['mug 01', 'MUG-01'],
    [' MUG-01 ', 'MUG-01'],
    ['Käse/01', 'kase-01'],
    ['Ka\u0308se', 'K\u00e4se'],
    ['STRASSE 5', 'straße-5'],
    ['0017', 17],
    ['A&B', 'A&amp;B'],
    ['＃１２', '#12'],
  ])('"%s" answered as "%s" is that of the record', (sent, got) => {
    expect(echoOf('products', { reference: sent }, { reference: got })).toBe('same');
  });

  test.each([
    ['MUG-01', 'MUG-02'],
    ['MUG-01', 'MUG-010'],
    ['SHIRT-RED-L', 'SHIRT-RED'],
    ['17', '117'],
    ['***', '+++'],
    ['コップ', '皿'],
  ])('"%s" answered as "%s" is that of another record', (sent, got) => {
    expect(echoOf('products', { reference: sent }, { reference: got })).toBe('other');
  });

  test.each([[undefined], [null], [''], [{ value: 'MUG-02' }], [['MUG-02']]])(
    '%j is ignored',
    (reference) => {
      expect(echoOf('products', { reference: 'MUG-01' }, { reference })).toBeUndefined();
    },
  );

  test('is compared without case for mail addresses, and without country prefix for phone numbers', () => {
    expect(echoOf('customers', { email: 'Me@Shop.example' }, { email: 'me@shop.example' })).toBe('same');
    expect(echoOf('customers', { email: 'me@shop.example' }, { email: 'you@shop.example' })).toBe('other');
    expect(echoOf('customers', { phone: '+49 (0)30 123456' }, { phone: '004930123456' })).toBe('same');
    expect(echoOf('customers', { phone: '030 123456' }, { phone: '+4930123456' })).toBe('same');
    expect(echoOf('customers', { phone: '030 123456' }, { phone: '+4930123457' })).toBe('other');
  });

  test.each(['data', 'result', 'product'])('is read from the object "%s"', (name) => {
    const answer = { [name]: { _id: 'x1', reference: 'B' }, reference: 'A' };
    expect(echoIn(answer, productOf('A'))).toMatchObject({ field: 'reference', sent: 'A', got: 'B' });
  });

  test('is ignored if the record has no key, or if the settings say so', () => {
    const create: Operation = { kind: 'create', payload: { name: 'Mug', reference: 'A' } };
    expect(requestFor(products, { kind: 'create', payload: { name: 'Mug' } }, '').about).toBeUndefined();
    expect(requestFor(resourceNamed('orders'), create, '').about).toBeUndefined();
    expect(requestFor(overridden(products, { echo: 'ignore' }), create, '').about).toBeUndefined();
  });
});

describe('the answer to an update', () => {
  const update: Operation = { kind: 'update', id: 'mine', payload: { name: 'Mug' } };
  const echo = (data: Record<string, string>) => echoIn({ data }, requestFor(products, update, 'A'));

  test('is of another record if neither its id nor its key is that of this record', () => {
    expect(echo({ _id: 'other', reference: 'B' })).toMatchObject({ got: 'B', id: 'other' });
    expect(echo({ _id: 'mine', reference: 'B' })).toBe('same');
    expect(echo({ _id: 'other', reference: 'A' })).toBe('same');
    expect(echo({ _id: 'other' })).toBeUndefined();
  });

  test('of another record causes a retry, since an update may be repeated', async () => {
    const answers = [
      wire.json(200, { data: { _id: 'other', reference: 'B' } }),
      wire.json(200, { data: { _id: 'mine', reference: 'A' } }),
    ];
    await using store = await wire.adversary({ script: answers });
    const client = testClient({ baseUrl: store.url });
    expect(await client.deliver(requestFor(products, update, 'A'))).toMatchObject({
      verdict: 'done',
      attempts: 2,
    });
  });
});

describe('a create that is answered with another record', () => {
  const renaming = (rename: (reference: string) => string): wire.Step => {
    let made = 0;
    return (socket, { body }) => {
      const { reference } = JSON.parse(body === '' ? '{}' : body) as { reference?: string };
      const data = { _id: `id-${++made}`, reference: rename(reference ?? '') };
      wire.json(200, { status: 'success', data })(socket, { body } as wire.WireRequest);
    };
  };

  test.each(['hold', 'resend'] as const)(
    'is in doubt, with both keys, and sent once: %s',
    async (inDoubt) => {
      await using store = await wire.adversary({ script: [renaming(() => 'MUG-02')] });
      const client = testClient({ baseUrl: store.url, inDoubt });
      const delivery = await client.deliver(productOf('MUG-01'));
      expect(delivery).toEqual({
        verdict: 'in-doubt',
        attempts: 1,
        durationMs: expect.any(Number),
        httpStatus: 200,
        code: 'other-record',
        message:
          'The store accepted the request (200), but answered with another record: reference "MUG-02" (_id id-1) instead of "MUG-01".',
      });
      expect(store.requests).toHaveLength(1);
    },
  );

  async function importing(rename: (reference: string) => string, concurrency: number) {
    await using store = await wire.adversary({ script: [renaming(rename)] });
    const client = testClient({ baseUrl: store.url, concurrency });
    const ends = await Promise.allSettled(
      Array.from({ length: 400 }, (_, n) => client.deliver(productOf(`SKU-${n}`))),
    );
    const stop = ends.find((end) => end.status === 'rejected')?.reason;
    const doubts = ends.filter((end) => end.status === 'fulfilled' && end.value.verdict === 'in-doubt');
    return { stop, doubts: doubts.length };
  }

  test('every time from the beginning stops the run after a few, and the message names the setting', async () => {
    const { stop, doubts } = await importing((reference) => `new-${reference}`, 4);
    expect(doubts).toBeGreaterThanOrEqual(5);
    expect(doubts).toBeLessThan(5 + 4);
    expect(stop).toMatchObject({
      reason: 'not-the-api',
      message: expect.stringMatching(
        /^The store answers new records with others than were sent: reference "new-SKU-\d" instead of "SKU-\d"\. What was sent is in doubt\. If this store changes keys by itself, set `echo: ignore` under `api\.products` in storeport\.config\.yaml\.$/,
      ),
    });
  });

  test('every second time stops the run for too many doubts, and the message names the setting', async () => {
    const { stop, doubts } = await importing((reference) => reference.replace(/[13579]$/, 'x'), 16);
    expect(doubts).toBeLessThan(60);
    expect(stop).toMatchObject({
      reason: 'store-unreachable',
      message: expect.stringContaining('set `echo: ignore` under `api.products`'),
    });
  });
});
