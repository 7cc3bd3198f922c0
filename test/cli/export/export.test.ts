import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { environmentOf, readHeader, readTable, storeport } from '../../support/run.ts';

const cli = cliForEachTest({ seed: 345 });

const run = (args: string[]) => cli.run('export', ...args);

/** All files of the folder except the home. */
const visible = (cwd: string) => readdirSync(cwd).filter((name) => name !== '.storeport');

describe('export', () => {
  test('export writes every review once, in order, with nested fields as columns', async () => {
    const { cwd } = cli;
    const ended = await run(['reviews', '--out', 'reviews.csv']);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('Exported 345 reviews to reviews.csv.');
    const rows = readTable(join(cwd, 'reviews.csv'));
    // biome-ignore lint/suspicious/noExplicitAny: the store's own records
    const stored = cli.sandbox.records('reviews') as any[];
    expect(rows.map((row) => row._id)).toEqual(stored.map(({ _id }) => _id));
    expect(rows[7]).toMatchObject({
      'product._id': stored[7].product._id,
      'product.name': stored[7].product.name,
      rating: String(stored[7].rating),
      published: String(stored[7].published),
      createdAt: stored[7].createdAt,
    });
    expect(readHeader(join(cwd, 'reviews.csv'))).toEqual([
      '_id',
      'storeId',
      'product._id',
      'product.name',
      'product.image',
      'customer._id',
      'customer.firstname',
      'customer.lastname',
      'content',
      'images',
      'rating',
      'published',
      'createdAt',
    ]);
    expect(visible(cwd)).toEqual(['reviews.csv', 'reviews.csv.manifest.json', 'reviews.csv.report.html']);
  });

  test('a compressed export has the same content', async () => {
    const { cwd } = cli;
    await run(['reviews', '--out', 'reviews.csv']);
    expect((await run(['reviews', '--out', 'reviews.csv.gz'])).code).toBe(0);
    const whole = readFileSync(join(cwd, 'reviews.csv.gz'));
    expect(gunzipSync(whole).equals(readFileSync(join(cwd, 'reviews.csv')))).toBe(true);
  });

  test('export defuses formulas, and keeps them with --raw', async () => {
    const { cwd } = cli;
    await run(['reviews', '--out', 'safe.csv']);
    await run(['reviews', '--out', 'raw.csv', '--raw']);
    const dangerous = /^[=+@\t\r]/;
    const raw = readTable(join(cwd, 'raw.csv')).filter(({ content = '' }) => dangerous.test(content));
    const safe = readTable(join(cwd, 'safe.csv')).filter(({ content = '' }) => dangerous.test(content));
    expect(raw.length).toBeGreaterThan(0);
    expect(safe).toEqual([]);
  });

  test('export writes complete NDJSON items and nothing else to standard output', async () => {
    const { stdout, code } = await run(['images', '--format', 'ndjson']);
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(cli.sandbox.records('images'));
  });

  test('--out - is standard output', async () => {
    const { cwd } = cli;
    const { stdout } = await run(['images', '--out', '-', '--limit', '2']);
    expect(parse(stdout, { columns: true })).toHaveLength(2);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('export writes one JSON array if the file name ends in .json', async () => {
    const { cwd } = cli;
    await run(['images', '--out', 'images.json']);
    expect(JSON.parse(readFileSync(join(cwd, 'images.json'), 'utf8'))).toEqual(cli.sandbox.records('images'));
  });

  test('export of checkouts selects pending ones by default', async () => {
    const pending = await run(['checkouts', '--format', 'csv']);
    const abandoned = await run(['checkouts', '--filter', 'status=abandoned']);
    const count = (text: string) => (parse(text, { columns: true }) as unknown[]).length;
    expect(count(pending.stdout)).toBeGreaterThan(0);
    expect(count(abandoned.stdout)).toBeGreaterThan(0);
    expect(count(pending.stdout) + count(abandoned.stdout)).toBeLessThan(345);
    const [first] = parse(pending.stdout, { columns: true }) as Record<string, string>[];
    expect(first).toHaveProperty('customer.address.country.name');
    expect(() => JSON.parse(first?.details ?? '')).not.toThrow();
  });

  test('export filters reviews like the API', async () => {
    const { stdout } = await run([
      'reviews',
      '--filter',
      'rating=5',
      '--filter',
      'published=true',
      '--columns',
      'rating,published',
    ]);
    const rows = parse(stdout, { columns: true }) as Record<string, string>[];
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map(({ rating, published }) => `${rating} ${published}`))).toEqual(
      new Set(['5 true']),
    );
  });

  test('--columns selects the columns, without a warning about missing ones', async () => {
    const { stdout } = await run(['reviews', '--columns', '_id,product', '--limit', '3']);
    const rows = parse(stdout, { columns: true }) as Record<string, string>[];
    expect(rows).toHaveLength(3);
    expect(JSON.parse(rows[0]?.product ?? '')).toHaveProperty('_id');
  });

  test('--json prints a summary if the data is written to a file', async () => {
    const { stdout } = await run(['reviews', '--out', 'r.csv', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      resource: 'reviews',
      items: 345,
      total: 345,
      repeated: 0,
      exit_code: 0,
    });
  });

  test('a store that fails during an export exits with 3 and leaves the old file unchanged', async () => {
    const { cwd } = cli;
    writeFileSync(join(cwd, 'reviews.csv'), 'last night\n');
    const server = createServer((request, response) => {
      const answer = (body: unknown, status = 200) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (request.url?.startsWith('/api/stores'))
        return answer({ accessToken: 'token-1', refreshToken: 'r-1', expireTime: 3600 });
      if (request.url?.includes('page=1&'))
        return answer({
          results: [{ _id: 'a' }],
          paginate: { total: 2, per_page: 1, current_page: 1, last_page: 2 },
        });
      return answer({ status: 'error', message: 'gone' }, 404);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const ended = await storeport(['export', 'reviews', '--out', 'reviews.csv'], {
        cwd,
        env: { ...environmentOf(cli.sandbox), STOREPORT_BASE_URL: url },
      });
      expect(ended.code).toBe(3);
      expect(ended.stderr).toMatch(/^Error: Page 2 /m);
      expect(readFileSync(join(cwd, 'reviews.csv'), 'utf8')).toBe('last night\n');
      expect(visible(cwd)).toEqual(['reviews.csv']);
      expect(existsSync(join(cwd, 'reviews.csv'))).toBe(true);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
