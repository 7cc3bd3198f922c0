import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { type Ended, environmentOf, storeport } from '../../support/run.ts';

const cli = cliForEachTest();

const GOOD = 'name,reference\nA,r1\n';
const SECRET = 's3cret&with+odd%chars=#';

/** The error message, without earlier messages, and never with a stack. */
function errorOf({ stderr }: Ended): string {
  expect(stderr).not.toMatch(/^\s+at .*:\d+/m);
  expect(stderr).not.toContain(SECRET);
  const errors = stderr.split('\n').filter((line) => line.startsWith('Error: '));
  expect(errors).toHaveLength(1);
  return errors[0] ?? '';
}

async function run(
  args: string[],
  env: Record<string, string> = environmentOf(cli.sandbox),
  files: Record<string, string> = { 'in.csv': GOOD },
) {
  const { cwd } = cli;
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const before = cli.sandbox.count('products');
  const ended = await storeport(args, { cwd, env });
  expect(cli.sandbox.count('products')).toBe(before);
  return { ended, cwd, error: errorOf(ended) };
}

describe('failures before anything is sent', () => {
  test('wrong credentials exit with 3', async () => {
    const { ended, error, cwd } = await run(['import', 'products', 'in.csv'], {
      ...environmentOf(cli.sandbox),
      STOREPORT_CLIENT_SECRET: SECRET,
    });
    expect(ended.code).toBe(3);
    expect(error).toContain('does not accept this client id and client secret');
    expect(existsSync(join(cwd, 'storeport-runs'))).toBe(false);
  });

  test('a store that refuses connections exits with 3 within seconds', async () => {
    const { ended, error } = await run(['import', 'products', 'in.csv'], {
      ...environmentOf(cli.sandbox),
      STOREPORT_BASE_URL: 'http://127.0.0.1:9',
    });
    expect(ended.code).toBe(3);
    expect(error).toMatch(/refused the connection/);
  });

  test('a server that is not the store exits with 3', async () => {
    const server = createServer((_request, response) =>
      response.end('<html><body>Welcome to the hotel wifi</body></html>'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { ended, error } = await run(['import', 'products', 'in.csv'], {
        ...environmentOf(cli.sandbox),
        STOREPORT_BASE_URL: url,
      });
      expect(ended.code).toBe(3);
      expect(error).toMatch(/did not answer like the store's API/);
    } finally {
      server.close();
    }
  });

  test.each([
    ['a missing file', ['import', 'products', 'nope.csv'], 'There is no file nope.csv'],
    ['a folder', ['import', 'products', '.'], 'is a folder'],
    ['an unknown resource', ['import', 'product', 'in.csv'], 'There is no resource "product"'],
    [
      'a resource that cannot be created',
      ['import', 'reviews', 'in.csv'],
      'Choose one of: products, customers',
    ],
    ['an unknown command', ['improt', 'products', 'in.csv'], 'Did you mean import?'],
    ['an option without its value', ['import', 'products', 'in.csv', '--out'], '--out needs a value: folder'],
    [
      'an option followed by an option',
      ['import', 'products', 'in.csv', '--mapping', '--sandbox'],
      '--mapping needs a value: preset or mapping file',
    ],
    ['an empty profile', ['import', 'products', 'in.csv', '--profile', ''], '--profile is empty'],
    ['a group without a command', ['run'], 'run needs one more word: list, show'],
    ['help for a misspelled command', ['help', 'improt'], 'Did you mean import?'],
    ['an unknown option', ['import', 'products', 'in.csv', '--drry-run'], 'drry-run'],
    [
      'a limit that is not a number',
      ['import', 'products', 'in.csv', '--limit', 'x'],
      '--limit takes a whole number',
    ],
    [
      'too high a concurrency',
      ['import', 'products', 'in.csv', '--concurrency', '1000000000'],
      'from 1 to 1000',
    ],
    [
      'an unwritable log file',
      ['import', 'products', 'in.csv', '--log-file', 'in.csv/x.log'],
      'in.csv/x.log cannot be written',
    ],
    [
      'an export below a file',
      ['export', 'reviews', '--out', 'in.csv/x.csv'],
      'in.csv/x.csv cannot be written',
    ],
    ['a demo below a file', ['demo', '--out', 'in.csv'], 'The folder in.csv cannot be made'],
    ['an invalid port', ['sandbox', '--port', '70000'], '--port takes a whole number from 0 to 65535'],
    [
      'an empty delimiter',
      ['import', 'products', 'in.csv', '--delimiter', ''],
      '--delimiter must not be empty',
    ],
    [
      'a timeout that is not a duration',
      ['import', 'products', 'in.csv', '--timeout', 'soon'],
      '--timeout takes a duration',
    ],
    ['a rate of zero', ['import', 'products', 'in.csv', '--rate', '0'], '--rate takes a number above 0'],
    [
      'an unknown mapping',
      ['import', 'products', 'in.csv', '--mapping', 'shopify-product'],
      'Did you mean "shopify-products"?',
    ],
    [
      'a missing mapping file',
      ['import', 'products', 'in.csv', '--mapping', './m.yaml'],
      'There is no mapping file ./m.yaml',
    ],
    [
      'a mapping for another resource',
      ['import', 'products', 'in.csv', '--mapping', 'shopify-customers'],
      'makes customers',
    ],
    [
      'a constant for an unknown field',
      ['import', 'products', 'in.csv', '--set', 'statsu=DRAFT'],
      'Did you mean "status"?',
    ],
    [
      'a constant of the wrong kind',
      ['import', 'products', 'in.csv', '--set', 'status=SOLD'],
      'DRAFT, PUBLISH, TRASH',
    ],
    [
      'a constant without a value',
      ['import', 'products', 'in.csv', '--set', 'status'],
      '--set takes path=value',
    ],
    ['a filter that the API lacks', ['export', 'images', '--filter', 'a=b'], 'the API cannot filter images'],
    ['an unknown column', ['export', 'reviews', '--columns', 'stars'], 'reviews have no "stars"'],
    ['a summary on the same output as the data', ['export', 'reviews', '--json'], 'add --out FILE'],
    ['an invalid address', ['auth', 'check', '--base-url', 'ftp://shop.example'], 'ftp'],
  ])('%s: exits with 2', async (_what, args, words) => {
    const { ended, error } = await run(args);
    expect(ended.code).toBe(2);
    expect(error).toContain(words);
  });

  test.each([
    ['STOREPORT_DRY_RUN', 'y es'],
    ['STOREPORT_DRY_RUN', ''],
    ['STOREPORT_MASK_CONTACTS', 'enabled'],
    ['STOREPORT_PROFILE', ''],
    ['STOREPORT_HOME', ''],
    ['STOREPORT_LIMIT', '1,000'],
  ])('%s=%j is refused by name, with exit code 2', async (name, text) => {
    const { ended, error } = await run(['import', 'products', 'in.csv'], {
      ...environmentOf(cli.sandbox),
      [name]: text,
    });
    expect(ended.code).toBe(2);
    expect(error).toContain(name);
    expect(error).not.toContain('.env');
  });

  test('a message about an option names the variable that set it', async () => {
    const { ended } = await run(['export', 'reviews', '--sandbox'], { STOREPORT_SINCE: 'soon' });
    expect(ended.stderr).toContain('--since comes from STOREPORT_SINCE.');
  });

  test.each([
    [['import', 'products', 'in.csv', '--json', '--mapping']],
    [['import', 'products', 'in.csv', '--mapping', '--json']],
    [['improt', '--json']],
    [['import', '--json']],
    [['run', '--json', 'undoo']],
    [['import', 'products', 'in.csv', '--json', '--dry-run=ture']],
  ])('with --json an error is also printed as an object: %j', async (args) => {
    const { ended, error } = await run(args);
    expect(ended.code).toBe(2);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      error: { kind: 'configuration', message: error.replace('Error: ', '') },
      exit_code: 2,
    });
  });

  test('a mapping with typos exits with 2 and gives line, column and nearest name for each', async () => {
    const mapping =
      'resource: products\nfields:\n  name: Title\n  pricee.salePrice: Price\n  status: { from: Status, mapp: { a: DRAFT } }\n';
    const { ended, error } = await run(['import', 'products', 'in.csv', '--mapping', 'm.yaml'], undefined, {
      'in.csv': GOOD,
      'm.yaml': mapping,
    });
    expect(ended.code).toBe(2);
    expect(error).toBe('Error: The mapping m.yaml has 2 mistakes.');
    expect(ended.stderr).toContain(
      'line 4, column 3: product has no field "pricee.salePrice". Did you mean "price.salePrice"?',
    );
    expect(ended.stderr).toMatch(/line 5, column 27: "mapp" is not known here\. Did you mean "map"\?/);
  });

  test('an unknown header exits with 2 and lists what the nearest preset misses', async () => {
    const { ended, error } = await run(['import', 'products', 'in.csv'], undefined, {
      'in.csv': 'Title,Name,Variant Price\na,b,1\n',
    });
    expect(ended.code).toBe(2);
    expect(error).toContain('a header that no mapping for products knows');
    expect(ended.stderr).toContain('The nearest preset is shopify-products; for it the file lacks "Handle".');
  });

  test('missing required columns exit with 2 and are named', async () => {
    const { ended } = await run(
      ['import', 'products', 'in.csv', '--mapping', 'shopify-products'],
      undefined,
      { 'in.csv': 'Title,Variant Price\na,1\n' },
    );
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('Missing: "Handle"');
  });

  test('missing settings exit with 2 and suggest --sandbox', async () => {
    const { ended, error } = await run(['import', 'products', 'in.csv'], {});
    expect(ended.code).toBe(2);
    expect(error).toContain("The store's address is not set");
    expect(ended.stderr).toContain('--sandbox');
  });

  test('a missing secret without a terminal exits with 2', async () => {
    const { ended, error } = await run(['auth', 'check'], {
      STOREPORT_BASE_URL: cli.sandbox.url,
      STOREPORT_CLIENT_ID: 'x',
    });
    expect(ended.code).toBe(2);
    expect(error).toContain('The client secret is not set');
  });

  test('an unwritable report folder exits with 2 before anything is sent', async () => {
    const { ended, error } = await run(['import', 'products', 'in.csv', '--out', 'in.csv/below']);
    expect(ended.code).toBe(2);
    expect(error).toContain('in.csv/below');
  });

  test('a ledger that cannot be opened exits with 2 before anything is sent', async () => {
    const { ended, error } = await run(['import', 'products', 'in.csv', '--home', 'in.csv']);
    expect(ended.code).toBe(2);
    expect(error).toContain('ledger');
  });

  test('with --json an error is an object', async () => {
    const { ended } = await run(['import', 'products', 'nope.csv', '--json']);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      error: { kind: 'configuration', message: 'There is no file nope.csv.' },
      exit_code: 2,
    });
  });
});
