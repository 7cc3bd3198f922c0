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

/** Opens a page of another address in a browser of its own context. */
export type OpenAddress = (address: string, options?: BrowserContextOptions) => Promise<Page>;

export type OpenPage = (report: keyof Pages, options?: BrowserContextOptions) => Promise<Page>;

/** Starts Chromium once for the tests of a file. Each page is opened in a context of its own, which closes with the test. */
export function browserOfFile(): OpenPage {
  const open = addressesOfFile();
  return (report, options) => open(inject('pages')[report], options);
}

/** The same for any address. */
export function addressesOfFile(): OpenAddress {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: chromiumPath(),
      args: ['--headless', '--no-sandbox', '--disable-background-networking'],
    });
  });
  afterAll(() => browser?.close());
  return async (address, options) => {
    const context = await browser.newContext(options);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(address);
    return page;
  };
}

/** The reports, by the names of their pages. */
export const REPORTS = [
  'good',
  'bad',
  'inDoubt',
  'charts',
  'hostile',
  'empty',
  'checked',
  'cleaned',
  'exported',
] as const;
