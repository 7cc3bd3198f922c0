import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import type { Pages } from './make-pages.ts';

/** Returns the browser's program. Throws an error that says what to install if there is none. */
export function chromiumPath(): string {
  const path = process.env.CHROMIUM_PATH || '/usr/bin/chromium';
  if (existsSync(path)) return path;
  throw new Error(
    `There is no Chromium at ${path}. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH to its program.`,
  );
}

export type OpenPage = (report: keyof Pages, options?: BrowserContextOptions) => Promise<Page>;

/** Starts Chromium once for the tests of a file. Each page is opened in a context of its own, which closes with the test. */
export function browserOfFile(): OpenPage {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: chromiumPath(),
      args: ['--headless', '--no-sandbox', '--disable-background-networking'],
    });
  });
  afterAll(() => browser?.close());
  return async (report, options) => {
    const context = await browser.newContext(options);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(inject('pages')[report]);
    return page;
  };
}

/** The reports, by the names of their pages. */
export const REPORTS = ['good', 'bad', 'inDoubt', 'charts', 'hostile', 'empty'] as const;
