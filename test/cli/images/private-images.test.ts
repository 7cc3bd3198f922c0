import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { JPEG } from '../../support/images/image-bytes.ts';
import { type ImageServer, startImageServer } from '../../support/images/image-server.ts';

const cli = cliForEachTest();
let server: ImageServer;
beforeEach(async () => {
  server = await startImageServer();
});
afterEach(() => server.close());

const CHECK = ['--check-images', '--image-rate', '5000', '--timeout', '1m'];
const ALLOWED = [...CHECK, '--allow-private-images'];

function writeImages(...images: readonly string[]): void {
  const rows = images.map((image, index) => `P${index},Product ${index},${image}`);
  cli.writeLines('a.csv', 'reference,name,images.0.src', ...rows);
}

const codes = () => cli.reports('out').results.map(({ code = '' }) => code);

/** The server under other names of this machine. */
const onHost = (host: string) => `http://${host}:${new URL(server.origin).port}/ok/a.jpg`;
const SPELLINGS = [
  '127.0.0.1',
  'localhost',
  '2130706433',
  '0x7f.1',
  '0177.1',
  '0',
  '[::ffff:127.0.0.1]',
  '[::1]',
];

test('validate, import and clean connect to no private address, in any spelling', async () => {
  writeImages(...SPELLINGS.map(onHost), 'http://169.254.169.254/latest/meta-data/');
  const checked = await cli.run('validate', 'products', 'a.csv', ...CHECK, '--out', 'out');
  expect([checked.code, new Set(codes())]).toEqual([1, new Set(['image-private'])]);
  expect(cli.reports('out').results[0]?.message).toContain(
    `the image "${onHost('127.0.0.1')}" is not on the internet: its host has a private address; name a public address`,
  );
  expect(checked.stdout).toContain('Images: 6 addresses; 6 private.');
  await cli.run('import', 'products', 'a.csv', ...CHECK, '--out', 'out');
  expect([new Set(codes()), cli.sends()]).toEqual([new Set(['image-private']), []]);
  const cleaned = await cli.run('clean', 'products', 'a.csv', ...CHECK, '--out', 'clean.csv');
  expect([cleaned.code, server.sockets]).toEqual([1, 0]);
});

test('private addresses are asked with --allow-private-images or its variable, and .env cannot allow them', async () => {
  writeImages(onHost('localhost'), onHost('127.0.0.1'));
  const args = ['validate', 'products', 'a.csv', '--out', 'out'];
  expect((await cli.run(...args, ...ALLOWED)).code).toBe(0);
  const env = { STOREPORT_ALLOW_PRIVATE_IMAGES: 'true' };
  expect((await cli.runWith([...args, ...CHECK, '--image-max-age', '0'], { env })).code).toBe(0);
  const hits = server.hits.length;
  writeFileSync(join(cli.cwd, '.env'), 'STOREPORT_ALLOW_PRIVATE_IMAGES=true\n');
  const refused = await cli.run(...args, ...CHECK);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('STOREPORT_ALLOW_PRIVATE_IMAGES in .env is ignored'),
  ]);
  expect([hits, server.hits.length]).toEqual([8, 8]);
});

test('an image that was asked with --allow-private-images is private again without it', async () => {
  writeImages(onHost('127.0.0.1'));
  const args = ['validate', 'products', 'a.csv', '--out', 'out'];
  await cli.run(...args, ...ALLOWED);
  await cli.run(...args, ...CHECK);
  expect(codes()).toEqual(['image-private']);
});

test('a resumed run asks private addresses if the run did', async () => {
  writeImages(`${server.origin}/ok/0.jpg`, `${server.origin}/ok/1.jpg`, `${server.origin}/404/2.jpg`);
  cli.sandbox.misbehave({ reset: '#2@create' });
  const limits = ['--concurrency', '1', '--max-errors', '0'];
  await cli.run('import', 'products', 'a.csv', ...ALLOWED, ...limits, '--out', 'out');
  cli.sandbox.misbehave({});
  const before = server.hits.length;
  await cli.run('run', 'resume');
  expect(server.hits.slice(before).map(({ path }) => path)).toEqual(['/404/2.jpg', '/404/2.jpg']);
  expect(codes()[2]).toBe('image-dead');
});

test('a public server, and one that a proxy reaches, cannot redirect to this machine', async () => {
  const asked: string[] = [];
  const proxy = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (url.includes('fine')) response.writeHead(200, { 'content-type': 'image/jpeg' }).end(JPEG);
    else
      response
        .writeHead(302, { location: url.includes('name') ? 'http://localhost.:1/' : onHost('0') })
        .end();
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void proxy.close());
  const env = { http_proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
  writeImages('http://img.example/fine.jpg', 'http://img.example/a.jpg', 'http://img.example/name.jpg');
  await cli.runWith(['validate', 'products', 'a.csv', ...CHECK, '--out', 'out'], { env });
  expect(codes()).toEqual(['', 'image-private', 'image-private']);
  expect(cli.reports('out').results[1]?.message).toContain('it is redirected to a private address');
  expect(server.sockets).toBe(0);
  expect(asked.every((url) => url.startsWith('http://img.example/'))).toBe(true);
});

test('a plan cannot allow private addresses, and the command line can', async () => {
  writeImages(onHost('127.0.0.1'));
  const plan = (options: string) =>
    cli.writeLines('plan.yaml', `steps: [{ import: products, files: a.csv, options: { ${options} } }]`);
  plan('check-images: true, allow-private-images: true');
  const refused = await cli.run('migrate', 'plan.yaml', '--dry-run');
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('give --allow-private-images on the command line'),
  ]);
  plan('check-images: true');
  expect((await cli.run('migrate', 'plan.yaml', '--dry-run')).code).toBe(1);
  expect(server.sockets).toBe(0);
  expect((await cli.run('migrate', 'plan.yaml', '--dry-run', '--allow-private-images')).code).toBe(0);
});
