import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { endOf, migratingWith, WHOLE } from '../../support/migrating.ts';
import { onTerminal } from '../../support/on-terminal.ts';
import { environmentOf, readTable } from '../../support/run.ts';
import { SMALL_SHOP, shopIn, writeShop, wrongInShop } from '../../support/shop.ts';

const cli = cliForEachTest();

const { change, migrating } = migratingWith(cli);

// biome-ignore lint/suspicious/noExplicitAny: looked at from many sides
type StepSummary = any;

test('migrate --mask-contacts lets orders refer to customers by their invented addresses', async () => {
  writeShop(cli.cwd);
  expect(endOf(await migrating('--mask-contacts'))).toEqual(WHOLE);
  expect(wrongInShop(cli.sandbox)).toEqual([]);
  expect([...cli.sandbox.records('customers')]).not.toContainEqual(
    expect.objectContaining({ email: expect.stringContaining('@example.com') }),
  );
});

describe('the check of a migration', () => {
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
