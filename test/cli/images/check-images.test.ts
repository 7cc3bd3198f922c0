import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { JPEG } from '../../support/images/image-bytes.ts';
import { type ImageServer, startImageServer } from '../../support/images/image-server.ts';
import { interruptWhen } from '../../support/interrupt.ts';
import { filesBelow } from '../../support/run.ts';

const cli = cliForEachTest();
let server: ImageServer;
beforeEach(async () => {
  server = await startImageServer();
});
afterEach(() => server.close());

/** Options for many requests in a short time, with a deadline that none reaches. */
const FAST = ['--check-images', '--allow-private-images', '--image-rate', '5000', '--timeout', '1m'];

/** Writes products with these images, named by number. */
function writeProducts(...images: string[]): void {
  const rows = images.map((image, index) => `P${index},Product ${index},${image}`);
  cli.writeLines('a.csv', 'reference,name,images.0.src', ...rows);
}

const image = (way: string, name = 'a.jpg') => `${server.origin}/${way}/${name}`;
const check = (...more: string[]) =>
  cli.run('validate', 'products', 'a.csv', ...FAST, '--out', 'out', ...more);
/** `404` → 1 */
const codes = () => cli.reports('out').results.map(({ code = '' }) => code);

test('an import sends all records but those with wrong images, which it names before', async () => {
  writeProducts(image('ok'), image('404'), image('html'), image('huge'), image('403'), image('500'), '');
  const ended = await cli.run('import', 'products', 'a.csv', ...FAST, '--out', 'out');
  expect(ended.code).toBe(1);
  expect(cli.references().sort()).toEqual(['P0', 'P5', 'P6']);
  const { results, errors, summary } = cli.reports('out');
  expect(results.map(({ outcome, code }) => [outcome, code].join(' ').trim())).toEqual([
    'created',
    'invalid image-dead',
    'invalid image-not-an-image',
    'invalid image-too-large',
    'invalid image-needs-login',
    'created',
    'created',
  ]);
  expect(results[1]).toMatchObject({ field: 'images.0.src' });
  expect(results[1]?.message).toContain(
    `row 3, column "images.0.src": the image "${image('404')}" cannot be fetched`,
  );
  expect(errors.map(({ reference }) => reference)).toEqual(['P1', 'P2', 'P3', 'P4']);
  expect(summary.images).toEqual({
    addresses: 6,
    remembered: 0,
    verdicts: { ok: 1, dead: 1, private: 0, 'not-an-image': 1, 'too-large': 1, 'needs-login': 1, unknown: 1 },
  });
  expect(summary.files[0].warnings).toMatchObject([
    { message: 'An image could not be checked: its server answered with 500. It may be fine.', count: 1 },
  ]);
  expect(ended.stderr).toContain(
    'Images: 6 addresses; 1 fine, 1 dead, 1 not an image, 1 too large, 1 not public, 1 not certain.',
  );
  expect(ended.stderr).toContain(`  dead: ${image('404')} (its server answered with 404)`);
  expect(readFileSync(join(cli.cwd, 'out/report.html'), 'utf8')).toContain('6 addresses; 1 fine, 1 dead');
  // The reports can be written again from the ledger.
  const { run } = summary;
  expect(JSON.parse((await cli.run('run', 'show', run, '--json')).stdout).images).toEqual(summary.images);
});

test('images are asked for before anything is sent', async () => {
  let created = -1;
  const images = createServer((_, response) => {
    created = cli.sends().length;
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': JPEG.length }).end(JPEG);
  });
  await new Promise<void>((resolve) => {
    images.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void images.close());
  const { port } = images.address() as AddressInfo;
  writeProducts(...Array.from({ length: 40 }, (_, index) => `http://127.0.0.1:${port}/${index}.jpg`));
  await cli.run('import', 'products', 'a.csv', ...FAST);
  expect([created, cli.sends().length]).toEqual([0, 40]);
});

test('an address is asked for once, however many records name it', async () => {
  writeProducts(...Array.from({ length: 1000 }, () => image('ok')));
  const { code } = await check();
  expect(code).toBe(0);
  expect(server.hits.map(({ method }) => method)).toEqual(['HEAD', 'GET']);
  expect(cli.reports('out').summary.images.addresses).toBe(1);
});

test('no host has more than eight requests in flight', async () => {
  writeProducts(...Array.from({ length: 60 }, (_, index) => image('slow', `${index}.jpg`)));
  await check();
  expect(server.mostOpen).toBeGreaterThan(1);
  expect(server.mostOpen).toBeLessThanOrEqual(8);
});

test('--offset and --limit apply to the images too', async () => {
  writeProducts(image('ok', '0.jpg'), image('ok', '1.jpg'), image('404', '2.jpg'));
  await check('--offset', '1', '--limit', '1');
  expect([...new Set(server.hits.map(({ path }) => path))]).toEqual(['/ok/1.jpg']);
});

test('images with a path are asked for in the folder of --image-base', async () => {
  cli.writeLines('a.csv', 'reference,name,images.0.src', 'A,Pot,pot.jpg', 'B,Cup,../404/cup.jpg');
  await check('--image-base', `${server.origin}/ok`);
  expect(codes()).toEqual(['', 'image-dead']);
});

describe('images that were fine', () => {
  test('are remembered by the next command, and dead ones are asked for again', async () => {
    writeProducts(image('ok'), image('404'));
    await check();
    expect(server.hits).toHaveLength(4);
    await check();
    expect(server.hits.slice(4).map(({ path }) => path)).toEqual(['/404/a.jpg', '/404/a.jpg']);
    expect(codes()).toEqual(['', 'image-dead']);
    expect(cli.reports('out').summary.images).toMatchObject({ addresses: 2, remembered: 1 });
    const again = await check('--image-max-age', '0');
    expect(server.hits).toHaveLength(10);
    expect(again.stdout).toContain('Images: 2 addresses; 1 fine, 1 dead.');
  });

  test('are asked for again if the file that remembers them is damaged', async () => {
    writeProducts(image('ok'));
    await check();
    writeFileSync(join(cli.cwd, '.storeport/images.db'), 'no database'.repeat(1000));
    const ended = await check();
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(
      /Warning: .*images\.db with the images that were fine is damaged: .*They are asked again/,
    );
    expect(server.hits).toHaveLength(4);
    await check();
    expect(server.hits).toHaveLength(4);
  });

  test('are remembered in the only file that a check leaves behind', async () => {
    writeProducts(image('ok'), image('404'));
    await check();
    expect(readdirSync(join(cli.cwd, '.storeport'))).toEqual(['images.db']);
  });
});

test('neither credentials nor queries of addresses are sent, printed or kept', async () => {
  const withSecrets = (way: string) => `${image(way)}?signature=s3cr3t`.replace('://', '://user:passw0rd@');
  writeProducts(withSecrets('ok'), withSecrets('404'), withSecrets('500'));
  const log = ['--log-level', 'trace', '--log-file', 'log.txt'];
  const ended = await check('--report-without-rows', ...log);
  expect(codes()).toEqual(['', 'image-dead', '']);
  for (const { headers } of server.hits) expect(headers.authorization).toBeUndefined();
  const kept = filesBelow(cli.cwd).filter((file) => !/(?:a|errors)\.csv$/.test(file));
  const texts = [ended.stdout, ended.stderr, ...kept.map((file) => readFileSync(file, 'latin1'))];
  expect(kept.length).toBeGreaterThan(4);
  for (const text of texts) expect(text).not.toMatch(/passw0rd|s3cr3t/);
});

test('requests for images take the proxy of the environment', async () => {
  const asked: string[] = [];
  const proxy = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(url.includes('gone') ? 404 : 200, { 'content-type': 'image/jpeg' }).end(JPEG);
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void proxy.close());
  const env = { http_proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
  writeProducts('http://img.example/a.jpg', 'http://img.example/gone.jpg');
  await cli.runWith(['validate', 'products', 'a.csv', ...FAST, '--out', 'out'], { env });
  expect(codes()).toEqual(['', 'image-dead']);
  expect([...new Set(asked)].sort()).toEqual(['http://img.example/a.jpg', 'http://img.example/gone.jpg']);
});

test('clean keeps records with wrong images out of the clean file', async () => {
  // The address is clean only without the blanks around it.
  writeProducts(`\u00a0${image('ok')} `, ` ${image('404')}\u00a0`);
  const ended = await cli.run('clean', 'products', 'a.csv', ...FAST, '--out', 'clean.csv');
  expect(ended.code).toBe(1);
  expect(readFileSync(join(cli.cwd, 'clean.csv'), 'utf8')).toContain('P0');
  expect(readFileSync(join(cli.cwd, 'clean.rejects.csv'), 'utf8')).toContain('image-dead');
  expect(ended.stdout).toContain('Images: 2 addresses; 1 fine, 1 dead.');
  expect(readFileSync(join(cli.cwd, 'clean.report.html'), 'utf8')).toContain('2 addresses; 1 fine, 1 dead');
});

test('the images of all rows of a record are asked for', async () => {
  cli.writeLines(
    'a.csv',
    'Handle,Title,Body (HTML),Vendor,Image Src,Variant Price',
    `pot,Pot,,,${image('ok', '1.jpg')},5`,
    `pot,,,,${image('404', '2.jpg')},`,
    `cup,Cup,,,${image('ok', '3.jpg')},5`,
  );
  await check();
  const { results } = cli.reports('out');
  expect(results.map(({ outcome }) => outcome)).toEqual(['invalid', 'planned']);
  expect(results[0]?.message).toContain('row 3, column "Image Src"');
});

describe('Ctrl-C', () => {
  test('ends the check at once, and nothing is sent', async () => {
    writeProducts(image('hangs'), ...Array.from({ length: 30 }, (_, n) => image('ok', `${n}.jpg`)));
    const signal = interruptWhen(() => server.hits.length >= 20);
    const ended = await cli.runWith(['import', 'products', 'a.csv', ...FAST, '--timeout', '1h'], { signal });
    expect(ended.code).toBe(130);
    expect(ended.stderr).toContain('The check of images was interrupted. Nothing was sent.');
    expect(cli.sends()).toEqual([]);
    expect(readdirSync(join(cli.cwd, '.storeport')).filter((name) => name.startsWith('.images'))).toEqual([]);
    expect(existsSync(join(cli.cwd, 'storeport-runs'))).toBe(false);
  });
});

test('a file that a killed check left behind is removed by the next one', async () => {
  writeProducts(image('hangs'), image('404'));
  const home = join(cli.cwd, '.storeport');
  const left = () => (existsSync(home) ? readdirSync(home).filter((name) => name.startsWith('.images')) : []);
  await cli.runProcess(['validate', 'products', 'a.csv', ...FAST, '--timeout', '1h'], {
    onStart: (child) => {
      const timer = setInterval(() => {
        if (server.hits.length < 2) return;
        clearInterval(timer);
        child.kill('SIGKILL');
      }, 10);
    },
  });
  expect(left()).toHaveLength(1);
  writeProducts(image('404'));
  await check();
  expect(left()).toEqual([]);
});

test('a file that only changes known products may lack the fields that new ones need', async () => {
  writeProducts(image('ok', '0.jpg'), image('ok', '1.jpg'));
  await cli.run('import', 'products', 'a.csv');
  cli.writeLines('b.csv', 'reference,images.0.src', `P0,${image('ok', '2.jpg')}`, `P1,${image('404')}`);
  const { stderr } = await cli.run('import', 'products', 'b.csv', ...FAST, '--out', 'out');
  expect([codes(), stderr]).toEqual([['', 'image-dead'], expect.stringContaining('Images: 2 addresses')]);
  expect(cli.sends().map(({ kind }) => kind)).toEqual(['create', 'create', 'update']);
});

test('a resumed run checks its images again, and a retried one does not', async () => {
  writeProducts(image('ok', '0.jpg'), image('ok', '1.jpg'), image('404', '2.jpg'), image('ok', '3.jpg'));
  cli.sandbox.misbehave({ reset: '#2-9@create' });
  await cli.run(
    'import',
    'products',
    'a.csv',
    ...FAST,
    '--concurrency',
    '1',
    '--max-errors',
    '0',
    '--out',
    'out',
  );
  cli.sandbox.misbehave({});
  const before = server.hits.length;
  const resumed = await cli.run('run', 'resume');
  const asked = [...new Set(server.hits.slice(before).map(({ path }) => path))];
  expect([resumed.stderr, asked]).toEqual([expect.stringContaining('Images: 4 addresses'), ['/404/2.jpg']]);
  expect(cli.reports('out').summary.images).toMatchObject({ addresses: 4, remembered: 3 });
  const after = server.hits.length;
  await cli.run('run', 'retry');
  expect(server.hits).toHaveLength(after);
  expect(codes()[2]).toBe('image-dead');
});

describe('a command is refused, and nothing is asked for', () => {
  test.each([
    ['standard input', ['products', '-'], 'standard input can be read only once'],
    ['a resource without images', ['customers', 'a.csv'], 'customers have no images'],
  ])('for %s', async (_, args, message) => {
    cli.writeLines('a.csv', 'firstname,lastname,email', 'Ann,Lee,ann@example.com');
    const input = `reference,name,images.0.src\nA,Pot,${image('ok')}\n`;
    for (const command of ['validate', 'import', 'clean']) {
      const ended = await cli.runWith([command, ...args, '--check-images'], { input });
      expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(message)]);
    }
    expect([server.hits, cli.sends()]).toEqual([[], []]);
  });

  test.each([
    ['--image-rate', '0', 'a number above 0'],
    ['--image-max-size', '20', 'a size such as 500KB or 20MB'],
    ['--image-max-age', 'a week', 'an age such as 36h, 90d or 12w, or 0'],
  ])('if %s is %s', async (option, value, words) => {
    writeProducts(image('ok'));
    const ended = await check(option, value);
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});

test('images are not asked for without --check-images', async () => {
  writeProducts(image('404'));
  await cli.run('import', 'products', 'a.csv');
  expect([server.hits, cli.references()]).toEqual([[], ['P0']]);
});
