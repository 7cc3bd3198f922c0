import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type SandboxOptions, startSandbox } from '../../../src/sandbox/index.ts';
import { environmentOf, temporaryFolder } from '../../support/run.ts';
import { startUiProcess } from '../../support/ui.ts';
import { addressesOfFile } from '../browser.ts';
import { endOfJob, expectQuiet, goOn, heading, partOfJob, showScreen, watch } from './page.ts';

const open = addressesOfFile();
/** More than a run of 6,000 records takes on a busy machine. */
const LONG_MS = 600_000;

/** A page with a store that outlives the runs, and a file of products. */
async function withProducts(
  count: number,
  options: SandboxOptions = {},
  env: Readonly<Record<string, string>> = {},
) {
  const cwd = temporaryFolder();
  const file = createWriteStream(join(cwd, 'products.csv'));
  file.write('reference,name,price.salePrice\n');
  for (let n = 0; n < count; n++) file.write(`P-${n},Product ${n},${n % 90}\n`);
  file.end();
  await finished(file);
  const sandbox = await startSandbox({ journal: false, ...options });
  onTestFinished(() => sandbox.close());
  const ui = await startUiProcess(cwd, { env: { ...environmentOf(sandbox), ...env } });
  const { id } = await ui.open('products.csv');
  return { ui, sandbox, work: id };
}

test(
  'a run of 6,000 records is agreed to, followed live, and ends',
  async () => {
    // The latency alone makes it last for some points of the last minute.
    const { ui, sandbox, work } = await withProducts(6000, { faults: { latency: '15ms' } });
    const page = await open(ui.link);
    const watched = watch(page, ui.origin);
    await showScreen(page, 'work', work, 'plan');
    await page.getByRole('radio', { name: /the store of the environment/ }).check();
    const host = new URL(sandbox.url).host;
    await goOn(page, `Create 6,000 products in ${host}`);
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText()).toContain(`6,000 requests will be sent to ${sandbox.url}`);
    // Escape sends nothing.
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(sandbox.count('products')).toBe(0);
    await goOn(page, `Create 6,000 products in ${host}`);
    await page.getByRole('button', { name: /^Yes, send to/ }).click();
    await expect.poll(() => partOfJob(page)).toBeGreaterThanOrEqual(0);
    const done = () => partOfJob(page);
    const first = await done();
    await expect.poll(done, { timeout: 60_000 }).toBeGreaterThan(first);
    await expect.poll(() => page.locator('.strips svg').count(), { timeout: 60_000 }).toBe(2);
    expect(await page.locator('.share').innerText()).toMatch(/[\d,]+ of about [\d,]+ records/);
    expect(await endOfJob(page, LONG_MS)).toBe(`All 6,000 products arrived in ${host}.`);
    expect(sandbox.count('products')).toBe(6000);
    await goOn(page, 'Open the run');
    await expect.poll(() => heading(page)).toBe(`All 6,000 products arrived in ${host}.`);
    await expectQuiet(watched);
  },
  LONG_MS,
);

test(
  'a store that hangs is waited for in words, and the run ends once it answers again',
  async () => {
    const { ui, sandbox, work } = await withProducts(
      2000,
      { faults: { latency: '20ms' } },
      { STOREPORT_TIMEOUT: '2s' },
    );
    const page = await open(ui.link);
    const job = await ui.start({ kind: 'import', work, store: 'environment', agreed: sandbox.url });
    await showScreen(page, 'job', job.id);
    await expect.poll(() => sandbox.count('products')).toBeGreaterThan(100);
    sandbox.misbehave({ outage: 'hang:1h' });
    await expect.poll(() => page.locator('.band').innerText(), { timeout: 60_000 }).toContain('Waiting for');
    sandbox.misbehave({});
    await expect.poll(() => page.locator('.band.attention').count(), { timeout: 120_000 }).toBe(0);
    await ui.until(job.id, ({ state }) => state === 'ended');
    await endOfJob(page);
    // Creates whose answer never came are in doubt; nothing is there twice.
    const references = sandbox
      .records('products')
      .map((record) => (record as { reference: string }).reference);
    expect(new Set(references).size).toBe(references.length);
  },
  LONG_MS,
);

test(
  'a tab that is closed and opened again, and a second tab, show the same run',
  async () => {
    // Slow enough to be still running when the second tab pauses it.
    const { ui, sandbox, work } = await withProducts(2000, { faults: { latency: '200ms' } });
    const first = await open(ui.link);
    const job = await ui.start({ kind: 'import', work, store: 'environment', agreed: sandbox.url });
    await showScreen(first, 'job', job.id);
    await expect.poll(() => partOfJob(first)).toBeGreaterThanOrEqual(0);
    const context = first.context();
    await first.close();
    const again = await context.newPage();
    await again.goto(`${ui.origin}/#/job/${job.id}`);
    await expect.poll(() => partOfJob(again)).toBeGreaterThanOrEqual(0);
    // A reload shows the same.
    await again.reload();
    await expect.poll(() => partOfJob(again)).toBeGreaterThanOrEqual(0);
    const second = await open(ui.link);
    await expect.poll(() => second.locator('.top .job').innerText()).toContain('Import products.csv');
    await second.locator('.top .job').click();
    await goOn(second, 'Pause');
    await expect.poll(() => again.locator('main').innerText()).toContain('Paused');
    await goOn(again, 'Continue');
    await expect.poll(() => second.locator('main').innerText()).toContain('Running');
    sandbox.misbehave({});
    await goOn(second, 'Stop');
    await second.getByRole('button', { name: 'Stop it' }).click();
    for (const page of [again, second]) await endOfJob(page);
    // The run can be resumed from either.
    await goOn(again, 'Resume');
    await again.getByRole('button', { name: /^Yes, send to/ }).click();
    await expect
      .poll(() => again.locator('main').innerText(), { timeout: LONG_MS })
      .toContain('All 2,000 products arrived');
    expect(sandbox.count('products')).toBe(2000);
  },
  LONG_MS,
);
