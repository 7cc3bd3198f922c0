// Takes the screenshots of docs/images: the screens of `storeport ui` and report.html, at 1440 and 390 px. Needs the
// build and Chromium (CHROMIUM_PATH, or /usr/bin/chromium). Usage: node scripts/screenshots.mjs [folder]
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = process.argv[2] ?? join(root, 'docs', 'images');
const binary = join(root, 'dist', 'storeport.js');
const cwd = mkdtempSync(join(tmpdir(), 'storeport-screens-'));
const WIDTHS = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

mkdirSync(folder, { recursive: true });
copyFileSync(join(root, 'samples', 'shopify-products.csv'), join(cwd, 'shopify-products.csv'));
copyFileSync(join(root, 'samples', 'shop', 'products.csv'), join(cwd, 'products.csv'));
writeFileSync(
  join(cwd, 'artikel.csv'),
  'Artikelnr;Bezeichnung;Preis;Lager\nA-1;Füllfeder;"1.234,50";4\nA-2;Tinte;"7,00";12\n',
);
writeFileSync(
  join(cwd, 'artikel.yaml'),
  'resource: products\nfields: { reference: Artikelnr, name: Bezeichnung, price.salePrice: { from: Preis, number: german } }\n',
);
writeFileSync(
  join(cwd, 'million.csv'),
  `reference,name,price.salePrice\n${Array.from({ length: 1_000_000 }, (_, n) => `M-${n},Product ${n},${n % 50_000 === 7 ? 'about 9' : n % 90}`).join('\n')}\n`,
);
const rows = Array.from(
  { length: 60_000 },
  (_, n) => `P-${n},Product ${n},${n % 97 === 5 ? 'about 9' : n % 90}`,
);
writeFileSync(join(cwd, 'catalogue.csv'), `reference,name,price.salePrice\n${rows.join('\n')}\n`);

const children = [];
const store = await started([
  'sandbox',
  '--port',
  '0',
  '--seed',
  '200',
  '--fault',
  'rate=900',
  '--fault',
  'latency=15ms',
]);
const { url } = await started(['ui'], environmentOf(store));
const origin = new URL(url).origin;
const answer = await fetch(url, { redirect: 'manual' });
const cookie = answer.headers.get('set-cookie').split(';')[0];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium',
  args: ['--no-sandbox'],
});

try {
  const shop = await call('POST', '/works', { path: 'shopify-products.csv' });
  const other = await call('POST', '/works', { path: 'artikel.csv' });
  const garden = await call('POST', '/works', { path: 'products.csv' });
  const catalogue = await call('POST', '/works', { path: 'catalogue.csv' });
  const imported = await finished({ kind: 'import', work: shop.id, store: 'environment', agreed: store.url });
  await shoot('start', []);
  await shoot('file', ['work', shop.id, 'file']);
  await shoot('columns', ['work', other.id, 'columns']);
  // The README shows it, at some 840 px.
  await shoot('records', ['work', garden.id, 'records'], {
    waitMs: 2000,
    wide: { width: 1200, height: 800 },
  });
  await shoot('plan', ['work', shop.id, 'plan'], { waitMs: 2500 });
  await shoot('fix', ['run', imported.run, 'fix'], { waitMs: 2000 });
  const running = await call('POST', '/jobs', {
    ...{ kind: 'import', work: catalogue.id, store: 'environment', agreed: store.url },
  });
  await new Promise((resolve) => setTimeout(resolve, 15_000));
  await shoot('run', ['job', running.id], { waitMs: 1500 });
  await call('POST', `/jobs/${running.id}/control`, { action: 'stop' });
  await ended(running.id);
  await shoot('runs', ['runs']);
  await shoot('exports', ['exports'], { click: 'Show the first items', waitMs: 2000 });
  await shoot('columns-dark', ['work', other.id, 'columns'], { colorScheme: 'dark', only: 'wide' });
  await shootReport('report-bad', join('storeport-runs', imported.run, 'report.html'));
  const stopped = await call('GET', `/jobs/${running.id}`);
  await shootReport('report-stopped', join('storeport-runs', stopped.run, 'report.html'));
  await command([
    'import',
    'products',
    'artikel.csv',
    '--mapping',
    'artikel.yaml',
    '--sandbox',
    '--out',
    'good',
  ]);
  await shootReport('report-good', join('good', 'report.html'));
  const doubtful = await started(['sandbox', '--port', '0', '--fault', 'late-reset=#3,#9@create']);
  await command(
    ['import', 'products', 'shopify-products.csv', '--home', 'other', '--out', 'doubt'],
    environmentOf(doubtful),
  );
  await shootReport('report-in-doubt', join('doubt', 'report.html'));
  await command(['validate', 'products', 'million.csv', '--out', 'million']);
  await shootReport('report-million', join('million', 'report.html'));
  await command(['export', 'reviews', '--sandbox', '--out', 'reviews.csv']);
  await shootReport('report-export', 'reviews.csv.report.html');
} finally {
  await browser.close();
  for (const child of children) child.kill('SIGINT');
  await Promise.all(children.map((child) => new Promise((resolve) => child.once('exit', resolve))));
  rmSync(cwd, { recursive: true, force: true });
}

async function started(args, env = {}) {
  const child = spawn(process.execPath, [binary, ...args, '--json'], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return new Promise((resolve) => child.stdout.once('data', (text) => resolve(JSON.parse(String(text)))));
}

function environmentOf({ url, clientId, clientSecret }) {
  return {
    STOREPORT_BASE_URL: url,
    STOREPORT_CLIENT_ID: clientId,
    STOREPORT_CLIENT_SECRET: clientSecret,
  };
}

/** Runs a command to its end, whatever its exit code: a report is wanted of bad runs too. */
function command(args, env = {}) {
  const child = spawn(process.execPath, [binary, ...args, '--quiet'], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  return new Promise((resolve) => child.once('exit', resolve));
}

async function call(method, path, body) {
  const response = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { cookie, origin, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const value = await response.json();
  if (!response.ok) throw new Error(value.error.message);
  return value;
}

async function finished(job) {
  return ended((await call('POST', '/jobs', job)).id);
}

async function ended(id) {
  for (;;) {
    const job = await call('GET', `/jobs/${id}`);
    if (job.state === 'ended') return job;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function shoot(
  name,
  parts,
  { waitMs = 800, click, colorScheme = 'light', only, wide = WIDTHS.wide } = {},
) {
  for (const [kind, viewport] of Object.entries({ ...WIDTHS, wide })) {
    if (only && only !== kind) continue;
    const context = await browser.newContext({ viewport, colorScheme });
    const page = await context.newPage();
    await page.goto(url);
    await page.goto(`${origin}/#/${parts.map(encodeURIComponent).join('/')}`);
    await page.waitForSelector('main h1');
    await page.locator('.waiting').first().waitFor({ state: 'detached' });
    await page.waitForTimeout(waitMs);
    if (click) {
      await page.getByRole('button', { name: click }).click();
      await page.waitForTimeout(waitMs);
    }
    await save(page, `ui-${name}`, kind);
    await context.close();
  }
}

async function shootReport(name, file) {
  for (const [kind, viewport] of Object.entries(WIDTHS)) {
    const context = await browser.newContext({ viewport });
    const page = await context.newPage();
    await page.goto(pathToFileURL(join(cwd, file)).href);
    await page.waitForTimeout(400);
    await save(page, name, kind);
    await context.close();
  }
}

/** JPEG would blur text, so the pictures are PNG, of one screen each. */
async function save(page, name, kind) {
  await page.screenshot({ path: join(folder, `${name}${kind === 'phone' ? '-390' : ''}.png`) });
}
