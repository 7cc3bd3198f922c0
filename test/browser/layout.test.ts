import { describe, expect, test } from 'vitest';
import { browserOfFile, REPORTS } from './browser.ts';
import { WRONG_PRICES } from './make-pages.ts';
import { expectFits } from './ui/page.ts';

const openPage = browserOfFile();
const HEIGHT = 900;

test.each(REPORTS)(
  'the report %s is accessible and does not scroll sideways, in both colour schemes and at all widths',
  async (report) => {
    // The page's own policy refuses the script that checks it.
    const page = await openPage(report, { bypassCSP: true });
    await expectFits(page, [320, 390, 1440]);
  },
);

test('a phone shows the reasons of a table without scrolling it', async () => {
  const page = await openPage('bad', { viewport: { width: 390, height: HEIGHT } });
  const hidden = `[...document.querySelectorAll('.rows')].map((table) => table.scrollWidth - table.clientWidth)`;
  expect(await page.evaluate(hidden)).toEqual([0, 0, 0]);
  expect(await page.locator('#wrong td').first().isVisible()).toBe(true);
});

test('a phone hides the rows that the filter leaves out', async () => {
  const page = await openPage('bad', { viewport: { width: 390, height: HEIGHT } });
  await page.getByLabel('Find').fill('BAD-PEN-77');
  expect(await page.locator('#wrong tbody tr').filter({ visible: true }).count()).toBe(1);
});

describe('a print', () => {
  test('has the first 100 rows, says so, and has nothing to click', async () => {
    const page = await openPage('bad');
    const rows = page.locator('#wrong tbody tr');
    const rest = page.getByText('The print has the first 100 rows.');
    expect(await rest.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await rows.count()).toBeGreaterThan(WRONG_PRICES);
    expect(await rows.filter({ visible: true }).count()).toBe(100);
    expect(await rest.isVisible()).toBe(true);
    expect(await page.locator('button, .filter, summary').filter({ visible: true }).count()).toBe(0);
  });

  test('has dark text on white from a browser in dark colours', async () => {
    const page = await openPage('bad', { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const fill = await page.evaluate(`getComputedStyle(document.querySelector('.legend .wrong')).fill`);
    expect(fill).toBe('rgb(179, 38, 30)');
  });

  test('does not speak of other rows if it has all', async () => {
    const page = await openPage('inDoubt');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('The print has the first').filter({ visible: true }).count()).toBe(0);
  });
});
