import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { onTerminal } from '../../support/on-terminal.ts';
import { environmentOf, filesBelow, readTable } from '../../support/run.ts';
import { SMALL_SHOP, shopIn, writeShop, wrongInShop } from '../../support/shop.ts';

const cli = cliForEachTest();

function change(file: string, from: string, to: string): void {
  const path = join(cli.cwd, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replaceAll(from, to));
}

// biome-ignore lint/suspicious/noExplicitAny: looked at from many sides
type StepSummary = any;

async function migrating(...args: string[]) {
  const { code, stdout, stderr } = await cli.run('migrate', 'plan.yaml', '--out', 'out', '--json', ...args);
  // biome-ignore lint/suspicious/noExplicitAny: looked at from many sides
  return { code, stderr, summary: JSON.parse(stdout) as any };
}

/** The end of a migration, with the reason if it stopped early. */
function endOf({ code, summary }: Awaited<ReturnType<typeof migrating>>) {
  return { code, outcomes: summary.outcomes, stopped: summary.stopped };
}

const WHOLE = { code: 0, outcomes: { created: 25 }, stopped: undefined };

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

test('with --mask-contacts, orders refer to customers by their invented addresses', async () => {
  writeShop(cli.cwd);
  expect(endOf(await migrating('--mask-contacts'))).toEqual(WHOLE);
  expect(wrongInShop(cli.sandbox)).toEqual([]);
  expect([...cli.sandbox.records('customers')]).not.toContainEqual(
    expect.objectContaining({ email: expect.stringContaining('@example.com') }),
  );
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

describe('the check of a migration', () => {
  test('with --dry-run it sends nothing and says what would be sent', async () => {
    writeShop(cli.cwd);
    const { code, summary } = await migrating('--dry-run');
    expect(code).toBe(0);
    expect(summary).toMatchObject({ phase: 'check', outcomes: { planned: 25 } });
    expect(summary.steps.map((step: StepSummary) => step.run.plan.requests)).toEqual([3, 8, 5, 3, 6]);
    expect(cli.sandbox.journal).toEqual([]);
    expect(readTable(join(cli.cwd, 'out/5-orders/plan.csv'))).toHaveLength(6);
  });

  const DANGLING = [
    [
      'supplier of a product',
      'products-2.csv',
      'SKU-7,Product 7,Supplier 1',
      'SKU-7,Product 7,Nobody',
      'products',
      'supplier._id',
      '"Nobody" is neither in suppliers.csv nor',
    ],
    [
      'product of a discount',
      'discounts.csv',
      '"',
      '"',
      'discounts',
      'products.1._id',
      '"SKU-99" is neither in products-1.csv or products-2.csv nor',
    ],
    [
      'customer of an order',
      'orders.csv',
      '1003,ann3@',
      '1003,nobody@',
      'orders',
      'customer._id',
      '"nobody@example.com" is neither in data/customers.csv nor',
    ],
    [
      'product of an order',
      'orders.csv',
      'SKU-6',
      'SKU-77',
      'orders',
      'details.1.product._id',
      '"SKU-77" is neither in',
    ],
  ] as const;
  test.each(DANGLING)(
    'a missing %s is found before anything is sent',
    async (_, file, from, to, resource, field, says) => {
      writeShop(cli.cwd);
      if (resource === 'discounts') appendFileSync(join(cli.cwd, file), 'X,SKU-0|SKU-99\n');
      else change(file, from, to);
      const { code, summary } = await migrating();
      expect(code).toBe(1);
      expect(summary.phase).toBe('check');
      const step = summary.steps.find((each: StepSummary) => each.resource === resource);
      expect(step.run.problems[0]).toMatchObject({
        code: 'not-found',
        field,
        example: expect.stringContaining(says),
      });
      expect(cli.sandbox.journal).toEqual([]);
      const [error] = readTable(
        join(
          cli.cwd,
          `out/check/${step.resource === 'discounts' ? 4 : resource === 'orders' ? 5 : 2}-${resource}/errors.csv`,
        ),
      );
      expect(error).toMatchObject({ storeport_code: 'not-found' });
    },
  );

  test('what refers to an invalid record is invalid too; --yes sends the others', async () => {
    writeShop(cli.cwd);
    change('suppliers.csv', 'Supplier 2,Mill Lane 2', 'Supplier 2,');
    const refused = await migrating();
    expect(refused.code).toBe(1);
    expect(cli.sandbox.journal).toEqual([]);
    // Supplier 2 has the products 2 and 5. The discounts 1 and 2, and the orders 1, 2, 4 and 5 have one of these.
    const invalid = Object.fromEntries(
      refused.summary.steps.map(({ resource, run }: StepSummary) => [resource, run.outcomes.invalid ?? 0]),
    );
    expect(invalid).toEqual({ suppliers: 1, products: 2, customers: 0, discounts: 2, orders: 4 });
    const products = refused.summary.steps[1].run.problems[0].example;
    expect(products).toContain(
      '"Supplier 2" is invalid in row 4 of suppliers.csv, so it will not be among the suppliers',
    );

    const sent = await migrating('--yes');
    expect(sent.code).toBe(1);
    expect(sent.summary.outcomes).toEqual({ created: 16, invalid: 9 });
    expect(wrongInShop(cli.sandbox)).toEqual([]);

    change('suppliers.csv', 'Supplier 2,', 'Supplier 2,Mill Lane 2');
    const corrected = await migrating();
    expect(corrected.summary.outcomes).toEqual({ created: 9, unchanged: 16 });
    expect(shopIn(cli.sandbox)).toEqual(SMALL_SHOP);
    expect(wrongInShop(cli.sandbox)).toEqual([]);
  });

  test('finds records of earlier runs, which need no step', async () => {
    writeShop(cli.cwd);
    await cli.run('import', 'suppliers', 'suppliers.csv');
    writeFileSync(
      join(cli.cwd, 'plan.yaml'),
      'steps: [{ import: products, files: [products-1.csv, products-2.csv], mapping: ./products.yaml }]\n',
    );
    change('products-2.csv', 'SKU-7,Product 7,Supplier 1', 'SKU-7,Product 7,Nobody');
    const { code, summary } = await migrating('--dry-run');
    expect({ code, outcomes: summary.outcomes }).toEqual({ code: 1, outcomes: { planned: 7, invalid: 1 } });
  });

  test.skipIf(process.platform !== 'linux')(
    'asks on a terminal whether to send the valid records',
    async () => {
      writeShop(cli.cwd);
      change('products-2.csv', 'SKU-7,Product 7,Supplier 1', 'SKU-7,Product 7,Nobody');
      const on = { cwd: cli.cwd, env: environmentOf(cli.sandbox) };
      const question = 'records are valid. Send these?';
      const no = await onTerminal(['migrate', 'plan.yaml'], [[question, 'n\n']], on);
      expect({ code: no.code, stderr: no.stderr, sent: cli.sends() }).toEqual({
        code: 1,
        stderr: '',
        sent: [],
      });
      const yes = await onTerminal(['migrate', 'plan.yaml'], [[question, 'y\n']], on);
      expect(yes).toMatchObject({ code: 1, stderr: '' });
      expect(cli.products()).toHaveLength(7);
    },
  );
});

describe('undoing a migration', () => {
  test('puts products into the trash, and counts what stays', async () => {
    writeShop(cli.cwd);
    await migrating();
    const asked = await cli.run('migrate', 'plan.yaml', '--undo');
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain('8 products');
    expect((await cli.run('migrate', 'plan.yaml', '--undo', '--yes', '--dry-run')).code).toBe(0);
    expect(cli.products().map(({ status }) => status)).not.toContain('TRASH');

    const { code, summary } = await migrating('--undo', '--yes');
    expect({ code, outcomes: summary.outcomes, phase: summary.phase }).toEqual({
      code: 0,
      outcomes: { updated: 8 },
      phase: 'undo',
    });
    expect(summary.not_undone).toEqual({ suppliers: 3, customers: 5, discounts: 3, orders: 6 });
    expect(new Set(cli.products().map(({ status }) => status))).toEqual(new Set(['TRASH']));
  });

  test('a plan that is run after its undo begins anew', async () => {
    writeShop(cli.cwd);
    await migrating();
    await migrating('--undo', '--yes');
    // In words, since with --json nothing is noted.
    const again = await cli.run('migrate', 'plan.yaml', '--out', 'again', '--yes');
    expect(again.stderr + again.stdout).not.toContain('were done before');
  });

  test('a plan that was not run has nothing to undo', async () => {
    writeShop(cli.cwd);
    const { code, stderr } = await cli.run('migrate', 'plan.yaml', '--undo', '--yes');
    expect(code).toBe(2);
    expect(stderr).toContain('was not run at');
  });
});
