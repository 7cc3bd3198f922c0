import { describe, expect, test } from 'vitest';
import type { OperationKind } from '../../../src/model/index.ts';
import * as wire from '../../support/store/adversary.ts';
import { deliver, SECRET, testClient } from '../../support/store/client.ts';

const KINDS: readonly OperationKind[] = ['create', 'update', 'read'];
const STATUSES = [301, 302, 303, 307, 308];

/** Target of a redirect, given the address of another server; and how the report names it. */
const TARGETS: readonly {
  what: string;
  location: (other: string) => string;
  named: (url: string) => string;
}[] = [
  { what: 'another origin', location: (other) => `${other}/x?y=z`, named: (other) => `${other}/x` },
  {
    what: 'another origin without a scheme',
    location: (other) => `${other.replace('http:', '')}/x`,
    named: (other) => `${other}/x`,
  },
  { what: 'a place in the store', location: () => '/api/other', named: () => '/api/other' },
];

describe('a redirect is not followed, and no other server sees the token', () => {
  for (const { what, location, named } of TARGETS) {
    for (const status of STATUSES) {
      test.each(KINDS)(`${status} to ${what}: a %s is rejected`, async (kind) => {
        await using other = await wire.adversary({ script: [wire.created()] });
        await using store = await wire.adversary({
          script: [wire.reply(status, '', { location: location(other.url) }), wire.created()],
        });
        const delivery = await deliver(testClient({ baseUrl: store.url }), kind);
        expect(delivery).toMatchObject({
          verdict: 'rejected',
          code: 'redirected',
          attempts: 1,
          httpStatus: status,
        });
        expect(delivery.message).toContain(`${named(other.url)}, which is not followed`);
        expect(store.requests).toHaveLength(1);
        expect(other.accepted()).toBe(0);
      });
    }
  }

  test.each(KINDS)('a redirect without a target: a %s is rejected', async (kind) => {
    await using store = await wire.adversary({ script: [wire.reply(302), wire.created()] });
    const delivery = await deliver(testClient({ baseUrl: store.url }), kind);
    expect(delivery).toMatchObject({ verdict: 'rejected', code: 'redirected', attempts: 1 });
    expect(store.requests).toHaveLength(1);
  });
});

describe('a redirect of a token request is not followed, and no other server sees the secret', () => {
  // After each test, the support code searches messages and stacks of errors for the secret.
  test('a target that repeats the secret is masked', async () => {
    const back = wire.reply(302, '', { location: `/again/${encodeURIComponent(SECRET)}/x` });
    await using first = await wire.adversary({ script: [wire.created()], token: [back] });
    await expect(testClient({ baseUrl: first.url }).authenticate()).rejects.toThrow('/again/***/x');
    await expect(deliver(testClient({ baseUrl: first.url }), 'create')).rejects.toThrow('/again/***/x');
    await using later = await wire.adversary({ script: [back] });
    const { message } = await deliver(testClient({ baseUrl: later.url }), 'create');
    expect(message).toContain('/again/***/x');
  });

  test.each(STATUSES)('%i at first contact stops the command', async (status) => {
    await using other = await wire.adversary({ script: [wire.created()] });
    const away = wire.reply(status, '', { location: `${other.url}/api/stores/authentication` });
    await using store = await wire.adversary({ script: [wire.created()], token: [away] });
    await expect(testClient({ baseUrl: store.url }).authenticate()).rejects.toMatchObject({
      reason: 'not-the-api',
    });
    expect(other.accepted()).toBe(0);
  });

  test.each(STATUSES)(
    '%i on renewal of a token: the client requests a new token from the store',
    async (status) => {
      await using other = await wire.adversary({ script: [wire.created()] });
      const issue = wire.token();
      const away = wire.reply(status, '', { location: `${other.url}/api/stores/authentication` });
      await using store = await wire.adversary({
        script: [wire.reply(401), wire.created()],
        token: [issue, away, issue],
      });
      expect(await deliver(testClient({ baseUrl: store.url }), 'create')).toMatchObject({ verdict: 'done' });
      expect(store.tokenRequests).toHaveLength(3);
      expect(other.accepted()).toBe(0);
    },
  );
});
