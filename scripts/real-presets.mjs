// Checks the exports of WooCommerce, Magento 2 and PrestaShop in a folder against a count by other means (csv-parse over
// the whole file): how many products, customers and variants they have. Not part of the tests: the files are
// not ours.
//
//   STOREPORT_TEST_DATA=/path/to/files node scripts/real-presets.mjs
//
// Prints a table; exits with 1 if a record is missing. Files without a preset are listed with their messages.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';

const folder = process.env.STOREPORT_TEST_DATA;
if (!folder) {
  console.error(
    'Set STOREPORT_TEST_DATA to a folder with the folders "woocommerce", "magento2" and "prestashop" in it.',
  );
  process.exit(2);
}
const binary = fileURLToPath(new URL('../dist/storeport.js', import.meta.url));

/** Files that are read together, with their number of records. Files that are not listed here are read alone. */
const TOGETHER = [
  ['customers', ['magento2/import-sample-customer.csv', 'magento2/import-sample-customer_address.csv']],
  ['products', ['prestashop/products_import.csv', 'prestashop/combinations_import.csv']],
  ['customers', ['prestashop/customers_import.csv', 'prestashop/addresses_import.csv']],
  ['suppliers', ['prestashop/suppliers_import.csv', 'prestashop/addresses_import.csv']],
];
const alone = ['woocommerce', 'magento2', 'prestashop'].flatMap((platform) =>
  readdirSync(join(folder, platform))
    .filter((name) => name.endsWith('.csv'))
    .sort()
    .map((name) => [resourceOf(name), [`${platform}/${name}`]]),
);

let failed = false;
console.log('| files | rows | expected | records | valid | invalid | left out | said |');
console.log('|---|---|---|---|---|---|---|---|');
for (const [resource, files] of [...alone, ...TOGETHER]) {
  const tables = files.map((file) => rowsOf(join(folder, file)));
  const expected = expectedIn(resource, tables);
  const { summary, refusal } = validate(resource, files);
  const { planned = 0, invalid = 0 } = summary?.outcomes ?? {};
  const skipped = summary?.files.reduce((sum, file) => sum + (file.skipped_rows ?? 0), 0);
  const said = refusal ?? summary.problems.map(({ count, code }) => `${count} × ${code}`).join(', ');
  const wrong = summary !== undefined && expected !== undefined && summary.records !== expected;
  failed ||= wrong;
  console.log(
    `| ${files.join(', ')} | ${tables.map((rows) => rows.length).join(' + ')} | ${expected ?? ''} | ${summary?.records ?? ''} ` +
      `| ${planned} | ${invalid} | ${skipped ?? ''} | ${said}${wrong ? ' MISSING' : ''} |`,
  );
}
process.exit(failed ? 1 : 0);

function resourceOf(name) {
  if (/customer|address/.test(name)) return 'customers';
  return name.startsWith('suppliers') ? 'suppliers' : 'products';
}

function rowsOf(path) {
  const text = readFileSync(path);
  const delimiter = text.subarray(0, text.indexOf('\n')).includes(';') ? ';' : ',';
  return parse(text, { bom: true, columns: true, delimiter, relax_column_count: true, relax_quotes: true });
}

/** Number of records by the rules of the platforms; undefined if it is not one of their exports. */
function expectedIn(resource, [rows, joined = []]) {
  const [first = {}] = rows;
  if (resource === 'products' && 'Type' in first)
    return rows.filter((row) => !row.Type.startsWith('variation')).length;
  if (resource === 'products' && 'product_type' in first) {
    const named = new Set(
      rows.flatMap((row) =>
        [...(row.configurable_variations ?? '').matchAll(/sku=([^,|]+)/g)].map(([, sku]) => sku),
      ),
    );
    return rows.filter((row) => !row.store_view_code && !named.has(row.sku)).length;
  }
  if ('Supplier ID' in first) {
    const names = new Set(rows.map((row) => row['Name *']));
    return rows.length + joined.filter((row) => row.Supplier && !names.has(row.Supplier)).length;
  }
  return 'Product ID' in first || 'Email *' in first || 'email' in first ? rows.length : undefined;
}

function validate(resource, files) {
  const out = mkdtempSync(join(tmpdir(), 'storeport-'));
  try {
    const paths = files.map((file) => join(folder, file));
    const args = [binary, 'validate', resource, ...paths, '--json', '--no-progress', '--out', out];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (stdout !== '' && 'records' in JSON.parse(stdout)) return { summary: JSON.parse(stdout) };
    const [refusal = ''] = stderr.split('\n').filter((line) => line.startsWith('Error'));
    return { refusal: refusal.replaceAll(`${folder}/`, '') };
  } finally {
    rmSync(out, { recursive: true });
  }
}
