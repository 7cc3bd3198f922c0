// Suggests a mapping for each file of a folder, and compares it with the truth: which column is which field, as a person
// found by reading the cells. Not part of the tests: the files are not ours.
//
//   STOREPORT_TEST_DATA=/path/to/files node scripts/score-suggestions.mjs
//
// Prints what is missed and what is wrong, the recall and precision of fields, and the share of valid records. Exits with
// 1 if recall is below 0.92, precision below 0.98, valid records below 0.85, or a suggestion does not pass the check.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = process.env.STOREPORT_TEST_DATA;
if (!folder) {
  console.error(
    'Set STOREPORT_TEST_DATA to a folder with the files of test/suggest/truth/public-files.json.',
  );
  process.exit(2);
}
const binary = fileURLToPath(new URL('../dist/storeport.js', import.meta.url));
const truth = JSON.parse(
  readFileSync(new URL('../test/suggest/truth/public-files.json', import.meta.url), 'utf8'),
);
const work = mkdtempSync(join(tmpdir(), 'storeport-score-'));
const count = { fields: 0, found: 0, suggested: 0, right: 0, records: 0, valid: 0, files: 0, mostlyValid: 0 };
let refused = 0;

for (const [file, { resource, fields, alsoRight = {}, options = [], validate = [] }] of Object.entries(
  truth,
)) {
  const path = join(folder, file);
  if (!existsSync(path)) continue;
  count.files++;
  const mapping = join(work, `${count.files}.yaml`);
  const suggested = run(['mapping', 'suggest', resource, path, '--json', '--out', mapping, ...options]);
  const columnsOf = new Map((suggested.fields ?? []).map(({ field, columns }) => [field, columns]));
  for (const [field, columns] of Object.entries(fields)) {
    count.fields++;
    const used = columnsOf.get(field);
    const isFound = used && (used.length === 0 || used.some((column) => columns.includes(column)));
    if (isFound) count.found++;
    else console.log(`missed  ${file}: ${field} from ${columns.join(', ')}`);
  }
  for (const [field, columns] of columnsOf) {
    if (columns.length === 0) continue;
    count.suggested++;
    const right = [...(fields[field] ?? []), ...(alsoRight[field] ?? [])];
    if (columns.every((column) => right.includes(column))) count.right++;
    else console.log(`wrong   ${file}: ${field} from ${columns.join(', ')}`);
  }
  // A file that lacks a required field cannot pass together with its mapping.
  const checked = suggested.missing?.length === 0 ? [mapping, path, ...options] : [mapping];
  if (run(['mapping', 'check', ...checked]).exit_code !== 0) {
    refused++;
    console.log(`refused ${file}: mapping check`);
  }
  const places = ['--home', join(work, 'home'), '--out', join(work, 'out', String(count.files))];
  const found = run([
    'validate',
    resource,
    path,
    '--mapping',
    mapping,
    '--json',
    ...places,
    ...options,
    ...validate,
  ]);
  const { records = suggested.sampled_records ?? 0, outcomes = {} } = found;
  const valid = (outcomes.planned ?? 0) + (outcomes.duplicate ?? 0);
  count.records += records;
  count.valid += valid;
  if (valid >= 0.85 * records) count.mostlyValid++;
  else console.log(`invalid ${file}: ${records - valid} of ${records} records`);
}
rmSync(work, { recursive: true });

const recall = count.found / count.fields;
const precision = count.right / count.suggested;
const valid = count.valid / count.records;
console.log(
  `${count.files} files, ${count.fields} fields: recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)}; ` +
    `${count.valid} of ${count.records} records valid (${valid.toFixed(3)}), in ${count.mostlyValid} files at least 85 %`,
);
process.exit(recall < 0.92 || precision < 0.98 || valid < 0.85 || refused > 0 ? 1 : 0);

/** Runs a command and returns its JSON; an empty object if it printed none. */
function run(args) {
  const { status, stdout } = spawnSync('node', [binary, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  try {
    return { ...JSON.parse(stdout), exit_code: status };
  } catch {
    return { exit_code: status };
  }
}
