import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { violations } from '../../faults/oracle.ts';
import { writeProducts } from '../../faults/products.ts';
import { environmentOf, readReports, storeport } from '../../support/run.ts';

const RECORDS = 200;
const CONCURRENCY = 4;

/** Kinds of outage from the 60th request on; a request without an answer times out after two seconds. */
const HOWS = ['refuse', 'reset', 'hang', '503'];
const settings = ['--concurrency', String(CONCURRENCY), '--timeout', '2s'];

/** An import into a store of its own, with this outage. Several run at once, since they mostly wait. */
async function importing(outage: string) {
  const cwd = mkdtempSync(join(tmpdir(), 'storeport-outage-'));
  const sandbox = await startSandbox({ faults: { outage: `${outage}:#60` } });
  const wanted = writeProducts(join(cwd, 'in.csv'), RECORDS);
  const run = (...args: string[]) => storeport([...args, ...settings], { cwd, env: environmentOf(sandbox) });
  const found = () => {
    const references = (sandbox.records('products') as JsonObject[]).map(({ reference }) =>
      String(reference),
    );
    const facts = { journal: sandbox.journal, references };
    return violations(facts, { wanted, out: join(cwd, 'out'), mostInDoubt: 2 * CONCURRENCY });
  };
  return {
    first: (...args: string[]) => run('import', 'products', 'in.csv', '--out', 'out', ...args),
    resume: () => run('run', 'resume'),
    isBack: () => sandbox.misbehave({}),
    reports: () => readReports(join(cwd, 'out')),
    found,
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      rmSync(cwd, { recursive: true });
    },
  };
}

const linesWith = (text: string, words: string) => text.split('\n').filter((line) => line.includes(words));

describe.concurrent('outage of seconds', () => {
  test.each(HOWS)(
    'an outage of seconds prints one line, a line at its end, and fails no record: %s',
    async (how) => {
      await using imported = await importing(`${how}:3s`);
      const { first, reports, found } = imported;
      const { code, stderr } = await first();
      expect(found()).toEqual([]);
      expect(linesWith(stderr, 'Waiting for the store: it ')).toHaveLength(1);
      expect(linesWith(stderr, 'The store answers again; continuing.')).toHaveLength(1);
      expect(code).toBe(reports().summary.outcomes['in-doubt'] === undefined ? 0 : 1);
    },
  );
});

describe.concurrent('outage longer than --give-up-after', () => {
  test.each(HOWS)(
    'an outage longer than --give-up-after stops with 3, and the run can be resumed: %s',
    async (how) => {
      await using imported = await importing(`${how}:1h`);
      const { first, resume, isBack, reports, found } = imported;
      const stopped = await first('--give-up-after', '3s');
      expect(stopped.code).toBe(3);
      expect(linesWith(stopped.stderr, 'Waiting for the store: it ')).toHaveLength(1);
      const { summary } = reports();
      expect(summary.stopped).toMatchObject({
        reason: 'store-unreachable',
        message: expect.stringContaining('The store has given no usable answer for 3 seconds'),
      });
      expect(summary.outcomes.failed).toBeUndefined();
      expect(summary.records + summary.not_read).toBe(RECORDS);

      isBack();
      const resumed = await resume();
      expect([0, 1]).toContain(resumed.code);
      expect(found()).toEqual([]);
    },
  );
});
