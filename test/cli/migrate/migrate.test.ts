import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { endOf, migratingWith, WHOLE } from '../../support/migrating.ts';
import { filesBelow, readTable } from '../../support/run.ts';
import { SMALL_SHOP, shopIn, writeShop, wrongInShop } from '../../support/shop.ts';

const cli = cliForEachTest();

const { change, migrating } = migratingWith(cli);

describe('a migration', () => {
  test('imports all steps in the order of their references, each reference right', async () => {
    writeShop(cli.cwd);
    const { code, summary, stderr } = await migrating();
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(summary).toMatchObject({
      command: 'migrate',
      phase: 'import',
      order: ['suppliers', 'products', 'customers', 'discounts', 'orders'],
      records: 25,
      outcomes: WHOLE.outcomes,
      exit_code: 0,
    });
    expect(shopIn(cli.sandbox)).toEqual(SMALL_SHOP);
    expect(wrongInShop(cli.sandbox)).toEqual([]);
    expect([...cli.sandbox.records('customers')][0]).toMatchObject({ status: 'ACTIVE' });
    expect(readTable(join(cli.cwd, 'out/2-products/results.csv'))).toHaveLength(8);
    expect(JSON.parse(readFileSync(join(cli.cwd, 'out/summary.json'), 'utf8'))).toEqual(summary);
  });

  test('has one page, which is escaped and links to those of the steps', async () => {
    writeShop(cli.cwd);
    expect((await migrating()).code).toBe(0);
    const page = readFileSync(join(cli.cwd, 'out/report.html'), 'utf8');
    expect(page).toContain('Content-Security-Policy');
    expect(page).toContain('Paris &lt;shop&gt;');
    expect(page).not.toContain('<shop>');
    const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link);
    expect(links).toHaveLength(5);
    for (const link of links) expect(existsSync(join(cli.cwd, 'out', link)), link).toBe(true);
  });

  test('sends nothing the second time, and only what is new or changed after that', async () => {
    writeShop(cli.cwd);
    await migrating();
    const before = cli.sends().length;
    const again = await migrating();
    expect(again).toMatchObject({ code: 0, summary: { outcomes: { unchanged: 25 } } });
    expect(again.summary.notes).toEqual([expect.stringContaining('All steps were done before')]);
    expect(cli.sends()).toHaveLength(before);

    appendFileSync(join(cli.cwd, 'products-2.csv'), 'SKU-8,Product 8,Supplier 0\n');
    change('products-1.csv', 'Product 1,', 'Product one,');
    appendFileSync(join(cli.cwd, 'orders.csv'), '2000,ann0@example.com,SKU-8\n');
    const changed = await migrating();
    expect(changed.code).toBe(0);
    expect(changed.summary.outcomes).toEqual({ created: 2, updated: 1, unchanged: 24 });
    expect(cli.sends()).toHaveLength(before + 3);
    expect(wrongInShop(cli.sandbox)).toEqual([]);
  });

  test('a plan that has changed is imported as it is now', async () => {
    writeShop(cli.cwd);
    await migrating();
    change('plan.yaml', 'status=ACTIVE', 'status=BLOCKED');
    const { code, summary } = await migrating();
    expect(summary.notes).toEqual([expect.stringContaining('have changed since it was run')]);
    // The API cannot update customers, and says so of each.
    expect({ code, outcomes: summary.outcomes }).toEqual({
      code: 1,
      outcomes: { unchanged: 20, unsent: 5 },
    });
  });

  test('into a sandbox of its own keeps nothing but the reports', async () => {
    writeShop(cli.cwd);
    expect(endOf(await migrating('--sandbox'))).toEqual(WHOLE);
    expect(cli.sends()).toEqual([]);
    expect(existsSync(join(cli.cwd, '.storeport'))).toBe(false);
  });

  test('shows the client secret nowhere', async () => {
    writeShop(cli.cwd);
    const ended = await cli.run('migrate', 'plan.yaml', '--out', 'out', '--log-level', 'debug');
    expect(ended.code).toBe(0);
    const texts = [
      ended.stdout,
      ended.stderr,
      ...filesBelow(cli.cwd).map((file) => readFileSync(file, 'latin1')),
    ];
    expect(texts.filter((text) => text.includes(cli.sandbox.clientSecret))).toEqual([]);
  });
});

test('the command line that continues has the options that choose the store', async () => {
  writeShop(cli.cwd);
  const { url } = cli.sandbox;
  const { stdout } = await cli.run(
    ...['migrate', 'plan.yaml', '--dry-run', '--base-url', url, '--home', 'my home', '--mask-contacts'],
  );
  expect(stdout).toContain(
    `To import: storeport migrate plan.yaml --base-url ${url} --mask-contacts --home 'my home'`,
  );
});

test('the check of a migration with --dry-run sends nothing and says what would be sent', async () => {
  writeShop(cli.cwd);
  const { code, summary } = await migrating('--dry-run');
  expect(code).toBe(0);
  expect(summary).toMatchObject({ phase: 'check', outcomes: { planned: 25 } });
  // biome-ignore lint/suspicious/noExplicitAny: looked at from many sides
  expect(summary.steps.map((step: any) => step.run.plan.requests)).toEqual([3, 8, 5, 3, 6]);
  expect(cli.sandbox.journal).toEqual([]);
  expect(readTable(join(cli.cwd, 'out/5-orders/plan.csv'))).toHaveLength(6);
});
