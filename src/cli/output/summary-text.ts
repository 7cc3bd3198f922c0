import { join } from 'node:path';
import { relative, statSync } from '../../model/files/fs.ts';
import {
  countOf,
  cutText,
  durationText,
  grouped,
  type ImageCounts,
  type MappingWarning,
  PLAIN_COMMANDS,
  seconds,
  warnedRecord,
} from '../../model/index.ts';
import type { ImageExample } from '../../pipeline/index.ts';
import {
  figureWords,
  findingRows,
  IMAGE_WORDS,
  imageText,
  listedFindings,
  nextSteps,
  type Problem,
  REPORT_FILES,
  type Summary,
  unreadText,
} from '../../report/index.ts';
import { suspectLines } from './suspect-text.ts';

const MOST_PROBLEMS = 8;

const VERBS: Readonly<Record<Summary['command'], string>> = {
  import: 'Imported',
  validate: 'Checked',
  adopt: 'Adopted',
  undo: 'Undid',
};

/** Formats a summary for people: outcomes, problems and next steps. */
export function summaryText(summary: Summary): string {
  const { records, outcomes, problems, stopped, offset } = summary;
  const lines = [
    `${VERBS[summary.command]} ${summary.resource}: ${grouped(records)} ${records === 1 ? 'record' : 'records'} in ${durationText(summary.duration_ms)} (run ${summary.run}).`,
    ...outcomeLines(outcomes),
    ...planLines(summary.plan),
    ...imageLines(summary.images),
  ];
  const empty = summary.files.reduce((sum, file) => sum + (file.empty_rows ?? 0), 0);
  const skipped = summary.files.reduce((sum, file) => sum + (file.skipped_rows ?? 0), 0);
  const leftOut = summary.files.reduce((sum, file) => sum + (file.left_out_rows ?? 0), 0);
  lines.push(
    ...emptyLine(empty),
    ...skippedLine(skipped),
    ...leftOutLine(leftOut),
    ...summary.files.flatMap(({ warnings = [] }) => warnings.map(warningLine)),
    ...suspectLines(suspicionsIn(summary)),
    ...neverHeldLines(summary.never_held, summary.mapping.name),
    ...(summary.plan ? figureLines(summary.files) : []),
    ...findingLines(summary.findings),
  );
  if (records === 0 && offset > 0 && !stopped)
    lines.push(`There are no more than ${grouped(offset)} records, and --offset skips these.`);
  const unread = stopped && unreadText(summary);
  if (stopped)
    lines.push(`Stopped early: ${stopped.message}`, ...(stopped.hints ?? []).map((hint) => `  ${hint}`));
  if (unread !== undefined) lines.push(unread);
  // The reason of the stop is already printed, and the count of unsent records is too.
  lines.push(...problemLines(problems, stopped?.reason));
  // Without reports there is no file to refer to. Only the command of a step depends on the options, not its text.
  if (stopped?.reason !== 'output-failed')
    lines.push(reportsLine(summary), ...nextSteps(summary, {}).map(({ text }) => text));
  return lines.join('\n');
}

export function outcomeLines(outcomes: Summary['outcomes']): string[] {
  return Object.entries(outcomes).map(([word, count]) => `${grouped(count).padStart(10)} ${word}`);
}

/** `Images: 9,800 addresses; 9,500 fine, 300 dead.` */
export function imageLines(images: ImageCounts | undefined): string[] {
  return images ? [`Images: ${imageText(images)}.`] : [];
}

/** `  dead: https://img.example.com/a.jpg (its server answered with 404)` */
export function imageExampleLine({ verdict, address, found }: ImageExample): string {
  return `  ${IMAGE_WORDS[verdict]}: ${address} (${found})`;
}

const MOST_UNUSED = 8;
const MOST_IN_CELL = 30;

/** `An import would send 1,231 requests (1,200 create, 31 update; 800 unchanged), about 2m at …` and unused columns. */
function planLines(plan: Summary['plan']): string[] {
  if (!plan) return [];
  const { actions, requests, rate, seconds: duration, unused = [] } = plan;
  const named = (words: readonly string[]) =>
    words.flatMap((word) => (actions[word] ? [`${grouped(actions[word])} ${word}`] : [])).join(', ');
  const counts = [named(['create', 'update']), named(['unchanged', 'in-doubt'])].filter(
    (each) => each !== '',
  );
  const time =
    rate === undefined || duration === undefined
      ? ''
      : `, about ${seconds(duration)} at the ${Number(rate.toPrecision(2))} a second that the store took before`;
  const filled = unused.filter(({ sample }) => sample !== undefined);
  const cells = filled
    .slice(0, MOST_UNUSED)
    .map(({ column, sample = '' }) => `${column} (${JSON.stringify(cutText(sample, MOST_IN_CELL))})`);
  const more = filled.length - cells.length;
  return [
    ...(requests === 0
      ? []
      : [
          `An import would send ${grouped(requests)} ${requests === 1 ? 'request' : 'requests'} (${counts.join('; ')})${time}.`,
        ]),
    ...(requests === 0 && counts.length > 0 ? [`An import would send nothing (${counts.join('; ')}).`] : []),
    ...(cells.length === 0
      ? []
      : [`Not imported, with a cell each: ${cells.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`]),
  ];
}

/** Names the reports. A crashed run has none, or only those of an earlier attempt, until they are written again. */
function reportsLine({ out, run, stopped, finished_at }: Summary): string {
  const folder = relative('', out) || '.';
  const written = statSync(join(out, REPORT_FILES.summary), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const missing = stopped?.reason === 'crashed' && written < Date.parse(finished_at);
  return missing
    ? `Reports: not written yet to ${folder}. To write them: ${PLAIN_COMMANDS.report(run)}`
    : `Reports: ${folder}`;
}

/** The most frequent problems, below a heading. `reason`: why the run stopped, which is not repeated. */
export function problemLines(problems: readonly Problem[], reason?: string): string[] {
  const wrong = problems.filter(({ code }) => code !== reason);
  if (wrong.length === 0) return [];
  const more = wrong.length - MOST_PROBLEMS;
  return [
    'What was wrong:',
    ...wrong.slice(0, MOST_PROBLEMS).map(problemLine),
    ...(more > 0 ? [`           and ${more} more ${more === 1 ? 'kind' : 'kinds'}`] : []),
  ];
}

/** Maximum length of an example on the screen. The reports have longer ones. */
const MOST_IN_EXAMPLE = 200;

/** `    100 × unknown-word (status) in 40 records, such as row 3, …` */
export function problemLine({ count, issues, code, field, example }: Problem): string {
  const fieldNote = field ? ` (${field})` : '';
  const recordsNote = issues === count ? '' : ` in ${grouped(count)} ${count === 1 ? 'record' : 'records'}`;
  const words = cutText(example, MOST_IN_EXAMPLE);
  return `${`${grouped(issues)} ×`.padStart(10)} ${code}${fieldNote}${recordsNote}, such as ${words}`;
}

const MOST_RECORDS = 3;

/** `Warning: A gift card is no product: it is imported as a draft. 12 records: GIFT-10 (row 4), … and 9 more.` */
export function warningLine({ message, count, records }: MappingWarning): string {
  const shown = records.slice(0, MOST_RECORDS);
  const named = shown.map(warnedRecord);
  const more = count > shown.length ? ` and ${grouped(count - shown.length)} more` : '';
  return `Warning: ${message} ${grouped(count)} ${count === 1 ? 'record' : 'records'}: ${named.join(', ')}${more}.`;
}

const MIN_FIELD_WIDTH = 18;

/** The figures of each file: a line for each field that some records have. */
function figureLines(files: Summary['files']): string[] {
  return files.flatMap(({ file, figures }) => {
    if (!figures) return [];
    const { filled, empty, sampled } = figureWords(figures);
    const width = Math.max(MIN_FIELD_WIDTH, ...filled.map(({ field }) => field.length));
    const name = files.length > 1 ? ` of ${file}` : '';
    return [
      `A look at ${countOf(figures.records, 'valid record')}${name}:`,
      ...filled.map(({ field, count, words }) =>
        `  ${field.padEnd(width)}  ${count}${words === '' ? '' : `: ${words}`}`.trimEnd(),
      ),
      ...(empty.length > 0 ? [`  None has ${empty.join(', ')}.`] : []),
      ...(sampled === undefined ? [] : [`  ${sampled}`]),
    ];
  });
}

/** `Look at: no-price (price.salePrice), 3 records, rows 17, 42, 58: There is no price, or it is 0. Map …` */
function findingLines(findings: Summary['findings'] = []): string[] {
  const shown = listedFindings(findings);
  if (shown.length === 0) return [];
  const several = new Set(findings.map(({ file }) => file)).size > 1;
  return [
    'Valid, and probably not meant (--accept CODE leaves a code out, --strict makes them an error):',
    ...shown.map((finding) => {
      const { code, field, file, count, message, advice } = finding;
      const rows = findingRows(finding);
      const place = [...(several ? [file] : []), ...(rows === '' ? [] : [rows])].join(', ');
      const about = field === undefined ? '' : ` (${field})`;
      return `${`${grouped(count)} ×`.padStart(10)} ${code}${about}${place === '' ? '' : `, ${place}`}: ${message} ${advice}`;
    }),
  ];
}

function suspicionsIn({ files }: Summary) {
  return files.flatMap(({ file, suspicious = [] }) => suspicious.map((each) => ({ ...each, file })));
}

/** Reports the rows that the mapping leaves out. */
export function skippedLine(rows: number): string[] {
  return rows === 0
    ? []
    : [`${grouped(rows)} ${rows === 1 ? 'row was' : 'rows were'} left out, as the mapping says.`];
}

/** Reports rows that options left out, so that none is lost silently. */
export function leftOutLine(rows: number): string[] {
  return rows === 0
    ? []
    : [`${grouped(rows)} ${rows === 1 ? 'row was' : 'rows were'} left out, as the options for reading say.`];
}

/** Reports empty rows. They are no records, and the count explains their absence. */
export function emptyLine(rows: number): string[] {
  return rows === 0 ? [] : [`${grouped(rows)} empty ${rows === 1 ? 'row was' : 'rows were'} left out.`];
}

type NeverHeld = NonNullable<Summary['never_held']>[number];

const MOST_RULES = 8;

/** Descriptions of rules that never applied, by kind. */
const NEVER_HELD_WORDS: Readonly<Record<NeverHeld['kind'], (text: string) => string>> = {
  condition: (text) => `the condition ${text} never held`,
  map: (text) => `no cell has a word of map: ${text}; all took else`,
  lookup: (text) => `lookup: ${text} found no cell; all took else`,
};

/** Lists the rules of the user's mapping that never applied, so their fields were set in no record. */
export function neverHeldLines(rules: readonly NeverHeld[] = [], mapping: string): string[] {
  if (rules.length === 0) return [];
  const lines = rules
    .slice(0, MOST_RULES)
    .map(({ field, kind, text, line }) => `  ${field} (line ${line}): ${NEVER_HELD_WORDS[kind](text)}.`);
  const more = rules.length - MOST_RULES;
  return [
    `Warning: rules of ${mapping} applied to no record. Check them against the cells of the file:`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more, in summary.json`] : []),
  ];
}
