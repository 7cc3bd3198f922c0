import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CommandContext } from '../../../src/cli/context.ts';
import { type CallCommand, demoShop } from '../../../src/cli/demo/shop.ts';
import { SILENT } from '../../../src/cli/output/logger.ts';
import { createTerminal } from '../../../src/cli/output/terminal.ts';
import { createMask } from '../../../src/store/mask/mask.ts';
import { storeport, temporaryFolder } from '../../support/run.ts';
import { importOf, shopRows, stepsOf } from '../../support/sample-shop.ts';
import { testIo } from '../../support/test-io.ts';

/** Value of an option in the words of a command line. */
function optionOf(words: readonly string[], option: string): string {
  return words[words.indexOf(option) + 1] ?? '';
}

/** Settings of a user that must not reach the migration. */
const SETTINGS = {
  STOREPORT_PROFILE: 'production',
  STOREPORT_BASE_URL: 'https://shop.example.com',
  STOREPORT_CLIENT_SECRET: 'secret-of-production',
  STOREPORT_DRY_RUN: 'true',
};

/** Runs the demo with this command as `migrate`. Resolves with standard output, and the calls that were made. */
async function demoWith(command: CallCommand, { json = false } = {}) {
  let stdout = '';
  const stream = {
    on: () => stream,
    write(text: string) {
      stdout += text;
    },
  } as never;
  const terminal = createTerminal({
    ...{ quiet: true, json, progress: false, mask: createMask([]) },
    io: { stdin: stream, stdout: stream, stderr: stream, env: {} },
    exit: () => {},
  });
  const calls: { words: readonly string[]; environment: CommandContext['environment'] }[] = [];
  const context: CommandContext = {
    commands: new Map(),
    ...{ terminal, log: SILENT, environment: { PATH: process.env.PATH, ...SETTINGS }, json },
    commandFiles: { named: [], log: undefined } as never,
    io: testIo(),
    onInterrupt: () => new AbortController().signal,
    onExit: () => () => {},
    commandOf: () => Promise.reject(new Error('The given function runs the command.')),
  };
  const end = demoShop({ out: 'demo/shop', progress: false }, context, (words, own) => {
    calls.push({ words, environment: own.environment });
    return command(words, own);
  });
  const [exitCode, error] = await end.then(
    (code) => [code, undefined] as const,
    (thrown) => [undefined, thrown as Error] as const,
  );
  return { exitCode, error, stdout, calls };
}

/** Imports the first steps of the plan by commands of their own, as a migration does. */
function importing(steps: number): CallCommand {
  return async (words, { environment, terminal }) => {
    const cwd = temporaryFolder();
    const env = {
      ...(environment as Record<string, string>),
      STOREPORT_BASE_URL: optionOf(words, '--base-url'),
      STOREPORT_CLIENT_ID: optionOf(words, '--client-id'),
      STOREPORT_CLIENT_SECRET: (await terminal.askSecret?.('Client secret? ')) ?? '',
    };
    for (const step of stepsOf('plan.yaml').slice(0, steps)) {
      const { code, stderr } = await storeport([...importOf(step), '--home', optionOf(words, '--home')], {
        cwd,
        env,
      });
      expect(code, stderr).toBe(0);
    }
    terminal.out('{"imports":[]}');
    return 0;
  };
}

/** The orders of the file that have a coupon and several lines, each as the demo shows it. */
function ordersAsShown() {
  const products = shopRows('products.csv');
  const rows = shopRows('orders.csv', ';');
  const supplierOf = (article = '') => products.find(({ Handle }) => Handle === article)?.Supplier;
  return rows
    .filter(({ Coupon }) => Coupon)
    .map((first) => [first, rows.filter(({ Order }) => Order === first.Order)] as const)
    .filter(([, lines]) => lines.length > 1)
    .map(([first, lines]) => [
      [`${first['First name']} ${first['Last name']}`],
      lines.map((line) => `${line.Pieces} × ${line.Description}, by ${supplierOf(line.Article)}`),
      [first.Coupon],
    ]);
}

test('demo --shop runs the plan against its own sandbox, and shows one order by the records that its ids lead to', async () => {
  const { exitCode, error, stdout, calls } = await demoWith(importing(5));
  expect(error).toBeUndefined();
  expect(exitCode).toBe(0);
  expect(stdout).toContain(
    'The store has 6 suppliers, 30 products, 25 customers, 6 discounts and 40 orders.',
  );
  // 30 suppliers of products; 7 products and 3 customers of discounts; of orders 40 customers, 88 products and 7 discounts.
  expect(stdout).toContain('All 175 references in them are ids of records that the store has.');
  // The imports send several orders at a time, so it may be any order that has a discount and several lines.
  const shown = (part: string) =>
    [...stdout.matchAll(new RegExp(`^ +${part} +[0-9a-f]{24} {3}(.+)$`, 'gm'))].map(([, text]) => text);
  expect(ordersAsShown()).toContainEqual([shown('customer'), shown('product'), shown('discount')]);

  const [call] = calls;
  expect(calls).toHaveLength(1);
  expect(call?.words[0]).toBe('migrate');
  expect(call?.words[1]).toMatch(/samples[/\\]shop[/\\]plan\.yaml$/);
  expect(optionOf(call?.words ?? [], '--out')).toBe('demo/shop');
  expect(optionOf(call?.words ?? [], '--base-url')).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('demo --shop keeps the settings of the user out of the migration, and removes its ledger', async () => {
  let home = '';
  const { calls } = await demoWith(async (words) => {
    home = optionOf(words, '--home');
    expect(existsSync(home)).toBe(true);
    return 0;
  });
  const { environment = {} } = calls[0] ?? {};
  expect(environment.PATH).toBe(process.env.PATH);
  expect(Object.keys(environment).filter((name) => name.startsWith('STOREPORT_'))).toEqual([]);
  expect(existsSync(home)).toBe(false);
});

test('demo --shop --json prints one object with the result of the migration and what the store has', async () => {
  const { exitCode, stdout, calls } = await demoWith(importing(2), { json: true });
  expect(exitCode).toBe(0);
  expect(calls[0]?.words).toContain('--json');
  expect(JSON.parse(stdout)).toEqual({
    migration: { imports: [] },
    store: { suppliers: 6, products: 30, customers: 0, discounts: 0, orders: 0 },
    references: { total: 30, dangling: 0 },
    exit_code: 0,
  });
});

test('demo --shop ends with the exit code of a migration that failed', async () => {
  const { exitCode, stdout } = await demoWith(async () => 1);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/ended with the exit code 1\. The store has 0 suppliers, .* and 0 orders\.\n$/);
});

test('demo --shop closes its sandbox and removes its ledger if the migration throws', async () => {
  const thrown = new Error('The migration was interrupted.');
  const { error, calls } = await demoWith(() => Promise.reject(thrown));
  expect(error).toBe(thrown);
  expect(existsSync(optionOf(calls[0]?.words ?? [], '--home'))).toBe(false);
  await expect(fetch(optionOf(calls[0]?.words ?? [], '--base-url'))).rejects.toThrow();
});

test('demo --shop refuses a folder whose configuration changes the API', async () => {
  const cwd = temporaryFolder();
  writeFileSync(
    join(cwd, 'storeport.config.yaml'),
    'api:\n  products:\n    create: { path: /api/v2/products }\n',
  );
  const { code, stdout, stderr } = await storeport(['demo', '--shop'], { cwd });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(existsSync(join(cwd, 'storeport-demo'))).toBe(false);
  expect(stderr).toContain('storeport.config.yaml in this folder changes the API (products.create.path');
  expect(stderr).toContain('Run the demo in another folder.');
});
