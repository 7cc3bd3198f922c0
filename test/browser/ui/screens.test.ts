import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageFile } from '../../../src/model/index.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { environmentOf, sample, temporaryFolder } from '../../support/run.ts';
import { type RunningUi, startUiProcess } from '../../support/ui.ts';
import { addressesOfFile } from '../browser.ts';
import { expectFits, expectQuiet, showScreen, watch } from './page.ts';

const open = addressesOfFile();
let ui: RunningUi;
let sandbox: Sandbox;
const cleanups: (() => unknown)[] = [];
/** Parts of the address of each screen, by its name. */
const screens: Record<string, readonly string[]> = {};

beforeAll(async () => {
  const cwd = temporaryFolder((clean) => cleanups.push(clean));
  copyFileSync(sample('shopify-products.csv'), join(cwd, 'shopify.csv'));
  sandbox = await startSandbox({ faults: { 'late-reset': '#3@create' } });
  ui = await startUiProcess(cwd, {
    env: environmentOf(sandbox),
    whenFinished: (stop) => cleanups.push(stop),
  });
  const { id } = await ui.open('shopify.csv');
  const job = await ui.finish({ kind: 'import', work: id, store: 'environment', agreed: sandbox.url });
  const run = job.run ?? '';
  Object.assign(screens, {
    ...{ start: [], file: ['work', id, 'file'], columns: ['work', id, 'columns'] },
    ...{ records: ['work', id, 'records'], plan: ['work', id, 'plan'], job: ['job', job.id] },
    ...{ runs: ['runs'], run: ['run', run], fix: ['run', run, 'fix'], doubts: ['run', run, 'doubts'] },
    ...{ exports: ['exports'], nothing: ['nothing'] },
  });
});
afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean();
  await sandbox.close();
});

const NAMES = [
  'start',
  'file',
  'columns',
  'records',
  'plan',
  'job',
  'runs',
  'run',
  'fix',
  'doubts',
  'exports',
  'nothing',
];

describe.each(NAMES)('the screen %s', (name) => {
  test('is accessible and does not scroll sideways, in both colour schemes and at all widths', async () => {
    const page = await open(ui.link, { bypassCSP: true });
    await showScreen(page, ...(screens[name] ?? []));
    await expectFits(page);
  });

  test('asks no other host, breaks no policy, and can be reached by the keyboard', async () => {
    const page = await open(ui.link);
    const watched = watch(page, ui.origin);
    await showScreen(page, ...(screens[name] ?? []));
    const focused: string[] = [];
    for (let n = 0; n < 12; n++) {
      await page.keyboard.press('Tab');
      focused.push(
        (await page.evaluate(
          'document.activeElement.tagName + " " + (document.activeElement.innerText ?? "").slice(0, 40)',
        )) as string,
      );
    }
    // The focus moves from one to the next, and is trapped nowhere.
    expect(new Set(focused).size).toBeGreaterThan(4);
    await expectQuiet(watched);
  });
});

test('the JavaScript of the page is below 250 kB, gzipped', () => {
  const folder = packageFile('dist', 'page');
  const sizes = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => gzipSync(readFileSync(join(folder, name))).length);
  expect(sizes.length).toBeGreaterThan(3);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
});
