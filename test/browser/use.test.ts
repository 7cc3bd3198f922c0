import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { browserOfFile } from './browser.ts';
import { MISSING_NAMES, WRONG_PRICES } from './make-pages.ts';

const openPage = browserOfFile();
const ALL = WRONG_PRICES + MISSING_NAMES;
const shownRows = (page: Page) => page.locator('#wrong tbody tr').filter({ visible: true });
const counter = (page: Page) => page.locator('.filter output').textContent();

describe('the filter', () => {
  test('shows the rows that have the typed text, and counts them', async () => {
    const page = await openPage('bad');
    expect(await counter(page)).toBe(`${ALL} of ${ALL} rows`);
    await page.getByLabel('Find').fill(' bad-pen-77 ');
    expect(await shownRows(page).count()).toBe(1);
    expect(await counter(page)).toBe(`1 of ${ALL} rows`);
    await page.getByLabel('Find').fill('no such row');
    expect(await counter(page)).toBe(`0 of ${ALL} rows`);
    await page.getByLabel('Find').fill('');
    expect(await shownRows(page).count()).toBe(ALL);
  });

  test('shows the rows of one cause, also together with a text', async () => {
    const page = await openPage('bad');
    await page.getByRole('combobox', { name: 'Cause' }).selectOption('not-a-number');
    expect(await counter(page)).toBe(`${WRONG_PRICES} of ${ALL} rows`);
    await page.getByLabel('Find').fill('NEW-PEN');
    expect(await shownRows(page).count()).toBe(0);
    await page.getByRole('combobox', { name: 'Cause' }).selectOption('all');
    expect(await counter(page)).toBe(`${MISSING_NAMES} of ${ALL} rows`);
  });

  test('is not there for a few rows', async () => {
    expect(await (await openPage('inDoubt')).locator('.filter').count()).toBe(0);
  });

  test('is not there without JavaScript, and all rows are', async () => {
    const page = await openPage('bad', { javaScriptEnabled: false });
    expect(await shownRows(page).count()).toBe(ALL);
    expect(await page.locator('.filter').isVisible()).toBe(false);
    expect(await page.getByRole('button').count()).toBe(0);
    await page.locator('summary').first().click();
    expect(await page.locator('details dl').first().isVisible()).toBe(true);
  });
});

describe('the keyboard', () => {
  test('reaches copy buttons, the filter and the rows, in the order of the page', async () => {
    const page = await openPage('bad');
    const reached = await tabStops(page, 12);
    const places = ['button', 'input', 'select', 'summary'].map((name) => reached.indexOf(name));
    expect(reached).toEqual(expect.arrayContaining(['button', 'input', 'select', 'summary']));
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  test('opens the cells of a row with Enter', async () => {
    const page = await openPage('bad');
    const details = page.locator('details').first();
    expect(await details.locator('dl').isVisible()).toBe(false);
    await details.locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await details.locator('dl').isVisible()).toBe(true);
    expect(await details.innerText()).toContain('ask Ann');
  });

  test('copies a command with Enter', async () => {
    const page = await openPage('bad', { permissions: ['clipboard-read', 'clipboard-write'] });
    const command = page.locator('.command').first();
    await command.getByRole('button').focus();
    await page.keyboard.press('Enter');
    await command.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      await command.locator('code').innerText(),
    );
  });
});

/** Presses Tab, and returns the names of the elements that get the focus. */
async function tabStops(page: Page, presses: number): Promise<string[]> {
  const names: string[] = [];
  for (let press = 0; press < presses; press++) {
    await page.keyboard.press('Tab');
    names.push((await page.evaluate('document.activeElement.localName')) as string);
  }
  return names;
}
