import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type KnownRun, openLedger } from '../../src/ledger/index.ts';
import type { Settled } from '../../src/model/index.ts';
import { NEW_RUN } from '../support/new-run.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'storeport-settled-'));
});
afterEach(() => rmSync(home, { recursive: true }));

/** What the ledger gives back of a run that settled these. */
async function roundTrip(settled: readonly Settled[]): Promise<Settled[]> {
  const ledger = openLedger(mkdtempSync(join(home, 'one-')));
  try {
    const open = ledger.begin(NEW_RUN, 16);
    for (const end of settled) open.settle(end, false);
    await open.flush();
    open.close();
    return [...ledger.settled(ledger.runs()[0] as KnownRun)];
  } finally {
    ledger.close();
  }
}

test('records come back in source order, more than are read at once', async () => {
  const settled = Array.from({ length: 2503 }, (_, n): Settled => {
    const outcome = { outcome: 'created', id: `id-${n}`, attempts: 1, durationMs: 2 } as const;
    return { seq: n * 2, row: n + 2, key: `k${n}`, outcome };
  });
  const shuffled = [...settled].sort((a, b) => (a.seq % 7) - (b.seq % 7));
  expect((await roundTrip(shuffled)).map(({ seq, row, key }) => [seq, row, key])).toEqual(
    settled.map(({ seq, row, key }) => [seq, row, key]),
  );
});

test('whatever text they hold comes back as it was', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 12 });
  const odd = fc.constantFrom('\0', 'a\0b', '"', '\\', '\u2028', '😀', '\u007f', '\ufeff', '');
  const any = fc.oneof(text, odd);
  const records = fc.array(fc.record({ key: any, message: any, cells: fc.array(any, { maxLength: 3 }) }), {
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(records, async (all) => {
      const settled = all.map(({ key: anyKey, message: anyMessage, cells }, seq): Settled => {
        // The library ends text at a NUL. Rows that hold one are invalid, and their cells are kept as JSON.
        const [key, message] = [anyKey.replaceAll('\0', ''), anyMessage.replaceAll('\0', '')];
        const outcome = { outcome: 'invalid', attempts: 0, durationMs: 0, code: 'c', message } as const;
        return { seq, row: seq + 2, key, outcome, rows: [{ row: seq + 2, cells }] };
      });
      const back = await roundTrip(settled);
      expect(back.map(({ key, outcome, rows }) => [key, outcome.message, rows])).toEqual(
        settled.map(({ key, outcome, rows }) => [key, outcome.message, rows]),
      );
    }),
    { numRuns: 25 },
  );
});
