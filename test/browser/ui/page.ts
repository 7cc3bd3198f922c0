import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Requests to other hosts, and messages of the browser about faults, since the page was opened. */
export interface Watched {
  readonly strangers: readonly string[];
  readonly complaints: readonly string[];
}

/** Notes what must not happen in the page. `origin`: the only host that it may ask. */
export function watch(page: Page, origin: string): Watched {
  const strangers: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) strangers.push(url);
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { strangers, complaints };
}

/** Opens a screen by the parts of its address, and waits for its heading. */
export async function showScreen(page: Page, ...parts: readonly string[]): Promise<void> {
  const hash = `#/${parts.map(encodeURIComponent).join('/')}`;
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await page.waitForSelector('main h1');
  await page.locator('.waiting').first().waitFor({ state: 'detached' });
}

export async function heading(page: Page): Promise<string> {
  return page.locator('main h1').innerText();
}

/** Waits for the end of the job that is shown, and returns its sentence. */
export async function endOfJob(page: Page, timeout = 60_000): Promise<string> {
  await expect.poll(() => page.title(), { timeout }).toMatch(/^(Done|Failed): /);
  return page.locator('.answer').innerText();
}

/** The part of the job that is done, in percent; NaN while it is unknown. */
export async function partOfJob(page: Page): Promise<number> {
  return Number((/^(?:<)?(\d+) % /.exec(await page.title()) ?? [])[1]);
}

/** Clicks the main button of the bar below. */
export async function goOn(page: Page, name: string | RegExp): Promise<void> {
  await page.locator('.next').getByRole('button', { name }).click();
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  readonly violations: readonly {
    readonly impact: string;
    readonly id: string;
    readonly nodes: readonly { readonly target: readonly string[] }[];
  }[];
}

/** Only violations leave the page: the nodes that pass are thousands, and cost more time than the rules. */
const RUN_AXE = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => ({
  violations: violations.map(({ impact, id, nodes }) => ({ impact, id, nodes: nodes.map(({ target }) => ({ target })) })),
}))`;

/** Faults of accessibility, each with its place. The page must be opened with `bypassCSP`. */
export async function axeFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  const { violations } = (await page.evaluate(RUN_AXE)) as AxeResult;
  return violations.map(
    ({ impact, id, nodes }) => `${impact} ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}

/** Pixels by which the page is wider than its window, after it was drawn anew in its size. */
export async function overflow(page: Page): Promise<number> {
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  return (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
}

/** Colours in which a width is checked for accessibility. */
const CHECKED: Readonly<Record<number, 'light' | 'dark'>> = { 390: 'light', 1440: 'dark' };

/** Expects a page, opened with `bypassCSP`, to be accessible and not to scroll sideways. */
export async function expectFits(
  page: Page,
  widths: readonly number[] = [320, 390, 1440, 3840],
): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const colorScheme = CHECKED[width];
    if (colorScheme !== undefined) await page.emulateMedia({ colorScheme });
    expect({ width, overflow: await overflow(page) }).toEqual({ width, overflow: 0 });
    if (colorScheme !== undefined)
      expect({ width, faults: await axeFaults(page) }).toEqual({ width, faults: [] });
  }
}

export async function expectQuiet({ strangers, complaints }: Watched): Promise<void> {
  expect(strangers).toEqual([]);
  expect(complaints).toEqual([]);
}
