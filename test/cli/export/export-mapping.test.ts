import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { environmentOf, readHeader, readTable, sample, storeport } from '../../support/run.ts';

const cli = cliForEachTest({ seed: 30 });

const run = (args: string[], cwd: string) => cli.runWith(['export', ...args], { cwd });

/** The reviews of the store. */
function stored() {
  // biome-ignore lint/suspicious/noExplicitAny: the store's own records
  return cli.sandbox.records('reviews') as any[];
}

const COLUMNS = [
  'Review',
  'Product',
  'Stars',
  'Author',
  'Text',
  'Photos',
  'Published',
  'Day',
  'Source',
  'Rest',
];

test('the sample export mapping writes the same content as a table and as objects', async () => {
  const { cwd } = cli;
  const mapping = sample('reviews-newsletter.yaml');
  const csv = await run(['reviews', '--mapping', mapping, '--out', 'news.csv'], cwd);
  expect(csv).toMatchObject({ code: 0, stdout: 'Exported 30 reviews to news.csv.\n' });
  expect(readHeader(join(cwd, 'news.csv'))).toEqual(COLUMNS);
  const rows = readTable(join(cwd, 'news.csv'));
  const ndjson = await run(['reviews', '--mapping', mapping, '--out', 'news.ndjson'], cwd);
  expect(ndjson.code).toBe(0);
  const lines = readFileSync(join(cwd, 'news.ndjson'), 'utf8').trimEnd().split('\n');
  const objects = lines.map((line) => JSON.parse(line));

  expect(rows.map(({ Review }) => Review)).toEqual(stored().map(({ _id }) => _id));
  for (const [index, review] of stored().entries()) {
    const shown = {
      Review: review._id,
      Product: review.product.name,
      Stars: review.rating < 3 ? 'below three' : '★'.repeat(review.rating),
      Author: `${review.customer.firstname} ${review.customer.lastname}`,
      Published: review.published ? 'yes' : 'no',
      Day: review.createdAt.slice(0, 10),
      Source: 'Shop',
    };
    expect(rows[index]).toMatchObject({ ...shown, Photos: review.images.join(', ') });
    expect(objects[index]).toMatchObject({
      ...shown,
      Photos: review.images.length > 0 ? review.images.join(', ') : null,
      Rest: { 'product._id': review.product._id, storeId: review.storeId },
    });
    expect(JSON.parse(rows[index]?.Rest ?? '')).toEqual(objects[index].Rest);
  }
});

test('values that cannot be converted are kept and counted, with a warning and exit code 1', async () => {
  const { cwd } = cli;
  writeFileSync(
    join(cwd, 'stars.yaml'),
    'resource: reviews\nexport: { Id: _id, Stars: { from: rating, map: { 5: all } } }\n',
  );
  const args = ['reviews', '--mapping', './stars.yaml', '--out', 'stars.csv'];
  const ended = await run(args, cwd);
  const others = stored().filter(({ rating }) => rating !== 5);
  expect(others.length).toBeGreaterThan(1);
  expect(ended.code).toBe(1);
  const warnings = ended.stderr.split('\n').filter((line) => line.startsWith('Warning:'));
  expect(warnings).toEqual([
    `Warning: column "Stars" could not be converted in ${others.length} items, where it holds what the store gave; for example review ${others[0]._id}: "${others[0].rating}" is not known here; use one of: 5.`,
  ]);
  expect(readTable(join(cwd, 'stars.csv')).map(({ Stars }) => Stars)).toEqual(
    stored().map(({ rating }) => (rating === 5 ? 'all' : String(rating))),
  );
  const summary = JSON.parse((await run([...args, '--json'], cwd)).stdout);
  expect(summary).toMatchObject({ not_converted: { Stars: others.length }, exit_code: 1 });
  // Fields that a mapping leaves out are counted; above, there was no warning about them.
  expect(summary.not_in_columns).toMatchObject({ content: 30 });
});

test('fields without a column are always counted, with a warning unless columns were chosen', async () => {
  const results = [{ _id: 'a', likes: 3 }];
  const paginate = { total: 1, per_page: 1, current_page: 1, last_page: 1 };
  const server = createServer((request, response) => {
    const token = request.url?.startsWith('/api/stores');
    const answer = token
      ? { accessToken: 'token-1', refreshToken: 'r-1', expireTime: 3600 }
      : { results, paginate };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const options = {
      cwd: cli.cwd,
      env: { ...environmentOf(cli.sandbox), STOREPORT_BASE_URL: url },
    };
    const args = ['export', 'reviews', '--out', 'r.csv'];
    const native = await storeport(args, options);
    expect(native).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('no column shows likes (1 items)'),
    });
    const chosen = await storeport([...args, '--columns', '_id'], options);
    expect(chosen).toMatchObject({ code: 0, stderr: expect.not.stringContaining('no column shows') });
    const { stdout } = await storeport([...args, '--columns', '_id', '--json'], options);
    expect(JSON.parse(stdout).not_in_columns).toEqual({ likes: 1 });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('errors in the export command or mapping exit with 2 before the first request', async () => {
  const { cwd } = cli;
  copyFileSync(sample('reviews-newsletter.yaml'), join(cwd, 'news.yaml'));
  writeFileSync(join(cwd, 'bad.yaml'), 'resource: reviews\nexport:\n  Stars: ratng\n');
  const refused = async (args: string[]) => {
    const { code, stderr } = await storeport(args, { cwd });
    expect(code).toBe(2);
    return stderr;
  };
  expect(await refused(['export', 'reviews', '--mapping', './bad.yaml'])).toBe(
    'Error: The mapping ./bad.yaml has 1 mistake.\n  line 3, column 3: review has no field "ratng". Did you mean "rating"?\n',
  );
  expect(await refused(['export', 'reviews', '--mapping', './news.yaml', '--columns', '_id'])).toContain(
    '--columns and --mapping both say what the columns are',
  );
  expect(await refused(['export', 'images', '--mapping', './news.yaml'])).toContain(
    'The whole command: storeport export reviews --mapping ./news.yaml',
  );
  expect(await refused(['export', 'reviews', '--mapping', 'shopify-products'])).toContain(
    'The mapping shopify-products says how files are read',
  );
  const products = sample('native-products.csv');
  expect(await refused(['validate', 'products', products, '--mapping', './news.yaml'])).toContain(
    'The mapping ./news.yaml says what an export writes',
  );
});

test('mapping check and mapping show accept an export mapping', async () => {
  const { cwd } = cli;
  const mapping = sample('reviews-newsletter.yaml');
  const checked = await storeport(['mapping', 'check', mapping], { cwd });
  expect(checked).toMatchObject({
    code: 0,
    stdout: `${mapping} is valid: 10 columns of an export of reviews.\nFields that no column shows: none.\n`,
  });
  const shown = await storeport(['mapping', 'show', mapping, '--json'], { cwd });
  expect(JSON.parse(shown.stdout)).toMatchObject({ resource: 'reviews', columns: COLUMNS });
  const held = await storeport(['mapping', 'check', mapping, 'shop.csv'], { cwd });
  expect(held).toMatchObject({ code: 2, stderr: expect.stringContaining('Leave out shop.csv.') });
});
