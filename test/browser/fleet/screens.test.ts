import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sql } from '../../../src/postgres/index.ts';
import {
  FILE_TEXT,
  OPERATOR_TOKEN,
  type SeededFleet,
  type ServedFleet,
  seedFleet,
  serveFleet,
  VIEWER_TOKEN,
} from '../../support/fleet-serve.ts';
import { testSql } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/run.ts';
import { addressesOfFile } from '../browser.ts';
import { axeFaults, expectQuiet, heading, overflow, showScreen, watch } from '../ui/page.ts';

const open = addressesOfFile();
let sql: Sql;
let fleet: ServedFleet;
let ids: SeededFleet;
/** Parts of the address of each screen, by its name. */
const screens: Record<string, readonly string[]> = {};
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  sql = await testSql();
  const folder = temporaryFolder((clean) => cleanups.push(clean));
  ids = await seedFleet(sql, folder);
  fleet = await serveFleet({ sql, folder }, (stop) => cleanups.push(stop));
  Object.assign(screens, {
    ...{ tasks: [], 'a task': ['task', ids.stopped], 'a task with files': ['task', ids.done] },
    ...{ doubts: ['task', ids.stopped, 'doubts'] },
    ...{ stores: ['stores'], workers: ['workers'], schedules: ['schedules'], nothing: ['nothing'] },
  });
});
afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean();
  await sql.close();
});

/** Opens the page and signs in by the keyboard, as people do. */
async function signedIn(token: string, options = {}): Promise<Page> {
  const page = await open(fleet.origin, options);
  await page.getByLabel('Token').fill(token);
  // Enter submits nothing while the button is disabled, and it is disabled until the next render.
  await page.getByRole('button', { name: 'Sign in', disabled: false }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await page.locator('.waiting').first().waitFor({ state: 'detached' });
  return page;
}

/** Colours in which a width is checked for accessibility. */
const CHECKED: Readonly<Record<number, 'light' | 'dark'>> = { 390: 'light', 1440: 'dark' };

async function expectFits(page: Page): Promise<void> {
  for (const width of [320, 390, 1440, 3840]) {
    await page.setViewportSize({ width, height: 900 });
    expect({ width, overflow: await overflow(page) }).toEqual({ width, overflow: 0 });
    const colorScheme = CHECKED[width];
    if (colorScheme === undefined) continue;
    await page.emulateMedia({ colorScheme });
    expect({ width, faults: await axeFaults(page) }).toEqual({ width, faults: [] });
  }
}

const SCREENS = [
  'tasks',
  'a task',
  'a task with files',
  'doubts',
  'stores',
  'workers',
  'schedules',
  'nothing',
];

describe.each(SCREENS)('the screen "%s" of the fleet', (name) => {
  test('is accessible and does not scroll sideways, in both colour schemes and at all widths', async () => {
    const page = await signedIn(OPERATOR_TOKEN, { bypassCSP: true });
    await showScreen(page, ...(screens[name] ?? []));
    await expectFits(page);
  });

  test('asks no other host, breaks no policy, and can be reached by the keyboard', async () => {
    const page = await signedIn(VIEWER_TOKEN);
    const watched = watch(page, fleet.origin);
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

/** An observer is called before the next task, so before any paint and before anything that waits for one. */
const NOTE_FOCUS_AT_FIRST_HEADING = `
  new MutationObserver((changes, observer) => {
    if (!document.querySelector('main h1')) return;
    observer.disconnect();
    window.focusAtFirstHeading = document.activeElement.tagName;
  }).observe(document, { childList: true, subtree: true });
`;

describe('signing in', () => {
  test('is accessible, refuses a wrong token in words, and shows no data before', async () => {
    const page = await open(fleet.origin, { bypassCSP: true });
    await page.getByLabel('Token').waitFor();
    await expectFits(page);
    await page.getByLabel('Token').fill('not-the-token-0123456789');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('The token is wrong.');
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.content()).not.toContain('lyon');
  });

  test('survives a reload, and signing out ends it', async () => {
    const page = await signedIn(VIEWER_TOKEN);
    await page.reload();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
    await page.reload();
    await page.getByLabel('Token').waitFor();
    expect(await page.content()).not.toContain(VIEWER_TOKEN);
  });

  test('takes what is typed as soon as it is shown: the heading has the focus before the first paint', async () => {
    const page = await open('about:blank');
    await page.addInitScript(NOTE_FOCUS_AT_FIRST_HEADING);
    await page.goto(fleet.origin);
    await page.getByLabel('Token').waitFor();
    expect(await page.evaluate('focusAtFirstHeading')).toBe('H1');
  });

  test('is asked for again when the session ended meanwhile', async () => {
    const page = await signedIn(VIEWER_TOKEN);
    await page.context().clearCookies();
    await showScreen(page, 'stores');
    await page.getByLabel('Token').waitFor();
  });
});

test('the list of tasks is filtered by state, store and doubts, and a reload keeps that', async () => {
  const page = await signedIn(VIEWER_TOKEN);
  expect(await heading(page)).toBe('1 stopped task and 2 records in doubt need you');
  const rows = () => page.locator('table.tasks tbody tr').count();
  await expect.poll(rows).toBe(5);
  await page.getByRole('button', { name: /^Queued/ }).click();
  await expect.poll(rows).toBe(2);
  await page.getByLabel('Store, or tag:NAME').fill('paris');
  await expect.poll(rows).toBe(1);
  await page.reload();
  await expect.poll(rows).toBe(1);
  expect(await page.getByLabel('Store, or tag:NAME').inputValue()).toBe('paris');
  await page.getByText('Show as command').click();
  expect(await page.locator('.command code').innerText()).toBe(
    'storeport fleet list --state queued --stores paris',
  );
  await page.getByRole('button', { name: 'All states' }).click();
  await page.getByLabel('Store, or tag:NAME').fill('');
  await page.getByRole('button', { name: /^In doubt/ }).click();
  // The list before has one row too.
  await expect.poll(() => page.locator('table.tasks').innerText()).toContain(ids.stopped);
  expect(await rows()).toBe(1);
});

test('a store that does not exist is said, and the list can be asked again', async () => {
  const page = await signedIn(VIEWER_TOKEN);
  await page.getByLabel('Store, or tag:NAME').fill('rome');
  await expect.poll(() => page.getByRole('alert').innerText()).toContain('There is no store "rome"');
  await page.getByLabel('Store, or tag:NAME').fill('oslo');
  await expect.poll(() => page.locator('table.tasks tbody tr').count()).toBe(1);
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
});

test('a store leads to its tasks', async () => {
  const page = await signedIn(VIEWER_TOKEN);
  await showScreen(page, 'stores');
  await page.getByRole('link', { name: '1 stopped task' }).click();
  await expect.poll(() => page.locator('table.tasks tbody tr').count()).toBe(1);
  expect(await page.locator('table.tasks').innerText()).toContain(ids.stopped);
});

test('a viewer has no buttons that change a task', async () => {
  const page = await signedIn(VIEWER_TOKEN);
  await showScreen(page, 'task', ids.stopped);
  expect(await page.getByRole('button', { name: /this task$/ }).count()).toBe(0);
  expect(await page.locator('main').innerText()).toContain('You are signed in for looking.');
});

test('an operator stops and resumes a task by the keyboard, after a question', async () => {
  const page = await signedIn(OPERATOR_TOKEN, { bypassCSP: true });
  await showScreen(page, 'task', ids.later);
  await page.getByRole('button', { name: 'Stop this task' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(() => dialog.count()).toBe(0);
  expect(fleet.actions).toEqual([]);
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Stop it' }).click();
  await page.getByRole('button', { name: 'Resume this task' }).click();
  await dialog.getByRole('button', { name: 'Resume it' }).click();
  await page.getByRole('button', { name: 'Stop this task' }).waitFor();
  expect(fleet.actions).toEqual([
    `stop ${ids.later}: queued → stopped`,
    `resume ${ids.later}: stopped → queued`,
  ]);
  expect(fleet.bugs).toEqual([]);
});

test('a file of a task is saved as it is', async () => {
  const page = await signedIn(VIEWER_TOKEN);
  await showScreen(page, 'task', ids.done);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'reports/results.csv' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('reports-results.csv');
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toBe(FILE_TEXT);
});

test('an operator settles a doubt, and a viewer only sees them', async () => {
  const viewer = await signedIn(VIEWER_TOKEN);
  await showScreen(viewer, 'task', ids.stopped);
  await viewer.getByRole('link', { name: '2 records in doubt: look for them in the store' }).click();
  await expect.poll(() => viewer.locator('table.doubts tbody tr').count()).toBe(2);
  expect(await viewer.getByRole('button', { name: /there$/ }).count()).toBe(0);
  const page = await signedIn(OPERATOR_TOKEN);
  await showScreen(page, 'task', ids.stopped, 'doubts');
  // A lost worker may still send them.
  expect(await page.getByRole('button', { name: 'It is not there' }).first().isDisabled()).toBe(true);
  expect(await page.locator('main').innerText()).toContain('storeport fleet resume --ended worker-b');
  await page.getByLabel('Identifier of A-1 in the store').fill('64a1f0');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('table.doubts tbody tr').count()).toBe(1);
  await expect
    .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
    .toBe('Identifier of A-2 in the store');
  await sql.query("update run set doubts_until = null, doubts_of = '{}'");
  await page.reload();
  await page.getByRole('button', { name: 'None of these is there' }).click();
  await page.getByRole('button', { name: 'Yes, none is there' }).click();
  await expect.poll(() => page.locator('main').innerText()).toContain('Nothing is in doubt.');
  expect(fleet.bugs).toEqual([]);
});
