import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { environmentOf, readReports, storeport } from '../../support/run.ts';

const cli = cliForEachTest();

const MAPPING = `resource: products
fields:
  reference: SKU
  name: Name
  price.salePrice: { from: Price, number: true }
  quantity.instock: { from: Stock, number: true }
`;
const HEADER = 'SKU,Name,Price,Stock,Colour,Wholesale password\n';
const BEFORE = `${HEADER}A,Pen,3,1,black,hush\nB,Ink,4,2,,\n`;

function write(text: string): void {
  writeFileSync(join(cli.cwd, 'shop.yaml'), MAPPING);
  writeFileSync(join(cli.cwd, 'shop.csv'), text);
}

function check(args: string[], env: Record<string, string> = {}) {
  return storeport(
    ['validate', 'products', 'shop.csv', '--mapping', './shop.yaml', '--out', 'out', ...args],
    {
      cwd: cli.cwd,
      env,
    },
  );
}

const planIn = (folder: string) =>
  parse(readFileSync(join(cli.cwd, folder, 'plan.csv'), 'utf8'), { columns: true }) as Record<
    string,
    string
  >[];

describe('the plan of a check', () => {
  test('without a store every record is new, and faulty ones have their outcome', async () => {
    write(`${BEFORE}A,Pen again,3,1,,\nC,,x,1,,\n`);
    const { stdout } = await check([]);
    expect(planIn('out')).toEqual([
      { row: '2', key: 'A', action: 'create', id: '', fields: '' },
      { row: '3', key: 'B', action: 'create', id: '', fields: '' },
      { row: '4', key: 'A', action: 'duplicate', id: '', fields: '' },
      { row: '5', key: 'C', action: 'invalid', id: '', fields: '' },
    ]);
    const { summary } = readReports(join(cli.cwd, 'out'));
    expect(summary.plan).toMatchObject({
      actions: { create: 2, duplicate: 1, invalid: 1 },
      requests: 2,
      unused: [
        { column: 'Colour', sample: 'black' },
        { column: 'Wholesale password', sample: '***' },
      ],
    });
    expect(stdout).toContain('An import would send 2 requests (2 create).');
    expect(stdout).toContain('Not imported, with a cell each: Colour ("black"), Wholesale password ("***").');
  });

  test('with a store it knows what earlier runs sent, and contacts nobody', async () => {
    const store = await startSandbox();
    const env = environmentOf(store);
    write(BEFORE);
    const sent = await storeport(
      ['import', 'products', 'shop.csv', '--mapping', './shop.yaml', '--out', 'first'],
      {
        cwd: cli.cwd,
        env,
      },
    );
    expect(sent.code).toBe(0);
    expect(existsSync(join(cli.cwd, 'first', 'plan.csv'))).toBe(false);
    await store.close();

    write(`${HEADER}A,Pen,3,1,,\nB,Ink,5,9,,\nC,Cap,9,1,,\n`);
    const { code, stdout } = await check([], env);
    expect(code).toBe(0);
    const ids = Object.fromEntries(
      (
        parse(readFileSync(join(cli.cwd, 'first', 'results.csv'), 'utf8'), { columns: true }) as {
          key: string;
          id: string;
        }[]
      ).map(({ key, id }) => [key, id]),
    );
    expect(planIn('out')).toEqual([
      { row: '2', key: 'A', action: 'unchanged', id: ids.A, fields: '' },
      { row: '3', key: 'B', action: 'update', id: ids.B, fields: 'price|quantity' },
      { row: '4', key: 'C', action: 'create', id: '', fields: '' },
    ]);
    // Records that are sent and records that need not be are both planned.
    expect(readReports(join(cli.cwd, 'out')).summary.outcomes).toEqual({ planned: 3 });
    expect(stdout).toContain('An import would send 2 requests (1 create, 1 update; 1 unchanged)');
  });

  test('an update that lacks required fields is planned as the import would send it', async () => {
    const store = await startSandbox();
    const env = environmentOf(store);
    write(BEFORE);
    await storeport(['import', 'products', 'shop.csv', '--mapping', './shop.yaml'], { cwd: cli.cwd, env });
    await store.close();
    write('SKU,Stock\nA,7\nZ,7\n');
    writeFileSync(
      join(cli.cwd, 'shop.yaml'),
      'resource: products\nfields:\n  reference: SKU\n  quantity.instock: { from: Stock, number: true }\n',
    );
    const { code } = await check(['--mode', 'update'], env);
    expect(code).toBe(1);
    expect(planIn('out').map(({ key, action, fields }) => [key, action, fields])).toEqual([
      ['A', 'update', 'quantity'],
      ['Z', 'invalid', ''],
    ]);
  });

  test('the time is that of the rate which the store took before', async () => {
    const store = await startSandbox();
    const env = environmentOf(store);
    await store.close();
    const rows = Array.from({ length: 600 }, (_, n) => `P-${n},Pen ${n},3,1,,`);
    write(`${HEADER}${rows.join('\n')}\n`);
    const { rateFile } = await import('../../../src/store/index.ts');
    const { mkdirSync } = await import('node:fs');
    const home = join(cli.cwd, '.storeport');
    mkdirSync(home, { recursive: true });
    const file = rateFile(home, env.STOREPORT_BASE_URL ?? '');
    writeFileSync(file, JSON.stringify({ rate: 50, at: new Date().toISOString() }));
    const { stdout } = await check([], env);
    expect(readReports(join(cli.cwd, 'out')).summary.plan).toMatchObject({
      requests: 600,
      rate: 50,
      seconds: 12,
    });
    expect(stdout).toContain('600 requests (600 create), about 12s at the 50 a second');
  });
});
