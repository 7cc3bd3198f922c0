// Imports every Shopify product CSV of a folder into a sandbox and compares the store with the file, counted here by
// other means (csv-parse over the whole file). Not part of the tests: the files are not ours.
//
//   STOREPORT_TEST_DATA=/path/to/files node scripts/real-files.mjs
//
// Prints a table; exits with 1 if a product, variant, option value, image, price, tag or HTML text got lost.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';

const folder = process.env.STOREPORT_TEST_DATA;
if (!folder) {
  console.error('Set STOREPORT_TEST_DATA to a folder with a folder "shopify" in it.');
  process.exit(2);
}
const binary = fileURLToPath(new URL('../dist/storeport.js', import.meta.url));
const NEW_HEADER = {
  Handle: 'URL handle',
  'Body (HTML)': 'Description',
  'Variant Price': 'Price',
  'Option1 Value': 'Option1 value',
  'Option2 Value': 'Option2 value',
  'Option3 Value': 'Option3 value',
  'Image Src': 'Product image URL',
};

let failed = false;
console.log('| file | rows | handles | created | invalid | variants | option values | images | seconds |');
console.log('|---|---|---|---|---|---|---|---|---|');
for (const file of readdirSync(join(folder, 'shopify'))
  .filter((name) => name.endsWith('.csv'))
  .sort()) {
  const expected = countIn(join(folder, 'shopify', file));
  if (!expected) continue;
  const sandbox = await startSandbox();
  const home = mkdtempSync(join(tmpdir(), 'storeport-'));
  try {
    const { summary, code } = runImport(join(folder, 'shopify', file), sandbox.env, home);
    const products = await productsOf(sandbox);
    const problems = compare(expected, products, summary, code);
    const count = (of) => products.reduce((sum, product) => sum + of(product), 0);
    console.log(
      `| ${file} | ${expected.rows} | ${expected.products.size} | ${summary.outcomes.created ?? 0} | ${summary.outcomes.invalid ?? 0} ` +
        `| ${count((p) => p.variants?.length ?? 0)} | ${count((p) => (p.options ?? []).reduce((n, o) => n + o.values.length, 0))} ` +
        `| ${count((p) => p.images?.length ?? 0)} | ${(summary.duration_ms / 1000).toFixed(1)} |`,
    );
    for (const problem of problems.slice(0, 10)) console.log(`|   | ${problem} |`);
    failed ||= problems.length > 0;
  } finally {
    sandbox.stop();
    rmSync(home, { recursive: true });
  }
}
process.exit(failed ? 1 : 0);

/** Contents of a file that is read whole; undefined if it is not a product export. */
function countIn(path) {
  const rows = parse(readFileSync(path), { bom: true, columns: true, relax_column_count: true });
  const [first] = rows;
  const name = (column) => (column in first ? column : NEW_HEADER[column]);
  const isProducts =
    first &&
    name('Handle') in first &&
    'Title' in first &&
    ('Variant Inventory Qty' in first || name('Variant Price') in first);
  if (!isProducts) return undefined;
  const products = new Map();
  for (const row of rows) {
    const cell = (column) => (row[name(column)] ?? '').trim();
    const handle = cell('Handle');
    const product = products.get(handle) ?? {
      images: new Set(),
      values: new Set(),
      variants: 0,
      tags: new Set(),
    };
    products.set(handle, product);
    product.html ??= cell('Body (HTML)');
    product.price ||= cell('Variant Price');
    if (cell('Image Src')) product.images.add(cell('Image Src'));
    for (const tag of cell('Tags').split(',')) if (tag.trim()) product.tags.add(tag.trim());
    const isVariant = !['', 'Default Title'].includes(cell('Option1 Value'));
    if (isVariant) product.variants++;
    for (const n of [1, 2, 3])
      if (!['', 'Default Title'].includes(cell(`Option${n} Value`)))
        product.values.add(`${n} ${cell(`Option${n} Value`)}`);
  }
  return { rows: rows.length, products };
}

function compare(expected, products, summary, code) {
  const problems = [];
  const invalid = summary.outcomes.invalid ?? 0;
  if (code !== (invalid > 0 ? 1 : 0)) problems.push(`exit code ${code}`);
  if (summary.records !== Object.values(summary.outcomes).reduce((a, b) => a + b, 0))
    problems.push('the books do not balance');
  if (summary.records !== expected.products.size)
    problems.push(`${summary.records} records, ${expected.products.size} handles`);
  if (products.length + invalid !== expected.products.size)
    problems.push(`${products.length} products arrived`);
  for (const product of products) {
    const wanted = expected.products.get(product.reference);
    const say = (what) => problems.push(`${product.reference}: ${what}`);
    if (!wanted) {
      say('is not in the file');
      continue;
    }
    const sources = new Set((product.images ?? []).map((image) => image.src));
    for (const src of wanted.images) if (!sources.has(src)) say(`image ${src}`);
    if ((product.variants ?? []).length !== wanted.variants)
      say(`${product.variants?.length ?? 0} of ${wanted.variants} variants`);
    const values = new Set(
      (product.options ?? []).flatMap((option, n) => option.values.map(({ value1 }) => `${n + 1} ${value1}`)),
    );
    for (const value of wanted.values) if (!values.has(value)) say(`option value ${value}`);
    if ((product.html ?? '') !== (wanted.html ?? '')) say('HTML differs');
    if (wanted.price && product.price?.salePrice !== Number(wanted.price))
      say(`price ${product.price?.salePrice}`);
    if ([...wanted.tags].join() !== (product.tags ?? []).join()) say('tags differ');
  }
  return problems;
}

async function startSandbox() {
  const child = spawn(process.execPath, [binary, 'sandbox', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise((resolve) => child.stdout.once('data', resolve));
  const { url, clientId, clientSecret } = JSON.parse(String(line));
  const env = {
    STOREPORT_BASE_URL: url,
    STOREPORT_CLIENT_ID: clientId,
    STOREPORT_CLIENT_SECRET: clientSecret,
  };
  return { url, env, clientId, clientSecret, stop: () => child.kill() };
}

function runImport(file, env, home) {
  const args = [binary, 'import', 'products', file, '--json', '--home', home, '--out', join(home, 'out')];
  try {
    return {
      summary: JSON.parse(
        execFileSync(process.execPath, args, {
          env: { ...process.env, ...env },
          stdio: ['ignore', 'pipe', 'ignore'],
        }),
      ),
      code: 0,
    };
  } catch (error) {
    return { summary: JSON.parse(error.stdout), code: error.status };
  }
}

async function productsOf({ url, clientId, clientSecret }) {
  const token = await (
    await fetch(`${url}/api/stores/authentication?clientId=${clientId}&clientSecret=${clientSecret}`)
  ).json();
  const all = [];
  for (let page = 1; ; page++) {
    const answer = await (
      await fetch(`${url}/api/products?page=${page}&limit=500`, {
        headers: { 'x-auth-token': token.accessToken },
      })
    ).json();
    all.push(...answer.results);
    if (page >= answer.paginate.last_page) return all;
  }
}
