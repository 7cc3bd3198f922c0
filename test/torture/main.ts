import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parse } from 'csv-parse/sync';
import { DIFFERENCES } from './differences.ts';
import { read } from './read.ts';

/**
 * Compares files that were written to break parsers with the results that their authors give. See
 * scripts/torture.mjs.
 */
const root = process.env.STOREPORT_TEST_DATA;
if (!root) {
  console.error('Set STOREPORT_TEST_DATA to a folder with a folder "parser-torture" in it.');
  process.exit(2);
}
const torture = join(root, 'parser-torture');

/** Result of a file: undefined if it is as its authors say, else the difference. */
type Verdict = string | undefined;

interface Suite {
  readonly name: string;
  readonly files: readonly string[];
  judge(file: string): Promise<Verdict>;
}

const SUITES: readonly Suite[] = [
  {
    name: 'csv-spectrum: the objects beside each file',
    files: below('csv-spectrum/csvs'),
    judge: (file) => sameObjects(file, file.replace('/csvs/', '/json/').replace(/csv$/, 'json')),
  },
  {
    name: 'csv-test-data: the rows beside each file; bad-* must be refused or reported',
    files: below('csv-test-data/csv'),
    judge: (file) =>
      /\/bad-/.test(file)
        ? isReported(file)
        : sameObjects(file, file.replace('/csv/', '/json/').replace(/csv$/, 'json')),
  },
  ...['csv-parser-fixtures', 'csvkit-examples', 'papaparse', 'w3c-csvw'].map((folder) => ({
    name: `${folder}: as csv-parse reads it whole, decoded by hand`,
    files: below(folder).filter((file) => /\.[ct]sv$/.test(file)),
    judge: sameAsWhole,
  })),
  { name: 'json-test-suite: y_ is accepted', files: json('y_'), judge: isAccepted },
  { name: 'json-test-suite: n_ is refused, with its place', files: json('n_'), judge: isRefusedWithPlace },
];

function below(folder: string): string[] {
  return readdirSync(join(torture, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.\w+$/.test(name))
    .map((name) => join(torture, folder, name))
    .sort();
}

function json(prefix: string): string[] {
  return below('json-test-suite').filter((file) => file.includes(`/${prefix}`));
}

/** Rows that the authors of a file give beside it: as objects, or as lists with the header first. */
async function sameObjects(file: string, beside: string): Promise<Verdict> {
  const expected = JSON.parse(readFileSync(beside, 'utf8')) as (string[] | Record<string, string>)[];
  const { header, cells, issues, refused } = await read(file);
  if (refused) return refused.message;
  if (issues.length > 0) return issues[0]?.message;
  const rows = Array.isArray(expected[0])
    ? [header, ...cells]
    : cells.map((row) => Object.fromEntries(row.map((cell, index) => [header[index], cell])));
  return JSON.stringify(rows) === JSON.stringify(expected) ? undefined : JSON.stringify(rows).slice(0, 100);
}

async function isReported(file: string): Promise<Verdict> {
  const { issues, refused } = await read(file);
  return refused || issues.length > 0 ? undefined : 'is read without a word';
}

async function sameAsWhole(file: string): Promise<Verdict> {
  const { header, cells, reading, refused } = await read(file);
  if (refused) return refused.message;
  const rows = wholeRows(file);
  if (rows === undefined) return 'csv-parse refuses it';
  const [a, b] = [rows, [header, ...cells]].map((all) => all.filter((row) => row.join('').trim() !== ''));
  return JSON.stringify(a) === JSON.stringify(b)
    ? undefined
    : `${b?.length} rows in ${reading?.encoding}, csv-parse has ${a?.length}`;
}

/** Options for files whose names do not show them. */
const DELIMITERS: Readonly<Record<string, string>> = { 'sniff_limit.csv': ';' };

function wholeRows(file: string): string[][] | undefined {
  try {
    return parse(decoded(readFileSync(file)), {
      bom: true,
      delimiter: DELIMITERS[basename(file)] ?? (file.endsWith('.tsv') ? '\t' : ','),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
    }) as string[][];
  } catch {
    // Broken quotes: there is no expected result.
    return undefined;
  }
}

function decoded(bytes: Buffer): string {
  const mark = bytes.toString('hex', 0, 2);
  if (mark === 'feff') return new TextDecoder('utf-16be').decode(bytes);
  if (mark === 'fffe') return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const PLACE = /line \d+, column \d+|not UTF-8|is empty/;

async function isAccepted(file: string): Promise<Verdict> {
  const { issues, refused } = await read(file, { format: 'json' });
  // JSON values that are not objects have no fields: the mapping reports them, not the parser.
  const found = refused ?? issues.find(({ code }) => code !== 'not-an-object');
  return found?.message;
}

async function isRefusedWithPlace(file: string): Promise<Verdict> {
  const { issues, refused } = await read(file, { format: 'json' });
  const found = refused ?? issues.find(({ code }) => code !== 'not-an-object');
  if (!found) return 'is read without a word';
  return PLACE.test(found.message) ? undefined : found.message;
}

let failed = false;
console.log('| suite | files | as its authors say | otherwise, for a reason |');
console.log('|---|---|---|---|');
for (const { name, files, judge } of SUITES) {
  const otherwise: string[] = [];
  for (const file of files) {
    const path = relative(torture, file);
    const verdict = await judge(file);
    const reason = DIFFERENCES[path];
    if (verdict !== undefined && reason !== undefined) otherwise.push(`${path}: ${reason}`);
    if ((verdict === undefined) === (reason === undefined)) continue;
    failed = true;
    console.log(
      `|   | WRONG: ${path}: ${verdict ?? 'no longer otherwise: take it off the list of differences'} |`,
    );
  }
  console.log(`| ${name} | ${files.length} | ${files.length - otherwise.length} | ${otherwise.length} |`);
  for (const line of otherwise) console.log(`|   | ${line} |`);
}
process.exit(failed ? 1 : 0);
