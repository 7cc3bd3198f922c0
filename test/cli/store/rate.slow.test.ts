import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type GivenFaults, type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { environmentFor, readTrace } from '../../faults/plan.ts';
import { writeProducts } from '../../faults/products.ts';
import { environmentOf, storeportProcess, temporaryFolder } from '../../support/run.ts';

const RATE = 40;
const RECORDS = 160;

/** The most of these in any second, wherever it begins. */
function mostInASecond(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((ms) => ms >= from && ms < from + 1000).length));
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(10);
}

/** Suspends the process, as when a laptop is closed and opened again. */
async function suspend(child: ChildProcess, sandbox: Sandbox): Promise<void> {
  await until(() => sandbox.count('products') >= RATE);
  child.kill('SIGSTOP');
  await sleep(1_500);
  child.kill('SIGCONT');
}

const CASES: readonly {
  readonly when: string;
  readonly faults?: GivenFaults;
  readonly meanwhile?: (child: ChildProcess, sandbox: Sandbox) => Promise<void>;
}[] = [
  { when: 'there is no trouble' },
  { when: 'the store was away', faults: { outage: 'refuse:1500ms:#40' } },
  { when: 'the process was suspended', meanwhile: suspend },
  { when: 'all requests waited for a token', faults: { 'token-life': '2s', latency: '1s@token' } },
];

// The process under test records when requests are sent, so the load of the store does not matter. Several run
// at once, since they mostly wait.
describe('requests per second', () => {
  test.concurrent.for(CASES)(
    'no second has more requests than --rate, tokens included, when $when',
    async ({ faults = {}, meanwhile }, { onTestFinished }) => {
      const sandbox = await startSandbox({ faults });
      onTestFinished(() => sandbox.close());
      const cwd = temporaryFolder(onTestFinished);
      writeProducts(join(cwd, 'in.csv'), RECORDS);
      const trace = join(cwd, 'trace');
      let disturbed: Promise<void> | undefined;
      const ended = await storeportProcess(
        ['import', 'products', 'in.csv', '--out', 'out', '--rate', String(RATE), '--concurrency', '64'],
        {
          cwd,
          env: { ...environmentOf(sandbox), ...environmentFor({ trace }) },
          onStart: (child) => {
            disturbed = meanwhile?.(child, sandbox);
          },
        },
      );
      await disturbed;
      // Requests in flight when the outage began are in doubt.
      expect([0, 1]).toContain(ended.code);
      const sent = readTrace(trace).filter(({ what }) => what === 'sends');
      expect(sent.length).toBeGreaterThan(RECORDS);
      expect(mostInASecond(sent.map(({ ms = Number.NaN }) => ms))).toBeLessThanOrEqual(RATE);
    },
  );
});
