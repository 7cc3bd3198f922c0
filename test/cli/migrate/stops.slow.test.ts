import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { interruptWhen } from '../../support/interrupt.ts';
import type { RunOptions } from '../../support/run.ts';
import { SMALL_SHOP, shopIn, writeShop, wrongInShop } from '../../support/shop.ts';

const cli = cliForEachTest();

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: looked at from many sides
  readonly summary: any;
}

async function migrating(args: readonly string[], options: Partial<RunOptions> = {}): Promise<Ended> {
  const { code, stdout, stderr } = await cli.runWith(
    ['migrate', 'plan.yaml', '--out', 'out', '--json', '--concurrency', '1', ...args],
    options,
  );
  return { code, stderr, summary: JSON.parse(stdout) };
}

const statesOf = ({ summary }: Ended): string[] => summary.steps.map(({ state }: { state: string }) => state);

const hasCreated = (resource: string) => () =>
  cli.sandbox.journal.some(({ path }) => path.includes(`/${resource}/create`));

/** Calls each function in turn, when its condition holds. */
function inTurn(steps: readonly (readonly [isDue: () => boolean, act: () => void])[]) {
  const left = [...steps];
  const timer = setInterval(() => {
    const [next] = left;
    if (next?.[0]()) {
      left.shift();
      next[1]();
    }
    if (left.length === 0) clearInterval(timer);
  }, 5);
}

async function expectWhole(): Promise<void> {
  cli.sandbox.misbehave({});
  const { code, stderr } = await migrating([]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(shopIn(cli.sandbox)).toEqual(SMALL_SHOP);
  expect(wrongInShop(cli.sandbox)).toEqual([]);
}

test('Ctrl-C ends the migration within a step with 130; the same command continues', async () => {
  writeShop(cli.cwd);
  cli.sandbox.misbehave({ latency: '100ms@create' });
  const ended = await migrating([], {
    signal: interruptWhen(hasCreated('products')),
  });
  expect(ended.code).toBe(130);
  expect(statesOf(ended)).toEqual(['done', 'stopped', 'left', 'left', 'left']);
  expect(ended.summary).toMatchObject({ stopped: { reason: 'interrupted' }, exit_code: 130 });
  expect(cli.sandbox.count('customers')).toBe(0);
  await expectWhole();
});

test('a second Ctrl-C leaves at once, and names the command that continues', async () => {
  writeShop(cli.cwd);
  cli.sandbox.misbehave({ hang: '#4-1000@create' });
  let firstAt = 0;
  const { code, stderr } = await cli.runProcess(
    ['migrate', 'plan.yaml', '--timeout', '24h', '--concurrency', '1'],
    {
      onStart: (child) =>
        inTurn([
          [
            hasCreated('products'),
            () => {
              firstAt = performance.now();
              child.kill('SIGINT');
            },
          ],
          [() => performance.now() > firstAt + 200, () => child.kill('SIGINT')],
        ]),
    },
  );
  expect(code).toBe(130);
  expect(stderr).toContain('To continue: storeport migrate plan.yaml');
  // The product that was in flight is in doubt, and so what refers to it waits.
  cli.sandbox.misbehave({});
  const continued = await migrating(['--yes']);
  expect(continued.code).toBe(1);
  expect(continued.summary.outcomes['in-doubt']).toBe(1);
  expect(wrongInShop(cli.sandbox)).toEqual([]);
});

test('a step that stops early ends the migration with 3; later steps are not begun', async () => {
  writeShop(cli.cwd, { ...SMALL_SHOP, products: 80 });
  cli.sandbox.misbehave({ redirect: '#4-1000@create' });
  const ended = await migrating([]);
  expect({ code: ended.code, states: statesOf(ended) }).toEqual({
    code: 3,
    states: ['done', 'stopped', 'left', 'left', 'left'],
  });
  expect(ended.summary.stopped.reason).toBe('same-refusal');
  expect(hasCreated('customers')()).toBe(false);
});

test('records in doubt do not end a migration: what refers to them has an issue, and the rest is sent', async () => {
  writeShop(cli.cwd);
  cli.sandbox.misbehave({ 'late-reset': '#1@create' });
  const ended = await migrating([]);
  expect({ code: ended.code, states: statesOf(ended) }).toEqual({
    code: 1,
    states: ['done', 'done', 'done', 'done', 'done'],
  });
  // Supplier 0 has the products 0, 3 and 6.
  const [suppliers, products] = ended.summary.steps;
  expect(suppliers.run.outcomes).toEqual({ created: 2, 'in-doubt': 1 });
  expect(products.run.outcomes).toEqual({ created: 5, invalid: 3 });
  expect(products.run.problems[0].code).toBe('not-settled');
  expect(wrongInShop(cli.sandbox)).toEqual([]);

  const { code, stdout } = await cli.run('migrate', 'plan.yaml');
  expect(code).toBe(1);
  expect(stdout).toMatch(/Settle these first\. .*: storeport run list$/m);
  expect((await cli.run('run', 'list')).stdout).toContain(`run resolve ${suppliers.run.run}`);
});

test('a step that cannot begin ends the migration with 3, since earlier steps were sent', async () => {
  writeShop(cli.cwd);
  cli.sandbox.misbehave({ latency: '100ms@create' });
  inTurn([[hasCreated('customers'), () => rmSync(join(cli.cwd, 'orders.csv'))]]);
  const ended = await migrating([]);
  expect({ code: ended.code, states: statesOf(ended) }).toEqual({
    code: 3,
    states: ['done', 'done', 'done', 'done', 'left'],
  });
  expect(ended.summary.stopped).toMatchObject({
    reason: 'step-not-begun',
    message: expect.stringContaining('The orders could not begin'),
  });
  writeShop(cli.cwd);
  await expectWhole();
});

test('two migrations at the same time create nothing twice', async () => {
  writeShop(cli.cwd);
  cli.sandbox.misbehave({ latency: '20ms@create' });
  const args = ['migrate', 'plan.yaml', '--json'];
  const both = await Promise.all([cli.run(...args, '--out', 'a'), cli.run(...args, '--out', 'b')]);
  // One of them may find the ledger's store in use, before its first step or between two of them.
  for (const { code } of both) expect([0, 1, 2, 3]).toContain(code);
  expect(wrongInShop(cli.sandbox)).toEqual([]);
  await expectWhole();
});

test('--in-doubt is an option of a step', async () => {
  writeShop(cli.cwd);
  const plan = join(cli.cwd, 'plan.yaml');
  writeFileSync(plan, `${readFileSync(plan, 'utf8')}    options: { in-doubt: resend }\n`);
  // The first supplier, and the first product after the three suppliers and the one that is sent again.
  cli.sandbox.misbehave({ 'late-reset': '#1@create,#5@create' });
  const { summary } = await migrating([]);
  const [suppliers, products] = summary.steps;
  expect(suppliers.run.outcomes).toEqual({ created: 3 });
  expect(products.run.outcomes).toEqual({ created: 7, 'in-doubt': 1 });
});
