import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { interruptWhen } from '../../support/interrupt.ts';
import { booksOf } from '../../support/run.ts';

const cli = cliForEachTest();
const { importProducts, outcomesOf, reports, run, sends } = cli;

const COUNT = 8;
const shop = (price: number) =>
  `name,reference,price.salePrice\n${Array.from({ length: COUNT }, (_, n) => `Mug ${n},M-${n},${price}`).join('\n')}\n`;

const pricesNow = () => cli.products().map((product) => (product.price as JsonObject).salePrice);

/** A run that is interrupted after a few of its products, of this price. Returns its id. */
async function stoppedRun(price: number): Promise<string> {
  cli.sandbox.misbehave({ latency: '20ms' });
  cli.writeLines('old.csv', shop(price).trim());
  const sent = sends().length;
  const { code } = await cli.runWith(
    ['import', 'products', 'old.csv', '--out', 'old', '--concurrency', '1'],
    { signal: interruptWhen(() => sends().length >= sent + 2) },
  );
  cli.sandbox.misbehave({});
  expect(code).toBe(130);
  return reports('old').summary.run;
}

test('a run that is resumed after a newer one sends no older value, and names the newer run', async () => {
  const older = await stoppedRun(1);
  await importProducts(shop(2), 'new');
  expect(pricesNow()).toEqual(Array(COUNT).fill(2));
  const newer = reports('new').summary.run;
  const before = sends().length;

  const { code, stdout } = await run('run', 'resume', older);
  expect(code).toBe(1);
  expect(sends()).toHaveLength(before);
  const { summary, results } = reports('old');
  const { created = 0, unsent = 0 } = summary.outcomes;
  expect(created + unsent).toBe(COUNT);
  expect(results.find(({ outcome }) => outcome === 'unsent')).toMatchObject({
    code: 'imported-since',
    message: expect.stringContaining(`the run ${newer} has imported it since`),
  });
  expect(booksOf(reports('old')).balanced).toBe(true);
  expect(stdout).toContain(`storeport run retry ${older} --overwrite-newer`);
  // A retry without the option changes nothing.
  expect((await run('run', 'retry', older)).code).toBe(1);
  expect(pricesNow()).toEqual(Array(COUNT).fill(2));

  expect((await run('run', 'retry', older, '--overwrite-newer')).code).toBe(0);
  expect(await outcomesOf(older)).toEqual({ created, updated: unsent });
  expect(pricesNow().filter((price) => price === 1)).toHaveLength(unsent);
});

test('resume sends older values at once if that is wanted', async () => {
  const older = await stoppedRun(1);
  await importProducts(shop(2), 'new');
  expect((await run('run', 'resume', older, '--overwrite-newer')).code).toBe(0);
  expect(pricesNow()).toContain(1);
});

test('a key that the newer run found unchanged keeps its value too', async () => {
  await importProducts(shop(2), 'first');
  const older = await stoppedRun(1);
  const left = pricesNow().filter((price) => price === 2).length;
  await importProducts(shop(2), 'new');
  expect(reports('new').summary.outcomes).toMatchObject({ unchanged: left });
  await run('run', 'resume', older);
  expect(pricesNow()).toEqual(Array(COUNT).fill(2));
});

test('what no newer run has is sent', async () => {
  const older = await stoppedRun(1);
  await importProducts('name,reference,price.salePrice\nMug 7,M-7,2\n', 'new');
  expect((await run('run', 'resume', older)).code).toBe(1);
  expect(await outcomesOf(older)).toEqual({ created: COUNT - 1, unsent: 1 });
  expect(cli.references().sort()).toEqual(Array.from({ length: COUNT }, (_, n) => `M-${n}`));
});
