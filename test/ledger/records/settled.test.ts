import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type KnownRun, openLedger } from '../../../src/ledger/index.ts';
import { OUTCOMES, type RecordResult, type RecordResultStub } from '../../../src/model/index.ts';
import { anyText } from '../../support/any-text.ts';
import { NEW_RUN } from '../../support/new-run.ts';
import { allOf } from '../../support/pages.ts';
import { scaledRuns } from '../../support/property-tests.ts';
import { removeTestFolder } from '../../support/run.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'storeport-settled-'));
});
afterEach(() => removeTestFolder(home));

/** Settles these records in a run, and reads them back. */
async function roundTrip(settled: readonly RecordResult[]): Promise<RecordResult[]> {
  return (await bothWays(settled)).settled;
}

async function bothWays(
  settled: readonly RecordResult[],
): Promise<{ settled: RecordResult[]; endings: RecordResultStub[] }> {
  const ledger = openLedger(mkdtempSync(join(home, 'one-')));
  try {
    const open = await ledger.begin(NEW_RUN, 16);
    for (const end of settled) open.settle(end, false);
    await open.flush();
    await open.close();
    const run = (await ledger.runs())[0] as KnownRun;
    return { settled: await allOf(ledger.settled(run)), endings: await allOf(ledger.endings(run)) };
  } finally {
    await ledger.close();
  }
}

test('records are read in source order, even more than one page of them', async () => {
  const settled = Array.from({ length: 2503 }, (_, n): RecordResult => {
    const outcome = { outcome: 'created', id: `id-${n}`, attempts: 1, durationMs: 2 } as const;
    return { seq: n * 2, row: n + 2, key: `k${n}`, outcome };
  });
  const shuffled = [...settled].sort((a, b) => (a.seq % 7) - (b.seq % 7));
  expect((await roundTrip(shuffled)).map(({ seq, row, key }) => [seq, row, key])).toEqual(
    settled.map(({ seq, row, key }) => [seq, row, key]),
  );
});

test('any text in them is read back unchanged', async () => {
  const text = anyText({ maxLength: 12 });
  const odd = fc.constantFrom('\0', 'a\0b', '"', '\\', '\u2028', '😀', '\u007f', '\ufeff', '');
  const any = fc.oneof(text, odd);
  const records = fc.array(fc.record({ key: any, message: any, cells: fc.array(any, { maxLength: 3 }) }), {
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(records, async (all) => {
      const settled = all.map(({ key: anyKey, message: anyMessage, cells }, seq): RecordResult => {
        // The library ends text at a NUL. Rows that contain one are invalid, and their cells are kept as JSON.
        const [key, message] = [anyKey.replaceAll('\0', ''), anyMessage.replaceAll('\0', '')];
        const outcome = { outcome: 'invalid', attempts: 0, durationMs: 0, code: 'c', message } as const;
        return { seq, row: seq + 2, key, outcome, rows: [{ row: seq + 2, cells }] };
      });
      const back = await roundTrip(settled);
      expect(back.map(({ key, outcome, rows }) => [key, outcome.message, rows])).toEqual(
        settled.map(({ key, outcome, rows }) => [key, outcome.message, rows]),
      );
    }),
    { numRuns: scaledRuns(25) },
  );
});

test('all kinds of issues of a record are read back, also if it is settled again', async () => {
  const kinds = [
    { code: 'not-a-number', field: 'variants.*.price', count: 12, example: 'row 2: "a\nb" is not a number' },
    { code: 'ragged-row', count: 1, example: 'row 3: 2 cells' },
  ];
  const outcome = {
    outcome: 'invalid',
    attempts: 0,
    durationMs: 0,
    code: 'not-a-number',
    message: '…',
  } as const;
  const rows = [{ row: 2, cells: ['x'] }];
  const settled: RecordResult[] = [
    { seq: 0, row: 2, key: 'a', rows, outcome: { ...outcome, kinds } },
    { seq: 1, row: 3, key: 'b', rows, outcome },
  ];
  const ledger = openLedger(home);
  const open = await ledger.begin(NEW_RUN, 16);
  for (const end of settled) open.settle({ ...end, outcome: { ...end.outcome, outcome: 'unsent' } }, false);
  await open.flush();
  await open.close();
  const again = await ledger.reopen((await ledger.runs())[0] as KnownRun, 16);
  for (const end of settled) again.settle(end, false);
  await again.flush();
  expect((await allOf(again.settled())).map((end) => end.outcome.kinds)).toEqual([kinds, undefined]);
  await again.close();
  await ledger.close();
});

test('endings and settled records have the same outcomes', async () => {
  const ends = fc.array(
    fc.record({
      outcome: fc.constantFrom(...OUTCOMES.filter((word) => word !== 'planned')),
      id: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
      code: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
      message: fc.option(fc.constantFrom('m', ''), { nil: undefined }),
    }),
    { maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(ends, async (all) => {
      const given = all.map((end, seq): RecordResult => {
        return { seq, row: seq + 2, key: `k${seq}`, outcome: { ...end, attempts: 1, durationMs: 0 } };
      });
      const { settled, endings } = await bothWays(given);
      expect(settled.map(({ outcome }) => outcome)).toEqual(given.map(({ outcome }) => outcome));
      const plain = ({ outcome: { outcome, code, message } }: RecordResult) =>
        outcome === 'created' && code === undefined && message === undefined;
      expect([...endings].sort((a, b) => a.seq - b.seq)).toEqual(
        given.map((end) => {
          const { outcome, id, code } = end.outcome;
          const ended = plain(end) ? { outcome } : { outcome, id, code };
          return { seq: end.seq, row: end.row, key: end.key, outcome: ended };
        }),
      );
    }),
    { numRuns: scaledRuns(25) },
  );
});
