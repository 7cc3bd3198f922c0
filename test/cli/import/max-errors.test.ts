import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { httpStore } from '../../support/http-store.ts';
import { booksOf, environmentOf, readReports, storeport } from '../../support/run.ts';

const cli = cliForEachTest();

async function run(args: string[], env: Readonly<Record<string, string>> = environmentOf(cli.sandbox)) {
  const ended = await storeport(args, { cwd: cli.cwd, env });
  return { ...ended, ...readReports(join(cli.cwd, 'out')) };
}

const importing = (...more: string[]) => [
  ...['import', 'products', 'in.csv', '--out', 'out', '--concurrency', '4'],
  ...more,
];

function writeProducts(count: number, isBad: (n: number) => boolean): void {
  const lines = Array.from({ length: count }, (_, n) => `Product ${n},ref-${n},${isBad(n) ? 'abc' : n}`);
  writeFileSync(join(cli.cwd, 'in.csv'), `name,reference,price.salePrice\n${lines.join('\n')}\n`);
}

const creates = () => cli.sandbox.journal.filter(({ kind }) => kind === 'create').length;

describe('--max-errors', () => {
  test('--max-errors stops the run, which can be resumed', async () => {
    writeProducts(400, (n) => n % 10 === 0);
    const stopped = await run(importing('--max-errors', '9'));
    expect(stopped.code).toBe(3);
    expect(stopped.summary.stopped.reason).toBe('too-many-errors');
    expect(stopped.summary.outcomes.created).toBeLessThan(120);
    expect(booksOf(stopped).balanced).toBe(true);
    // A resumed run counts from zero: nine more may fail, and fewer are left.
    const resumed = await run(['run', 'resume']);
    expect([resumed.code, resumed.summary.outcomes]).toEqual([1, { created: 360, invalid: 40 }]);
    expect(creates()).toBe(360);
  });

  test('--max-errors accepts a percentage and applies to validate', async () => {
    writeProducts(400, (n) => n >= 200);
    const { code, summary } = await run([
      'validate',
      'products',
      'in.csv',
      '--out',
      'out',
      '--max-errors',
      '20%',
    ]);
    expect(code).toBe(3);
    expect(summary.stopped.reason).toBe('too-many-errors');
    expect(summary.outcomes.planned).toBe(200);
    // At the end of a batch.
    expect(summary.outcomes.invalid).toBeGreaterThan(50);
  });

  test('--max-errors refuses a value that is not a number', async () => {
    writeProducts(1, () => false);
    const { code, stderr } = await storeport(importing('--max-errors', 'few'), {
      cwd: cli.cwd,
      env: environmentOf(cli.sandbox),
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining('found "few"')]);
  });
});

describe('store that refuses everything', () => {
  test('fifty equal refusals stop the run, unless --max-errors is given', async () => {
    writeProducts(300, () => false);
    const refusal = { status: 'error', message: 'This shop takes no products' };
    const { environment, requests } = await httpStore(() => ({ status: 400, body: refusal }));
    const stopped = await run(importing(), environment);
    expect(stopped.code).toBe(3);
    expect(stopped.summary.stopped.reason).toBe('same-refusal');
    expect(requests.length).toBeLessThanOrEqual(54);
    expect(stopped.summary.outcomes.unsent).toBeGreaterThan(0);
    expect(stopped.stderr + stopped.stdout).toContain('refused each of the first 50 records');
    // Resuming means that the user accepts the refusals.
    const resumed = await run(['run', 'resume'], environment);
    expect([resumed.code, resumed.summary.outcomes]).toEqual([1, { rejected: 300 }]);
    const anew = await run(importing('--max-errors', '1000', '--home', 'other'), environment);
    expect([anew.code, anew.summary.outcomes]).toEqual([1, { rejected: 300 }]);
  });
});
