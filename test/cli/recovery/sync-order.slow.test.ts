import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sentIn, sentTooEarly } from '../../faults/order.ts';
import { environmentFor, type Moment, readTrace } from '../../faults/plan.ts';
import { writeProducts } from '../../faults/products.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { environmentOf, storeportProcess } from '../../support/run.ts';

const cli = cliForEachTest();

async function tracedImport(records: number, ...more: string[]): Promise<Moment[]> {
  const trace = join(cli.cwd, 'trace');
  writeProducts(join(cli.cwd, 'in.csv'), records);
  const { code, stderr } = await storeportProcess(['import', 'products', 'in.csv', '--out', 'out', ...more], {
    cwd: cli.cwd,
    env: { ...environmentOf(cli.sandbox), ...environmentFor({ trace }) },
  });
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('Error')]);
  return readTrace(trace);
}

/** References in the journal of the store, in order of arrival. */
const created = () =>
  cli.sandbox.journal.flatMap(({ kind, did }) => (kind === 'create' && did ? [did.key] : []));

describe('sync before request', () => {
  test.each([
    [400, 8],
    [60, 1],
    // During the run the tables take over the log several times, and it begins anew.
    [1500, 16],
  ])(
    'intents are synced before their requests are written: %i records, %i at once',
    async (records, concurrency) => {
      const moments = await tracedImport(records, '--concurrency', String(concurrency));
      // The trace contains every request that the store answered.
      expect(sentIn(moments).sort()).toEqual(created().sort());
      expect(created()).toHaveLength(records);
      expect(sentTooEarly(moments)).toEqual([]);
    },
  );

  test('intents are synced before their requests at a slow store that refuses some at first', async () => {
    cli.sandbox.misbehave({ latency: '2ms', jitter: '6ms', 'error-429': '10%@create' });
    const moments = await tracedImport(300, '--concurrency', '8');
    expect(created()).toHaveLength(300);
    expect(sentIn(moments).length).toBeGreaterThan(300);
    expect(sentTooEarly(moments)).toEqual([]);
  });
});

test.skipIf(process.platform === 'win32')(
  'new folders for the ledger are synced before the first request',
  async () => {
    const moments = await tracedImport(5, '--home', 'deep/below/home');
    const firstSent = moments.findIndex(
      ({ what, text = '' }) => what === 'sends' && text.includes('/create'),
    );
    const synced = moments
      .slice(0, firstSent)
      .flatMap(({ what, text = '' }) => (what === 'fsyncSync done' ? [resolve(cli.cwd, text)] : []))
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
    expect([...new Set(synced)].sort()).toEqual(
      ['', 'deep', 'deep/below', 'deep/below/home'].map((name) => resolve(cli.cwd, name)),
    );
  },
);

describe('check of the sync order', () => {
  const written = (...references: string[]): Moment => ({
    what: 'written',
    text: JSON.stringify({ intents: references.map((reference, n) => [n, n + 2, reference, 'create', []]) }),
  });
  const sends = (reference: string): Moment => ({
    what: 'sends',
    text: `POST /api/products/create HTTP/1.1\r\n\r\n${JSON.stringify({ name: 'A', reference })}`,
  });
  const [syncs, synced, failed] = ['syncs', 'synced', 'sync failed'].map((what) => ({ what })) as [
    Moment,
    Moment,
    Moment,
  ];

  const on = (descriptor: number, moment: Moment): Moment => ({ ...moment, descriptor });

  test.each<[string, Moment[], string[]]>([
    ['synced, then sent', [written('ref-1'), syncs, synced, sends('ref-1')], []],
    ['never written', [sends('ref-1')], ['ref-1']],
    ['written and not synced', [written('ref-1'), sends('ref-1')], ['ref-1']],
    ['the sync has not ended', [written('ref-1'), syncs, sends('ref-1'), synced], ['ref-1']],
    ['the sync began before the write', [syncs, written('ref-1'), synced, sends('ref-1')], ['ref-1']],
    ['the sync failed', [written('ref-1'), syncs, failed, sends('ref-1')], ['ref-1']],
    ['another one was synced', [written('ref-1'), syncs, synced, sends('ref-11')], ['ref-11']],
    [
      'the later of two syncs ended first',
      [
        written('ref-1'),
        on(1, syncs),
        written('ref-2'),
        on(2, syncs),
        on(2, synced),
        sends('ref-1'),
        sends('ref-2'),
      ],
      [],
    ],
    [
      'only the earlier of two syncs has ended',
      [
        written('ref-1'),
        on(1, syncs),
        written('ref-2'),
        on(2, syncs),
        on(1, synced),
        sends('ref-1'),
        sends('ref-2'),
      ],
      ['ref-2'],
    ],
  ])('an intent is recognised as late or in time: %s', (_, moments, early) => {
    expect(sentTooEarly(moments)).toEqual(early);
  });
});
