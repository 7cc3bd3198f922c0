import { describe, expect, inject, test } from 'vitest';
import { addressesOfFile, REPORTS } from './browser.ts';
import { MARKUP } from './make-pages.ts';

const open = addressesOfFile();

test.each(REPORTS)('the report %s asks no host for anything and breaks no policy', async (report) => {
  const page = await open('about:blank');
  const address = inject('pages')[report];
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', ({ message }) => complaints.push(message));
  await page.goto(address);
  for (const name of ['.command button', 'summary']) {
    const control = page.locator(name).first();
    if (await control.isVisible()) await control.click();
  }
  await page.waitForTimeout(200);
  expect(requests).toEqual([address]);
  expect(complaints).toEqual([]);
});

describe('hostile data', () => {
  test.each([
    ['with the policy of the page', false],
    ['if a browser ignores the policy of the page', true],
  ])('is shown as text and does not run, %s', async (_what, bypassCSP) => {
    const page = await open(inject('pages').hostile, { bypassCSP });
    for (const details of await page.locator('details').all())
      await details.evaluate((element) => element.setAttribute('open', ''));
    await page.waitForTimeout(200);
    expect(await page.evaluate('window.__ran')).toBeUndefined();
    const text = await page.locator('#wrong').innerText();
    expect(text).toContain(MARKUP);
    expect(text).toContain('</td></table>');
    expect(await page.locator('img, body script:not(:last-child)').count()).toBe(0);
  });

  test('does not change the direction of text', async () => {
    const page = await open(inject('pages').hostile);
    expect(await page.content()).not.toMatch(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
  });
});
