// Measures the page of `storeport ui` in Chromium: its first paint, its size, and the long tasks while a grid of 100,000
// rows is scrolled. Needs the build and Chromium (CHROMIUM_PATH, or /usr/bin/chromium). Usage: node scripts/measure-page.mjs
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const ROWS = 100_000;
const PAINTS = 7;
const SCROLLS = 150;

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const cwd = mkdtempSync(join(tmpdir(), 'storeport-measure-'));
const columns = Array.from({ length: 17 }, (_, n) => `Extra ${n}`);
const rows = Array.from(
  { length: ROWS },
  (_, n) => `P-${n},Product ${n},about ${n}${columns.map((_name, at) => `,cell ${at}`).join('')}`,
);
writeFileSync(
  join(cwd, 'wrong.csv'),
  `reference,name,price.salePrice,${columns.join(',')}\n${rows.join('\n')}\n`,
);

const child = spawn(process.execPath, [join(root, 'dist', 'storeport.js'), 'ui', '--json'], {
  cwd,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const { url } = await new Promise((resolve) =>
  child.stdout.once('data', (text) => resolve(JSON.parse(String(text)))),
);
const origin = new URL(url).origin;
const [cookie] = (await fetch(url, { redirect: 'manual' })).headers.get('set-cookie').split(';');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium',
  args: ['--no-sandbox'],
});

try {
  report('JavaScript', `${(bytesOf('.js') / 1000).toFixed(1)} kB gzipped`);
  report('style sheets', `${(bytesOf('.css') / 1000).toFixed(1)} kB gzipped`);
  const paints = [];
  for (let n = 0; n < PAINTS; n++) paints.push(await firstPaint());
  report('first contentful paint', spread(paints));
  const work = await call('POST', '/works', { path: 'wrong.csv' });
  let job = await call('POST', '/jobs', { kind: 'import', work: work.id, store: 'sandbox' });
  while (job.state !== 'ended') {
    await new Promise((resolve) => setTimeout(resolve, 200));
    job = await call('GET', `/jobs/${job.id}`);
  }
  const before = performance.now();
  const { total } = await call('GET', `/runs/${job.run}/rows`);
  report('rows to correct', `${total}, collected in ${Math.round(performance.now() - before)} ms`);
  const again = performance.now();
  await call('GET', `/runs/${job.run}/rows?from=70000`);
  report('a page of 100 rows', `${Math.round(performance.now() - again)} ms`);
  const { tasks, longest } = await scrolled(job.run);
  report(
    `scrolling through ${total} rows`,
    `${tasks} tasks over 50 ms, the longest ${Math.round(longest)} ms`,
  );
} finally {
  await browser.close();
  child.kill('SIGINT');
  await new Promise((resolve) => child.once('exit', resolve));
  rmSync(cwd, { recursive: true, force: true });
}

function report(what, figure) {
  console.log(`${what.padEnd(34)} ${figure}`);
}

function spread(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b).map(Math.round);
  return `median ${sorted[sorted.length >> 1]} ms (${sorted[0]} to ${sorted.at(-1)})`;
}

function bytesOf(ending) {
  const folder = join(root, 'dist', 'page');
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
}

async function call(method, path, body) {
  const answer = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { cookie, origin, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return answer.json();
}

/** A new browser profile each time, as on the first visit. */
async function firstPaint() {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForSelector('main h1');
  const ms = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime");
  await context.close();
  return ms;
}

async function scrolled(run) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForSelector('main h1');
  await page.evaluate(`location.hash = '#/run/${run}/fix'`);
  await page.waitForSelector('.grid .cell');
  await page.waitForTimeout(1000);
  const result = await page.evaluate(`new Promise((resolve) => {
    const tasks = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: 'longtask' });
    const grid = document.querySelector('.grid');
    let n = 0;
    const step = () => {
      grid.scrollTop = (grid.scrollHeight * n++) / ${SCROLLS};
      if (n <= ${SCROLLS}) setTimeout(() => requestAnimationFrame(step), 40);
      else setTimeout(() => resolve({ tasks: tasks.length, longest: Math.max(0, ...tasks) }), 500);
    };
    step();
  })`);
  await context.close();
  return result;
}
