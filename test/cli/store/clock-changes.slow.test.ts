import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { writeProducts } from '../../faults/products.ts';
import { environmentOf, readTable, storeportProcess, temporaryFolder } from '../../support/run.ts';
import { type ClockShifts, clockEnvironment, clockShiftsIn } from '../../support/set-clock.ts';

const HOUR_MS = 3_600_000;
const RATE = 40;
const RECORDS = 80;

const CASES: readonly { readonly how: string; readonly shifts: ClockShifts }[] = [
  { how: 'back by an hour', shifts: { 30: -HOUR_MS } },
  { how: 'forward by an hour', shifts: { 30: HOUR_MS } },
  { how: 'forward by an hour, and back', shifts: { 30: HOUR_MS, 60: -HOUR_MS } },
  // Repeated, so that it hits each moment of a request and of the limiter.
  { how: 'back by an hour, every second', shifts: everySecond(30, 60, -HOUR_MS) },
];

function everySecond(from: number, to: number, ms: number): ClockShifts {
  return Object.fromEntries(
    Array.from({ length: (to - from) / 2 }, (_, n) => [String(from + 2 * n), ms] as const),
  );
}

// A wait until a point in time would take hours, so an import that ends at all passes.
describe('clock changes in an import', () => {
  test.concurrent.for(CASES)(
    'an import continues when the clock is set $how',
    async ({ shifts }, { onTestFinished }) => {
      const sandbox = await startSandbox({ faults: { 'token-life': '1s' } });
      onTestFinished(() => sandbox.close());
      const cwd = temporaryFolder(onTestFinished);
      writeProducts(join(cwd, 'in.csv'), RECORDS);
      const trace = join(cwd, 'trace');
      const ended = await storeportProcess(
        ['import', 'products', 'in.csv', '--out', 'out', '--rate', String(RATE), '--concurrency', '4'],
        {
          cwd,
          env: { ...environmentOf(sandbox), ...clockEnvironment(shifts, trace) },
          onStart: (child) => onTestFinished(() => void child.kill('SIGKILL')),
        },
      );
      expect(ended).toMatchObject({ code: 0 });
      expect(clockShiftsIn(trace)).toEqual(Object.values(shifts));
      expect(sandbox.count('products')).toBe(RECORDS);

      const tokens = sandbox.journal.filter(({ kind }) => kind === 'token');
      // Tokens of one second each, in the two and a half seconds that the rate takes, however slow the machine
      // is.
      expect(tokens.length).toBeGreaterThan(2);
      expect(tokens.length).toBeLessThan(RECORDS / 4);

      const summary = JSON.parse(readFileSync(join(cwd, 'out/summary.json'), 'utf8'));
      expect(summary.duration_ms).toBeGreaterThanOrEqual(((RECORDS - RATE) * 1000) / RATE);
      const dates = Date.parse(summary.finished_at) - Date.parse(summary.started_at);
      expect(dates).toBeGreaterThanOrEqual(summary.duration_ms);
      for (const row of readTable(join(cwd, 'out/results.csv')))
        expect(Number(row.duration_ms)).toBeGreaterThanOrEqual(0);
    },
  );
});
