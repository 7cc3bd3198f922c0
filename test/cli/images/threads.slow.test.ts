import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { environmentFor } from '../../faults/plan.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { PADDING, THREAD_ROWS as ROWS } from '../../support/flawed-products.ts';
import { type ImageServer, startImageServer } from '../../support/images/image-server.ts';

// Large files are read by threads. They find the verdicts that the main thread has collected.

const cli = cliForEachTest();
let server: ImageServer;
beforeEach(async () => {
  server = await startImageServer();
});
afterEach(() => server.close());

/** Every 20th product has a dead image, and every 50th one of a server in trouble; 100 images are shared by all others. */
function writeLarge(): number {
  const imageOf = (n: number) => (n % 20 === 7 ? `404/${n % 400}` : n % 50 === 9 ? '500/x' : `ok/${n % 100}`);
  const rows = Array.from(
    { length: ROWS },
    (_, n) => `P${n},Product ${n},${server.origin}/${imageOf(n)},${PADDING}`,
  );
  writeFileSync(join(cli.cwd, 'a.csv'), `reference,name,images.0.src,description\n${rows.join('\n')}\n`);
  return rows.filter((row) => row.includes('/404/')).length;
}

const CHECK = ['--check-images', '--allow-private-images', '--image-rate', '5000', '--timeout', '1m'];

test.each([
  ['by one thread', 'validate', {}],
  ['by several threads', 'validate', { cores: 3 }],
  ['without threads', 'validate', { hidden: 'reader-worker.cjs' }],
  ['by one thread for an import', 'import', {}],
])('wrong images in a large file are found %s', async (_, command, plan) => {
  const dead = writeLarge();
  const env = environmentFor(plan);
  const ended = await cli.runProcess([command, 'products', 'a.csv', ...CHECK, '--out', 'out'], { env });
  expect(ended.code).toBe(1);
  const { results, summary } = cli.reports('out');
  const wrong = results.filter(({ code }) => code === 'image-dead');
  expect(wrong.map(({ row }) => Number(row) - 2)).toEqual(
    Array.from({ length: dead }, (_, index) => index * 20 + 7),
  );
  expect(summary.outcomes.invalid).toBe(dead);
  expect(summary.files[0].warnings[0].count).toBe(
    results.filter((_, n) => n % 50 === 9 && n % 20 !== 7).length,
  );
  expect(summary.images.verdicts).toMatchObject({ dead: 20, unknown: 1 });
  if (command === 'import') expect(cli.references()).toHaveLength(ROWS - dead);
});

test.each([{}, { cores: 4 }])('clean sets them apart in threads: %j', async (plan) => {
  const dead = writeLarge();
  const env = environmentFor(plan);
  const ended = await cli.runProcess(['clean', 'products', 'a.csv', ...CHECK, '--out', 'b.csv', '--json'], {
    env,
  });
  expect(JSON.parse(ended.stdout)).toMatchObject({
    outcomes: { planned: ROWS - dead, invalid: dead },
    images: { verdicts: { dead: 20 } },
  });
});
