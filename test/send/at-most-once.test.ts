import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeIntent } from '../../src/ledger/index.ts';
import { type Delivery, type ReadyRecord, RunStopped } from '../../src/model/index.ts';
import { readyRecord } from '../../src/pipeline/prepare/ready-records.ts';
import { products } from '../../src/resources/products.ts';
import { createFeed, deliverAll } from '../../src/send/index.ts';
import { scaledRuns } from '../support/property-tests.ts';

/** Events of one record while it is sent. */
const FATES = [
  'invalid',
  'held back',
  'no intent',
  'done',
  'rejected',
  'in-doubt',
  'stopped',
  'broken',
] as const;
type Fate = (typeof FATES)[number];
const STOPPING: readonly Fate[] = ['held back', 'no intent', 'stopped', 'broken'];

function ready(seq: number, kind: 'create' | 'update', fate: Fate): ReadyRecord {
  const options = { resource: products, namesFiles: false };
  const row = { table: { file: 'a.csv', header: ['name'] }, row: seq + 2, line: seq + 2, cells: ['x'] };
  const known = { record: { seq, rows: [row] }, key: `k${seq}` };
  if (fate === 'invalid')
    return readyRecord({ ...known, outcome: { outcome: 'invalid', attempts: 0, durationMs: 0 } }, options);
  const payload = { name: String(seq) };
  const operation = kind === 'create' ? { kind, payload } : { kind, id: 'a', payload };
  return readyRecord({ ...known, operation }, options);
}

async function* batch<Item>(items: Item[]): AsyncGenerator<Item[]> {
  yield items;
}

/** Sequences of journal entries that STATES.md allows. The ledger relies on them. */
const ALLOWED = ['settled', 'intended, settled as sent', 'intend refused, settled'];

test('after any events, a record was intended at most once and then settled once', async () => {
  const record = fc.tuple(fc.constantFrom('create' as const, 'update' as const), fc.constantFrom(...FATES));
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { maxLength: 30 }),
      fc.integer({ min: 1, max: 5 }),
      async (all, concurrency) => {
        const told: string[][] = all.map(() => []);
        await deliverAll(createFeed(batch(all.map(([kind, fate], seq) => ready(seq, kind, fate)))), {
          resource: products,
          concurrency,
          readIntent: decodeIntent,
          interrupted: new AbortController().signal,
          onSettled: () => undefined,
          async send({ body }, beforeSending) {
            const fate = all[Number(JSON.parse(String(body)).name)]?.[1];
            if (fate === 'held back') throw new RunStopped('store-unreachable', 'never was there');
            await beforeSending();
            if (fate === 'stopped') throw new RunStopped('store-unreachable', 'gone');
            if (fate === 'broken') throw new Error('a bug');
            const verdict = fate as Delivery['verdict'];
            return { verdict, attempts: 1, durationMs: 1, ...(verdict === 'done' ? { id: 'a' } : {}) };
          },
          journal: {
            async intend(intent) {
              const { seq } = decodeIntent(intent);
              const refused = all[seq]?.[1] === 'no intent';
              told[seq]?.push(refused ? 'intend refused' : 'intended');
              if (refused) throw new RunStopped('ledger-failed', 'full');
            },
            settle({ seq }, sent) {
              told[seq]?.push(sent ? 'settled as sent' : 'settled');
              return undefined;
            },
            flush: async () => {},
          },
        });
        for (const ways of told) expect([...ALLOWED, '']).toContain(ways.join(', '));
        // Only records that were not taken have no outcome: nothing more is read once the run stops.
        if (all.every(([, fate]) => !STOPPING.includes(fate)))
          for (const ways of told) expect(ways).not.toEqual([]);
      },
    ),
    { numRuns: scaledRuns(200) },
  );
});
