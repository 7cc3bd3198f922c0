// Imports every file of four platforms, each into a sandbox of its own, and prints the result: a line with the counts,
// or the message of the refusal. A person must compare the counts with the files.
//
//   STOREPORT_TEST_DATA=/path/to/files node scripts/every-file.mjs [folder…]
//
// Not part of the tests: the files are not ours. Exits with 1 if the command failed without a message.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.env.STOREPORT_TEST_DATA;
if (!root) {
  console.error('Set STOREPORT_TEST_DATA to a folder that has a folder for each platform.');
  process.exit(2);
}
const binary = fileURLToPath(new URL('../dist/storeport.js', import.meta.url));
const folders =
  process.argv.length > 2 ? process.argv.slice(2) : ['shopify', 'woocommerce', 'magento2', 'prestashop'];

/** Resources by file name; all other files have products. */
const RESOURCES = [
  [/customer|address/i, 'customers'],
  [/supplier/i, 'suppliers'],
  [/discount|rules/i, 'discounts'],
];

/** Files that are read together with a main file. */
const TOGETHER = {
  'products_import.csv': ['combinations_import.csv'],
  'customers_import.csv': ['addresses_import.csv'],
  'import-sample-customer.csv': ['import-sample-customer_address.csv'],
};
const followers = new Set(Object.values(TOGETHER).flat());

let failed = false;
console.log(
  '| file | resource | mapping | records | created | others | what was wrong, or why it was refused |',
);
console.log('|---|---|---|---|---|---|---|');
for (const folder of folders)
  for (const file of readdirSync(join(root, folder)).sort())
    for (const others of TOGETHER[file] ? [[], TOGETHER[file]] : followers.has(file) ? [] : [[]])
      line(folder, [file, ...others]);
process.exit(failed ? 1 : 0);

function line(folder, files) {
  const resource = RESOURCES.find(([pattern]) => pattern.test(files[0]))?.[1] ?? 'products';
  const home = mkdtempSync(join(tmpdir(), 'storeport-'));
  const paths = files.map((file) => join(root, folder, file));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [binary, 'import', resource, ...paths, '--sandbox', '--home', home, '--out', join(home, 'out'), '--json'],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  rmSync(home, { recursive: true });
  const name = `${folder}/${files.join(' + ')}`;
  const isCrash = /\n {4}at /.test(stderr) || ![0, 1, 2, 3].includes(status);
  failed ||= isCrash;
  const summary = status === 2 || isCrash ? undefined : JSON.parse(stdout || 'null');
  if (!summary) {
    const said = stderr
      .split('\n')
      .filter((text) => text.trim() !== '')
      .slice(isCrash ? 0 : -4);
    console.log(`| ${name} | ${resource} | – | | | | ${isCrash ? 'FAILED ' : ''}${cell(said.join(' '))} |`);
    return;
  }
  const { created = 0, ...rest } = summary.outcomes;
  const problems = summary.problems.map(
    ({ count, code, field }) => `${count} × ${code}${field ? ` (${field})` : ''}`,
  );
  if (summary.stopped) problems.push(summary.stopped.message);
  const counts = Object.entries(rest).map(([word, count]) => `${count} ${word}`);
  console.log(
    `| ${name} | ${resource} | ${summary.mapping.name} | ${summary.records} | ${created} | ${counts.join(', ')} | ${cell(problems.join('; '))} |`,
  );
}

function cell(text) {
  return text.replaceAll(root, '').replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').slice(0, 400);
}
