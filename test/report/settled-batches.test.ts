import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OUTCOMES, type RecordResult } from '../../src/model/index.ts';
import { createStatistics } from '../../src/pipeline/summary/statistics.ts';
import { openReports, type SettledBatch, settledBatches } from '../../src/report/index.ts';
import { pagesOf } from '../support/pages.ts';
import { scaledRuns } from '../support/property-tests.ts';
import { temporaryFolder } from '../support/run.ts';
import { runSummary } from '../support/run-summary.ts';

const REPORTS = ['results.csv', 'errors.csv', 'in-doubt.csv'];

const text = fc.oneof(fc.constantFrom('=1+1', 'a;b', 'say "no"', 'x\ny', 'é'), fc.string({ maxLength: 8 }));

const result = fc.record({
  key: text,
  outcome: fc.record(
    {
      outcome: fc.constantFrom(...OUTCOMES),
      attempts: fc.nat(5),
      durationMs: fc.nat(900),
      code: fc.constantFrom(undefined, 'store-refused', 'required'),
      field: fc.constantFrom(undefined, 'name'),
      message: fc.option(text, { nil: undefined }),
    },
    { requiredKeys: ['outcome', 'attempts', 'durationMs'] },
  ),
  cells: fc.option(fc.array(text, { minLength: 2, maxLength: 2 }), { nil: undefined }),
});

const results = fc
  .tuple(fc.array(result, { maxLength: 12 }), fc.constantFrom(1, 60))
  .map(([some, times]) => Array.from({ length: times }, () => some).flat())
  .map((all) =>
    all.map(({ cells, ...each }, seq): RecordResult => {
      const row = seq + 2;
      return { seq, row, ...each, ...(cells ? { rows: [{ row, cells }] } : {}) } as RecordResult;
    }),
  );

async function reportsOf(
  delimiter: string,
  write: (reports: Awaited<ReturnType<typeof openReports>>) => Promise<void>,
) {
  const folder = temporaryFolder();
  const reports = await openReports({ folder, run: 'r1', header: ['a', 'b'], format: { delimiter } });
  await write(reports);
  await reports.finish(runSummary({ records: 1 }));
  return REPORTS.map((name) => readFileSync(join(folder, name), 'utf8'));
}

/** As from another thread. */
const passed = (batch: SettledBatch): SettledBatch => structuredClone(batch);

function* inPages(all: readonly RecordResult[], size: number): Generator<readonly RecordResult[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

test('batches make the same reports and statistics as their records one by one', async () => {
  await fc.assert(
    fc.asyncProperty(
      results,
      fc.constantFrom(',', ';'),
      fc.integer({ min: 1, max: 700 }),
      async (all, delimiter, size) => {
        const [one, whole] = [createStatistics(), createStatistics()];
        const single = await reportsOf(delimiter, async (reports) => {
          for (const each of all) {
            one.add(each.outcome, each.row);
            await reports.add(each);
          }
        });
        const batched = await reportsOf(delimiter, async (reports) => {
          for await (const batch of settledBatches(inPages(all, size), { delimiter })) {
            whole.addBatch(batch);
            await reports.addBatch(passed(batch));
          }
        });
        expect(batched).toEqual(single);
        expect(whole.outcomes()).toEqual(one.outcomes());
        expect([whole.records, whole.attempts]).toEqual([one.records, one.attempts]);
        expect(whole.problems(100)).toEqual(one.problems(100));
      },
    ),
    { numRuns: scaledRuns(60) },
  );
});

test('records that arrived are text and numbers only', async () => {
  const plain: RecordResult = {
    seq: 0,
    row: 2,
    key: 'a',
    outcome: { outcome: 'created', attempts: 2, durationMs: 1 },
  };
  const noted: RecordResult = { ...plain, seq: 1, outcome: { ...plain.outcome, code: 'already-there' } };
  const [batch, ...more] = await pagesOf(settledBatches([[plain, noted], [plain]], {}));
  expect(more).toEqual([]);
  expect(batch).toMatchObject({ plain: { created: 2 }, attempts: 4, others: [noted] });
});

test('records with long rows are in batches of less than a megabyte', async () => {
  const cells = Array<string>(100).fill('long '.repeat(100));
  const outcome = { outcome: 'invalid', attempts: 0, durationMs: 0 } as const;
  const all = Array.from({ length: 300 }, (_, seq) => ({
    ...{ seq, row: seq + 2, key: `k${seq}`, outcome },
    rows: [{ row: seq + 2, cells }],
  }));
  const batches: SettledBatch[] = [];
  for await (const batch of settledBatches(inPages(all, 500), { delimiter: ',' })) batches.push(batch);
  expect(batches.flatMap(({ others }) => others)).toEqual(all);
  for (const batch of batches) expect(JSON.stringify(batch).length).toBeLessThan(1 << 20);
});
