import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { CONFIG_FILE as FILE, folderWith } from '../../support/config-file.ts';
import { type HttpStore, httpStore, type Received } from '../../support/http-store.ts';
import {
  environmentOf,
  readHeader,
  readReports,
  sample,
  storeport,
  temporaryFolder,
} from '../../support/run.ts';

/** A store that accepts creates and updates; its lists have one page with one item. */
function plainAnswer({ method, query }: Received): JsonObject {
  if (method !== 'GET') return { status: 'success', data: { _id: query.id ?? 'made' } };
  const paginate = { total: 1, per_page: 100, current_page: Number(query.page), last_page: 1 };
  return { results: [{ _id: 'a', name: 'Ink & Co' }], paginate };
}

function run(args: readonly string[], cwd: string, store: HttpStore, env: Record<string, string> = {}) {
  return storeport([...args, '--concurrency', '1'], { cwd, env: { ...store.environment, ...env } });
}

/** The requests of one command, as `METHOD path?query`. */
async function wireOf(config: string, args: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const store = await httpStore(plainAnswer);
  const { code, stderr } = await run(args, folderWith(config, files), store);
  expect(code, stderr).toBe(0);
  return store.requests.map(({ method, path, query }) =>
    `${method} ${path}?${decodeURIComponent(String(new URLSearchParams(query)))}`.replace(/\?$/, ''),
  );
}

describe('api section of the configuration', () => {
  test('the api section sets path and page size of a list', async () => {
    const config = 'api: { images: { list: { path: /api/images/search, pageSize: 7 } } }';
    expect(await wireOf(config, ['export', 'images'])).toEqual(['GET /api/images/search?page=1&limit=7']);
    expect(await wireOf('', ['export', 'images'])).toEqual(['GET /api/images?page=1&limit=100']);
  });

  test('the api section sets the name of one filter and keeps the others', async () => {
    const config = 'api: { reviews: { list: { filters: { product: product._id, author: by } } } }';
    const filters = ['--filter', 'product=p1', '--filter', 'author=Ann', '--filter', 'rating=5'];
    expect(await wireOf(config, ['export', 'reviews', ...filters])).toEqual([
      'GET /api/reviews/search?product._id=p1&by=Ann&rating=5&page=1&limit=100',
    ]);
  });

  test('the api section sets method, path and parameter of an update', async () => {
    const files = { 'in.csv': '_id,name\n66f0,Lamp\n' };
    const args = ['import', 'products', 'in.csv', '--mode', 'update'];
    expect(await wireOf('api: { products: { update: { method: POST } } }', args, files)).toEqual([
      'POST /api/products/update/?id=66f0',
    ]);
    const other = 'api: { products: { update: { path: /api/products/change, idParam: _id } } }';
    expect(await wireOf(other, args, files)).toEqual(['PUT /api/products/change?_id=66f0']);
  });

  test('the api section sets the path of a create', async () => {
    const config = 'api: { products: { create: { path: /api/products/new } } }';
    expect(
      await wireOf(config, ['import', 'products', 'in.csv'], { 'in.csv': 'name,reference\nLamp,L1\n' }),
    ).toEqual(['POST /api/products/new']);
  });

  test('the api section adds an update that the API document does not have', async () => {
    const files = { 'in.csv': '_id,note\n66f0,Pays late\n' };
    const config =
      'api: { customers: { update: { method: PUT, path: /api/customers/update/, idParam: id } } }';
    const store = await httpStore(plainAnswer);
    const cwd = folderWith(config, files);
    const { code } = await run(['import', 'customers', 'in.csv', '--out', 'out'], cwd, store);
    expect(code).toBe(0);
    expect(store.requests).toEqual([
      { method: 'PUT', path: '/api/customers/update/', query: { id: '66f0' }, body: expect.anything() },
    ]);
    expect(readReports(join(cwd, 'out')).results).toMatchObject([{ outcome: 'updated', id: '66f0' }]);

    const check = ['validate', 'customers', 'in.csv', '--mode', 'update', '--out', 'check'];
    expect((await storeport(check, { cwd })).code).toBe(0);
    expect(readReports(join(cwd, 'check')).results).toMatchObject([{ outcome: 'planned' }]);
    const without = folderWith('', files);
    expect((await storeport(check, { cwd: without })).code).toBe(1);
    expect(readReports(join(without, 'check')).results).toMatchObject([{ code: 'no-update' }]);
  });

  test('the api section adds a list that the API document does not have', async () => {
    const config = 'api: { suppliers: { list: { path: /api/suppliers/search, pageSize: 20 } } }';
    const args = ['export', 'suppliers', '--out', 'suppliers.csv'];
    expect(await wireOf(config, args)).toEqual(['GET /api/suppliers/search?page=1&limit=20']);
    const cwd = folderWith(config);
    expect((await run(args, cwd, await httpStore(plainAnswer))).code).toBe(0);
    expect(readHeader(join(cwd, 'suppliers.csv')).slice(0, 3)).toEqual(['_id', 'storeId', 'name']);
    const without = await run(args, folderWith(''), await httpStore(plainAnswer));
    expect(without.stderr).toContain('There is no resource "suppliers" for this command.');
  });

  test('the api section confirms the list of products, so that its export has no warning', async () => {
    const args = ['export', 'products', '--out', 'products.csv'];
    const cwd = folderWith('api: { products: { list: { path: /api/products/search } } }');
    const named = await run(args, cwd, await httpStore(plainAnswer));
    expect({ code: named.code, warned: named.stderr.includes('Warning: the API') }).toEqual({
      code: 0,
      warned: false,
    });
    expect(readHeader(join(cwd, 'products.csv')).slice(0, 3)).toEqual(['_id', 'name', 'reference']);
    const object = () => ({ status: 'success', data: { _id: 'a' } });
    const { code, stderr } = await run(args, folderWith(''), await httpStore(object));
    expect(code).toBe(3);
    expect(stderr).toMatch(/^Warning: the API document names \/api\/products .*\nStore: /);
    expect(stderr).toContain('did not answer with a list');
    expect(stderr).toContain('write products.list.path into the section api');
  });

  test('the api section sets where an answer has the record', async () => {
    const files = { 'in.csv': 'name,reference\nLamp,L1\n' };
    const answer = () => ({ status: 'success', item: { _id: 'made' } });
    const outcomeWith = async (config: string) => {
      const cwd = folderWith(config, files);
      await run(['import', 'products', 'in.csv', '--out', 'out'], cwd, await httpStore(answer));
      return readReports(join(cwd, 'out')).results.map(({ outcome, id }) => `${outcome} ${id}`);
    };
    expect(await outcomeWith('api: { products: { envelopes: [item] } }')).toEqual(['created made']);
    expect(await outcomeWith('')).toEqual(['in-doubt ']);
  });

  test('the api section sets the path that is probed after an outage', async () => {
    let failures = 1;
    const store = await httpStore((request) =>
      request.method === 'POST' && failures-- > 0
        ? { status: 500, body: { status: 'error', message: 'down' } }
        : plainAnswer(request),
    );
    const cwd = folderWith('api: { products: { list: { path: /api/products/search, pageSize: 10 } } }', {
      'in.csv': 'name,reference\nLamp,L1\nInk,I1\n',
    });
    await run(['import', 'products', 'in.csv', '--out', 'out'], cwd, store);
    expect(store.requests.map(({ method, path, query }) => [method, path, query])).toEqual([
      ['POST', '/api/products/create', {}],
      ['GET', '/api/products/search', { limit: '1' }],
      ['POST', '/api/products/create', {}],
    ]);
  });
});

describe('the api section of a profile', () => {
  const config = `
api:
  reviews: { list: { pageSize: 50, filters: { product: product._id, rating: stars } } }
profiles:
  paris:
    store-id: s1
    api: { reviews: { list: { pageSize: 20, filters: { rating: rate } } } }
  lyon: { store-id: s2 }
`;
  const filters = ['--filter', 'product=p1', '--filter', 'rating=5'];

  test('the api section of a profile overrides the general one field by field', async () => {
    expect(await wireOf(config, ['export', 'reviews', '--profile', 'paris', ...filters])).toEqual([
      'GET /api/reviews/search?product._id=p1&rate=5&page=1&limit=20',
    ]);
    expect(await wireOf(config, ['export', 'reviews', '--profile', 'lyon', ...filters])).toEqual([
      'GET /api/reviews/search?product._id=p1&stars=5&page=1&limit=50',
    ]);
  });

  test('the api section applies to validate, and to a profile named by the environment', async () => {
    const own = 'profiles: { x: { api: { customers: { update: { method: PUT, path: /u, idParam: id } } } } }';
    const cwd = folderWith(own, { 'in.csv': '_id,note\n66f0,Pays late\n' });
    const check = ['validate', 'customers', 'in.csv', '--mode', 'update'];
    expect((await storeport([...check, '--profile', 'x'], { cwd })).code).toBe(0);
    expect((await storeport(check, { cwd, env: { STOREPORT_PROFILE: 'x' } })).code).toBe(0);
    expect((await storeport([...check, '--profile', 'x', '--quiet'], { cwd })).code).toBe(0);
    expect((await storeport(check, { cwd })).code).toBe(1);
    const dry = ['import', ...check.slice(1), '--dry-run'];
    expect((await storeport([...dry, '--profile', 'x'], { cwd })).code).toBe(0);
    expect((await storeport(dry, { cwd })).code).toBe(1);
  });

  test('the api section of a profile may contain fields that the general one lacks', async () => {
    const halves = `
api: { suppliers: { list: { pageSize: 20 } } }
profiles: { x: { api: { suppliers: { list: { path: /api/suppliers/search } } } } }
`;
    expect(await wireOf(halves, ['export', 'suppliers', '--profile', 'x'])).toEqual([
      'GET /api/suppliers/search?page=1&limit=20',
    ]);
    const { code, stderr } = await storeport(['validate', 'products', 'in.csv'], { cwd: folderWith(halves) });
    expect(code).toBe(2);
    expect(stderr).toContain(
      'line 2, column 21: suppliers have no list of their own, so this one needs path too.',
    );
  });
});

describe('a file without an api section', () => {
  test.each(['', '# nothing yet\n', 'api:\nprofiles:\n', 'api: {}', 'profiles: { a: { api: } }'])(
    '%j as configuration changes nothing and prints nothing',
    async (config) => {
      const store = await httpStore(plainAnswer);
      const { code, stderr } = await run(['export', 'images'], folderWith(config), store);
      expect(code).toBe(0);
      expect(stderr).not.toContain(FILE);
      expect(store.requests.map(({ path }) => path)).toEqual(['/api/images']);
    },
  );
});

describe('messages about the api section', () => {
  const config =
    'api: { images: { list: { path: /api/images/search } }, products: { update: { method: POST } } }';

  test('the changed parts of the API are printed once, before the first request', async () => {
    const store = await httpStore(plainAnswer);
    const { stderr } = await run(['export', 'images', '--log-file', 'log'], folderWith(config), store);
    const lines = stderr.split('\n').filter((line) => line.includes(FILE));
    expect(lines).toEqual([`API as in ${FILE}: products.update.method, images.list.path.`]);
    const quiet = await run(['export', 'images', '--quiet'], folderWith(config), store);
    expect(quiet.stderr).toBe('');
  });

  test('the log contains the values of the api section', async () => {
    const store = await httpStore(plainAnswer);
    const cwd = folderWith(config);
    await run(['export', 'images', '--log-file', 'log'], cwd, store);
    const lines = readFileSync(join(cwd, 'log'), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        stage: 'settings',
        api: {
          images: { list: { path: '/api/images/search' } },
          products: { update: { method: 'POST' } },
        },
      }),
    );
  });

  test('a mapping is independent of the api section', async () => {
    const cwd = folderWith(config);
    const plain = ['validate', 'products', sample('shopify-products.csv'), '--json'];
    for (const more of [[], ['--mapping', 'shopify-products']]) {
      const { stdout } = await storeport([...plain, ...more], { cwd });
      expect(JSON.parse(stdout).mapping).toMatchObject({ name: 'shopify-products' });
    }
  });
});

describe('api section with a sandbox', () => {
  const cli = cliForEachTest({ seed: 10 });
  const config = 'api: { images: { list: { path: /nowhere } } }';

  test('--sandbox ignores the api section and says so once', async () => {
    const { code, stdout, stderr } = await storeport(
      ['export', 'images', '--sandbox', '--format', 'ndjson', '--limit', '5'],
      { cwd: folderWith(config) },
    );
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(5);
    expect(stderr.split('\n').filter((line) => line.includes(FILE))).toEqual([
      `The sandbox has the API of the document: api in ${FILE} is not used.`,
    ]);
  });

  test('a separate sandbox is subject to the api section', async () => {
    const { code, stderr } = await storeport(['export', 'images'], {
      cwd: folderWith(config),
      env: environmentOf(cli.sandbox),
    });
    expect(code).toBe(3);
    expect(stderr).toContain('/nowhere');
  });

  test('--sandbox needs no configuration file, even with a profile in the environment', async () => {
    const { code } = await storeport(['export', 'images', '--sandbox'], {
      cwd: temporaryFolder(),
      env: { STOREPORT_PROFILE: 'paris' },
    });
    expect(code).toBe(0);
  });
});
