import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { takeSample } from '../../src/pipeline/suggest/sample.ts';
import { RESOURCES } from '../../src/resources/index.ts';
import { createDictionary } from '../../src/suggest/names/dictionary.ts';
import { LANGUAGES } from '../../src/suggest/words/index.ts';
import { type Count, meanOf, newCount, type Shares, sharesOf, sumOf } from './counts.ts';
import { addColumns, columnsOfProject, columnsOfSample, evidenceFor } from './evidence.ts';
import type { FileTruth } from './fields.ts';
import { platformOfFile } from './platforms.ts';
import { numbered, type PublicFile, scoreFile } from './score-file.ts';
import { takeOut } from './take-out.ts';

const { values: given } = parseArgs({
  options: { platform: { type: 'string', default: '' }, words: { type: 'boolean', default: false } },
});
const data = process.env.STOREPORT_TEST_DATA;
if (!data) {
  console.error(
    'Set STOREPORT_TEST_DATA to a folder with the files of test/suggest/truth/public-files.json.',
  );
  process.exit(2);
}

/** With all words, and without those that only the platform itself shows. */
interface Ways<T> {
  readonly known: T;
  readonly unknown: T;
}

/** Least shares of all files. */
const MIN: Ways<{ readonly recall: number; readonly precision: number; readonly equal: number }> = {
  known: { recall: 0.97, precision: 0.99, equal: 0.92 },
  unknown: { recall: 0.93, precision: 0.99, equal: 0.91 },
};
const MIN_VALID = 0.9;

const files = await publicFiles(data);
const columns = columnsOfProject();
for (const { platform, sample } of files) addColumns(columns, platform, columnsOfSample(sample));
const evidence = evidenceFor(LANGUAGES, columns);
const all = createDictionary(LANGUAGES);
const counts: Ways<Count>[] = [];
const lines = ['platform | words | recall, precision, equal records | the same without these words'];
for (const platform of [...new Set(files.map((each) => each.platform))].sort()) {
  if (!platform.includes(given.platform)) continue;
  const out = takeOut(LANGUAGES, evidence, platform);
  if (given.words) console.log(`${platform}: ${out.words.join(', ')}`);
  const reduced = createDictionary(out.languages);
  const count = { known: newCount(), unknown: newCount() };
  for (const each of files.filter((file) => file.platform === platform)) {
    for (const fault of await scoreFile(each, all, count.known)) console.log(`${each.file}: ${fault}`);
    for (const fault of await scoreFile(each, reduced, count.unknown))
      console.log(`${each.file}, unknown: ${fault}`);
  }
  counts.push(count);
  lines.push(
    `${platform} | ${out.words.length} | ${shown(sharesOf(count.known))} | ${shown(sharesOf(count.unknown))}`,
  );
}
const sums = {
  known: sumOf(counts.map(({ known }) => known)),
  unknown: sumOf(counts.map(({ unknown }) => unknown)),
};
const shares = { known: sharesOf(sums.known), unknown: sharesOf(sums.unknown) };
const means = {
  known: meanOf(counts.map(({ known }) => sharesOf(known))),
  unknown: meanOf(counts.map(({ unknown }) => sharesOf(unknown))),
};
lines.push(`mean of platforms | | ${shown(means.known)} | ${shown(means.unknown)}`);
lines.push(`all files | | ${shown(shares.known)} | ${shown(shares.unknown)}`);
const { fields, records, tried, valid, refused } = sums.known;
console.log(`\n${lines.join('\n')}\n`);
console.log(
  `${files.length} files, ${fields} fields, ${records} records of presets; ${valid} of ${tried} records valid, ${refused} mappings refused`,
);
const isLess = (found: Shares, least: Ways<Required<Record<keyof Shares, number>>>['known']) =>
  (Object.keys(least) as (keyof Shares)[]).some((key) => (found[key] ?? 1) < least[key]);
process.exitCode =
  isLess(shares.known, MIN.known) ||
  isLess(shares.unknown, MIN.unknown) ||
  valid < MIN_VALID * tried ||
  refused + sums.unknown.refused > 0
    ? 1
    : 0;

function shown({ recall, precision, equal }: Shares): string {
  return [recall, precision, equal].map((share) => share?.toFixed(3) ?? '–').join(', ');
}

async function publicFiles(folder: string): Promise<PublicFile[]> {
  const truths = JSON.parse(readFileSync('test/suggest/truth/public-files.json', 'utf8')) as Record<
    string,
    FileTruth
  >;
  const found: PublicFile[] = [];
  for (const [file, truth] of Object.entries(truths)) {
    const path = join(folder, file);
    const resource = RESOURCES.find(({ name }) => name === truth.resource);
    if (!resource || !existsSync(path)) continue;
    const sample = numbered(await takeSample(path, readOptions(truth.options ?? [])));
    found.push({ file, platform: platformOfFile(file), truth, resource, sample });
  }
  return found;
}

/** Options of reading, as on the command line. */
function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: { 'skip-lines': { type: 'string' }, 'pad-rows': { type: 'boolean' } },
  });
  const lines = values['skip-lines'];
  return { padRows: values['pad-rows'], skipLines: lines === undefined ? undefined : Number(lines) };
}
