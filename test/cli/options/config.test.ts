import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type ApiOverrides, apiOverrides, placesIn, RESOURCES } from '../../../src/resources/index.ts';
import { CONFIG_FILE as FILE, folderWith } from '../../support/config-file.ts';
import { httpStore } from '../../support/http-store.ts';
import { storeport } from '../../support/run.ts';

const ALL = RESOURCES.map(({ name }) => name).join(', ');

describe('invalid storeport.config.yaml', () => {
  const files = {
    'in.csv': 'name,reference\nLamp,L1\n',
    'mine.yaml': 'resource: products\nfields: { name: name }\n',
  };
  const broken = 'api:\n  images:\n    list:\n      path: //elsewhere.example/images\n';
  const complaint = `${FILE} has 1 mistake.
  line 4, column 7: api.images.list.path must be a path such as /api/images/search: one that begins with a single / and is encoded as it is to be sent, found "//elsewhere.example/images".`;

  test.each([
    [['import', 'products', 'in.csv']],
    [['import', 'products', 'in.csv', '--dry-run']],
    [['import', 'products', 'in.csv', '--sandbox']],
    [['validate', 'products', 'in.csv']],
    [['export', 'images']],
    [['export', 'reviews']],
    [['auth', 'check']],
    [['mapping', 'check', './mine.yaml', 'in.csv']],
  ])('%j with an invalid configuration exits with 2 before anything is sent', async (args) => {
    const store = await httpStore(() => ({}));
    const { code, stderr } = await storeport(args, {
      cwd: folderWith(broken, files),
      env: store.environment,
    });
    expect([code, stderr]).toEqual([2, `Error: ${complaint}\n`]);
    expect(store.requests).toEqual([]);
  });

  test('commands that do not need the configuration ignore its errors', async () => {
    const cwd = folderWith(broken, files);
    for (const args of [['--help'], ['mapping', 'list'], ['mapping', 'check', './mine.yaml']])
      expect((await storeport(args, { cwd })).code).toBe(0);
  });

  const mistakes: readonly [string, string][] = [
    [
      'api: { images: { list: { pageSize: 0 } } }',
      'line 1, column 26: api.images.list.pageSize must be a whole number of 1 or more, found 0.',
    ],
    [
      'api:\n  product: {}',
      `line 2, column 3: api has no "product". Did you mean "products"? It takes: ${ALL}.`,
    ],
    [
      'api: { products: { update: { metod: POST } } }',
      'line 1, column 30: api.products.update has no "metod". Did you mean "method"? It takes: method, path, idParam, idPattern.',
    ],
    [
      'api: { reviews: { create: { path: /x } } }',
      'line 1, column 19: api.reviews has no "create". It takes: list.',
    ],
    ['api: [products]', `line 1, column 1: api must be an object with ${ALL}, found a list.`],
    [
      'api: { products: { update: { method: patch } } }',
      'line 1, column 30: api.products.update.method must be PUT or POST, found "patch".',
    ],
    [
      'api: { orders: { update: { method: PUT, path: /u } } }',
      'line 1, column 18: orders have no update of their own, so this one needs idParam too.',
    ],
    [
      'profiles: { a: { api: { images: { list: { path: x } } } } }',
      'line 1, column 43: profiles.a.api.images.list.path must be a path',
    ],
    [
      'profiles: { a: { base_url: x } }',
      'line 1, column 18: profiles.a has no "base_url". Did you mean "base-url"? It takes: base-url, client-id, client-secret, store-id, database, country, api.',
    ],
    [
      'profiles: { a: { client-id: 1234 } }',
      'line 1, column 18: profiles.a.client-id must be text, found a number: write it in quotes.',
    ],
    [
      "profiles: { a: { base-url: '' } }",
      'line 1, column 18: profiles.a.base-url must be text that is not empty, found empty text.',
    ],
    [
      "profiles: { a: { client-secret: ' ' } }",
      'line 1, column 18: profiles.a.client-secret must be text that is not empty, found empty text.',
    ],
    [
      'profile: {}',
      'line 1, column 1: The file has no "profile". Did you mean "profiles"? It takes: profiles, country, api.',
    ],
    ['just words', 'line 1, column 1: The file must be an object with profiles, country, api, found text.'],
    ['api: {}\napi: {}', 'line 2, column 1: Map keys must be unique'],
  ];
  test.each(mistakes)('%j as configuration is refused: %s', async (config, words) => {
    const { code, stderr } = await storeport(['validate', 'products', 'in.csv'], {
      cwd: folderWith(config, files),
    });
    expect(code).toBe(2);
    expect(stderr).toContain(`Error: ${FILE} has 1 mistake.\n  ${words}`);
  });

  test.each([
    'profiles: { a: { client-secret: 90210777 } }',
    'profiles: { api: { client-secret: 90210777 } }',
    'profiles:\n  a:\n    client-secret: "90210777"x\n',
    'profiles:\n  a: { client-secret: s90210777: b }\n',
    'profiles:\n  a:\n    client-secret: 90210777\n   api: {}\n',
  ])('an error message about %j shows no secret', async (config) => {
    const { code, stdout, stderr } = await storeport(['auth', 'check', '--profile', 'a'], {
      cwd: folderWith(config),
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/line \d+, column \d+/);
    expect(stdout + stderr).not.toContain('90210777');
  });

  test.each(['lyonn', 'constructor', '__proto__'])('an unknown profile %s is refused', async (name) => {
    const cwd = folderWith('profiles: { lyon: {} }', files);
    const { code, stderr } = await storeport(['validate', 'products', 'in.csv', '--profile', name], { cwd });
    const hint = name === 'lyonn' ? ' Did you mean "lyon"?' : '';
    expect([code, stderr]).toEqual([2, `Error: ${FILE} has no profile "${name}"; it has lyon.${hint}\n`]);
  });
});

describe('docs/configuration.md', () => {
  const page = readFileSync(
    fileURLToPath(new URL('../../../docs/configuration.md', import.meta.url)),
    'utf8',
  );
  const fence = (info: string) =>
    new RegExp(`^\`\`\`${info}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? '';
  const check = async (config: string, ...more: string[]) => {
    const cwd = folderWith(config, files);
    chmodSync(join(cwd, FILE), 0o600);
    return storeport(['validate', 'products', 'in.csv', ...more], { cwd });
  };
  const files = { 'in.csv': 'name,reference\nLamp,L1\n' };

  test.each(['paris', 'lyon'])('the example configuration is valid with the profile %s', async (profile) => {
    const { code, stderr } = await check(fence('yaml config'), '--profile', profile);
    expect(code).toBe(0);
    expect(stderr).toContain('reviews.list.pageSize');
  });

  test('the example with a mistake gives the documented message', async () => {
    const { stderr } = await check(fence('yaml refused'));
    expect(stderr).toBe(fence('text refused'));
  });

  test('the table names every part of the configuration, and the example has all of them', () => {
    const namesIn = (section: unknown) =>
      apiOverrides.safeParse(section).error?.issues[0]?.message.split(', ') ?? [];
    const parts = namesIn({ products: { '?': 1 } }).flatMap((part) =>
      part === 'envelopes' || part === 'echo'
        ? [part]
        : namesIn({ products: { [part]: { path: '/', '?': 1 } } }).map((name) => `${part}.${name}`),
    );
    const { api } = parse(fence('yaml config')) as { api: ApiOverrides };
    const used = placesIn(api).map((place) => place.split('.').slice(1, 3).join('.'));
    const named = [...page.matchAll(/^\| `((?:create|update|list)\.\w+|envelopes|echo)` \|/gm)].map(
      ([, name]) => name,
    );
    expect(named.sort()).toEqual(parts.toSorted());
    expect([...new Set(used)].sort()).toEqual(parts.toSorted());
  });
});
