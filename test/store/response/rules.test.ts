import { afterEach, describe, expect, test, vi } from 'vitest';
import type { OperationKind } from '../../../src/model/index.ts';
import { actionFor, RULES, type Situation } from '../../../src/store/response/rules.ts';
import { CERTIFICATES } from '../../support/certificates.ts';
import { passTimeByTurns } from '../../support/quick-time.ts';
import * as wire from '../../support/store/adversary.ts';
import { deliver, testClient } from '../../support/store/client.ts';
import { type Door, knowNamesAndCertificates } from '../../support/store/doors.ts';
import { TABLE } from './rules-table.ts';

passTimeByTurns();

const KINDS: readonly OperationKind[] = ['create', 'update', 'read'];

const goodFor = (kind: OperationKind) => (kind === 'read' ? wire.json(200, { results: [] }) : wire.created());

afterEach(() => {
  vi.restoreAllMocks();
});

/** A client with a token that cannot connect, for good or until it waits; and how many requests arrived. */
async function shutOut(door: Door, kind: OperationKind, opens: boolean) {
  knowNamesAndCertificates();
  const certificate = door.url(0).startsWith('https:') ? CERTIFICATES.good : undefined;
  const behind = { script: [goodFor(kind)], certificate };
  const before = await wire.adversary({ ...behind, token: [wire.thenCloses(wire.token())] });
  let after: wire.Adversary | undefined;
  let openDoor = async (): Promise<unknown> => undefined;

  async function open(): Promise<void> {
    if (after !== undefined) return;
    await openDoor();
    after = await wire.adversary({ ...behind, port: before.port });
  }

  const client = testClient({
    baseUrl: door.url(before.port),
    ...(door.timeoutMs && { timeoutMs: door.timeoutMs }),
    ...(opens ? { sleep: open } : { giveUpAfterMs: 1_000 }),
  });
  await client.authenticate();
  await expect.poll(before.connections, { interval: 1 }).toBe(0);
  await before.stop();
  openDoor = await door.shut(before.port);

  return {
    client,
    seen: () => before.requests.length + (after?.requests.length ?? 0),
    async [Symbol.asyncDispose]() {
      await open();
      await after?.stop();
    },
  };
}

describe.each(Object.entries(TABLE))('%s', (_, rows) => {
  for (const row of rows) {
    for (const kind of KINDS) {
      const [verdict, code, count] = row.ends[kind];
      const name = `${row.what}: a ${kind} ends ${verdict}${code === undefined ? '' : ` (${code})`}, seen ${count} times`;
      if ('door' in row) {
        test(name, async () => {
          await using store = await shutOut(row.door, kind, true);
          expect(await deliver(store.client, kind)).toMatchObject({ verdict, attempts: count + 1 });
          expect(store.seen()).toBe(count);
        });
        test(`${row.what}, for longer than the limit: a ${kind} ends the run, seen 0 times`, async () => {
          await using store = await shutOut(row.door, kind, false);
          await expect(deliver(store.client, kind)).rejects.toMatchObject({
            name: 'RunStopped',
            reason: 'store-unreachable',
            message: expect.stringMatching(row.door.words),
          });
          expect(store.seen()).toBe(0);
        });
      } else {
        test(name, async () => {
          await using store = await wire.adversary({ script: [row.step, goodFor(kind)] });
          const client = testClient({
            baseUrl: store.url,
            ...(row.timeoutMs && { timeoutMs: row.timeoutMs }),
          });
          const delivery = await deliver(client, kind);
          expect(delivery).toMatchObject({ verdict, attempts: count });
          expect(delivery.code).toBe(code);
          expect(store.requests).toHaveLength(count);
          if (verdict === 'done' && kind !== 'read') expect(delivery.id).toBe('66f000000000000000000001');
          if (verdict !== 'done') expect(delivery.message).toMatch(/^The (?:store|request) .*/);
        });
      }
    }
  }
});

describe('--in-doubt resend', () => {
  const cases: readonly [string, wire.Step][] = [
    ['no answer', wire.reset],
    ['a server error', wire.reply(500)],
  ];
  for (const [what, step] of cases) {
    test(`sends a create again after ${what}`, async () => {
      await using store = await wire.adversary({ script: [step, wire.created()] });
      const client = testClient({ baseUrl: store.url, inDoubt: 'resend' });
      expect(await deliver(client, 'create')).toMatchObject({ verdict: 'done', attempts: 2 });
    });
  }

  const taken: readonly [string, wire.Step][] = [
    ['without an identifier', wire.json(200, { status: 'success' })],
    ['unreadably', wire.html],
  ];
  for (const [what, step] of taken) {
    test(`never sends a create again that was accepted ${what}`, async () => {
      await using store = await wire.adversary({ script: [step, wire.created()] });
      const client = testClient({ baseUrl: store.url, inDoubt: 'resend' });
      expect(await deliver(client, 'create')).toMatchObject({
        verdict: 'in-doubt',
        code: 'accepted-unreadable',
      });
      expect(store.requests).toHaveLength(1);
    });
  }

  test('leaves a create in doubt if the second one is refused, since the first may be the reason', async () => {
    await using store = await wire.adversary({
      script: [wire.reset, wire.json(409, { message: 'reference exists' })],
    });
    const client = testClient({ baseUrl: store.url, inDoubt: 'resend' });
    const delivery = await deliver(client, 'create');
    expect(delivery).toMatchObject({ verdict: 'in-doubt', code: 'no-answer', attempts: 2 });
    expect(delivery.message).toContain('reference exists');
  });

  test('leaves a create in doubt, not unsent, if the store then stays away', async () => {
    await using store = await wire.adversary({ script: [wire.reset, wire.reply(429)] });
    const client = testClient({ baseUrl: store.url, inDoubt: 'resend' });
    expect(await deliver(client, 'create')).toMatchObject({ verdict: 'in-doubt', code: 'no-answer' });
  });

  test('changes only those two cells of the table', () => {
    const changed = (Object.keys(RULES) as Situation[]).flatMap((situation) =>
      KINDS.filter((kind) => actionFor(situation, kind, 'resend') !== RULES[situation][kind]).map(
        (kind) => `${situation} ${kind}`,
      ),
    );
    expect(changed.sort()).toEqual(['no-answer create', 'server-error create']);
  });
});
