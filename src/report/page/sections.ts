import {
  countOf,
  durationText,
  grouped,
  type ImageCounts,
  type JsonObject,
  shownCell,
  warnedRecord,
} from '../../model/index.ts';
import type { ReportCommands } from '../format.ts';
import { imageText } from '../image-text.ts';
import { nextSteps } from '../next-steps.ts';
import type { Problem, Summary, SummaryFile } from '../summary.ts';
import { SUSPECT_ADVICE } from '../suspect-advice.ts';
import { outcomeMark } from './books.ts';
import { factList } from './document.ts';
import { asHtml, type Html } from './html.ts';
import { shownOptions } from './options.ts';
import type { ReturnedRecord, ReturnedRecords, ReturnedRow } from './returned-records.ts';

/** The next steps, with commands to copy. */
export function stepsSection(
  run: Summary,
  options: JsonObject,
  commands: ReportCommands | undefined,
): Html | undefined {
  const steps = nextSteps(run, options, commands);
  if (steps.length === 0) return undefined;
  return asHtml`<section><h2>What to do next</h2><ol class="steps">${steps.map(
    ({ text, command }) =>
      asHtml`<li>${shortStep(text, command)}${command !== undefined && asHtml`<div class="command"><code>${command}</code></div>`}</li>`,
  )}</ol></section>`;
}

/** `To do: correct …` → `Correct …`, without a command at its end, which is shown below. */
function shortStep(text: string, command: string | undefined): string {
  const label = text.replace(/^To (do|continue): /, '');
  const rest =
    command !== undefined && label.endsWith(command) ? label.slice(0, -command.length).trim() : label;
  if (rest === '') return 'Continue with:';
  // The name of a command or a file keeps its letters.
  return /^(storeport|\S+\.\w+) /.test(rest) ? rest : rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** Problems by cause, each with its first rows. `returned` is undefined if the page must not show rows. */
export function causesSection(
  problems: readonly Problem[],
  returned: ReturnedRecords | undefined,
): Html | undefined {
  if (problems.length === 0) return undefined;
  const causes = byExample(problems);
  return asHtml`<section><h2>What was wrong</h2>${causes.map((same) => cause(same, returned && examplesFor(same[0], causes, returned)))}</section>`;
}

/** One cell may be wrong for several fields: such problems are one cause. */
function byExample(problems: readonly Problem[]): (readonly [Problem, ...Problem[]])[] {
  const causes = new Map<string, [Problem, ...Problem[]]>();
  for (const problem of problems) {
    const { outcome, code, count, example } = problem;
    const same = [outcome, code, count, example].join('\n');
    const known = causes.get(same);
    if (known) known.push(problem);
    else causes.set(same, [problem]);
  }
  return [...causes.values()];
}

/** Records are collected by code and field, so causes that share both have only their first record. */
function examplesFor(
  problem: Problem,
  causes: readonly (readonly Problem[])[],
  returned: ReturnedRecords,
): readonly ReturnedRecord[] {
  const records = returned.examplesOf(problem);
  const isAlone = causes.flat().filter((other) => returned.examplesOf(other) === records).length === 1;
  return isAlone ? records : records.filter(({ row }) => row === problem.example_row);
}

/** `examples` is undefined if the page must not show rows. */
function cause(
  same: readonly [Problem, ...Problem[]],
  examples: readonly ReturnedRecord[] | undefined,
): Html {
  const [problem] = same;
  const { outcome, code, count, issues, example } = problem;
  const cells = issues === count ? '' : `, ${grouped(issues)} cells`;
  const fields = same.map(({ field }) => field).filter((field) => field !== '');
  return asHtml`<article class="cause"><header><h3>${outcomeMark(outcome)}: ${code}${fields.length > 0 && ` (${fields.join(', ')})`}</h3>
<span class="quiet">${countOf(count, 'record')}${cells}</span></header>
${examples && asHtml`<p>${example}</p>${exampleRows(examples)}`}</article>`;
}

function exampleRows(records: readonly ReturnedRecord[]): Html | undefined {
  const rows = records.flatMap((record) => rowsOfExample(record).map((row) => ({ record, row })));
  if (rows.length === 0) return undefined;
  return asHtml`<div class="scroll rows" tabindex="0" role="group" aria-label="Rows of this cause"><table><thead><tr><th>Row</th><th>Key</th><th>Cells</th></tr></thead><tbody>${rows.map(
    ({ record, row }) =>
      asHtml`<tr><td class="number">${row.row}</td><td class="key">${record.key}</td><td>${cellList(row, MOST_EXAMPLE_CELLS)}</td></tr>`,
  )}</tbody></table></div>`;
}

/** Rows of one record in an example. */
const MOST_EXAMPLE_ROWS = 2;

/** The first rows with wrong cells; the first rows if no cell is known to be wrong. */
function rowsOfExample({ rows }: ReturnedRecord): readonly ReturnedRow[] {
  const wrong = rows.filter(({ cells }) => cells.some(({ isWrong }) => isWrong));
  return (wrong.length > 0 ? wrong : rows).slice(0, MOST_EXAMPLE_ROWS);
}

/** Cells of an example: the wrong ones, and some by which a person recognises the row. */
const MOST_EXAMPLE_CELLS = 5;

/** The wrong cells of a row first, and then others up to `most`. */
function cellList({ cells }: ReturnedRow, most: number): Html | undefined {
  const shown = [...cells.filter(({ isWrong }) => isWrong), ...cells.filter(({ isWrong }) => !isWrong)].slice(
    0,
    most,
  );
  if (shown.length === 0) return undefined;
  return asHtml`<dl class="cells">${shown.map(
    ({ column, text, isWrong }) =>
      asHtml`<div${isWrong && asHtml` class="bad"`}><dt>${column}</dt><dd>${text}</dd></div>`,
  )}</dl>`;
}

/** Rows that a print shows; all others are in the files. */
const MOST_PRINTED = 100;
/** Rows of a table that needs no filter. */
const MOST_UNFILTERED = 5;

/** A table of records with their cells, with a filter. `file` has all of them. */
export function recordsSection(
  title: string,
  records: readonly ReturnedRecord[],
  { id, all, file, note }: { id: string; all: number; file: string; note?: string },
): Html | undefined {
  if (records.length === 0) return undefined;
  const codes = [...new Set(records.map(({ code }) => code))].sort();
  const cut = all > records.length && `These are the first ${grouped(records.length)} of ${grouped(all)}. `;
  return asHtml`<section><h2>${title}</h2>${note !== undefined && asHtml`<p>${note}</p>`}
<p class="quiet small">${cut}All of them, with all cells, are in <span class="mono">${file}</span>.</p>
${
  records.length > MOST_UNFILTERED &&
  asHtml`<div class="filter hidden" data-table="${id}"><label>Find <input type="search" autocomplete="off"></label><label>Cause <select><option value="">all</option>${codes.map(
    (code) => asHtml`<option>${code}</option>`,
  )}</select></label><output class="quiet small"></output></div>`
}
<div class="scroll rows" tabindex="0" role="region" aria-label="${title}"><table id="${id}"><thead><tr><th>Row</th><th>Key</th><th>Outcome</th><th>Reason and cells</th></tr></thead><tbody>${records.map(recordRow)}</tbody></table></div>
${records.length > MOST_PRINTED && asHtml`<p class="cut">The print has the first ${MOST_PRINTED} rows. All of them are in ${file}.</p>`}</section>`;
}

function recordRow(
  { row, key, outcome, code, message, rows, rowCount }: ReturnedRecord,
  index: number,
): Html {
  const wrong = rows.flatMap((each) => {
    const cells = each.cells.filter(({ isWrong }) => isWrong);
    return cells.length === 0 ? [] : [cellList({ row: each.row, cells }, cells.length)];
  });
  const rest = rows.filter(({ cells }) => cells.length > 0);
  return asHtml`<tr data-code="${code}"${index >= MOST_PRINTED && asHtml` class="late"`}><td class="number">${row}</td><td class="key">${key}</td><td class="nowrap">${outcomeMark(outcome)}<br><span class="quiet small">${code}</span></td><td>${message}${wrong}${
    rest.length > 0 &&
    asHtml`<details><summary>${rowsText(rest.length, rowCount)}</summary>${rest.map((each) => cellList(each, each.cells.length))}</details>`
  }</td></tr>`;
}

function rowsText(shown: number, all: number): string {
  if (all > shown) return `${shown} of its ${grouped(all)} rows`;
  return all === 1 ? 'The row' : `Its ${all} rows`;
}

/** Columns and rows that were left out, and rules that never applied. `withRows`: cells may be shown. */
export function leftOutSection(
  run: Pick<Summary, 'files' | 'never_held' | 'plan'>,
  withRows: boolean,
): Html | undefined {
  const samples = new Map(run.plan?.unused?.map(({ column, sample }) => [column, sample]));
  const parts = run.files.flatMap((file) => leftOutIn(file, samples, withRows));
  const rules = run.never_held ?? [];
  if (rules.length > 0)
    parts.push(
      asHtml`<p>Rules of the mapping that applied to no record: ${rules.map(({ field, text, line }) => asHtml`<br><span class="mono">${field}</span>, line ${line}: <span class="mono">${text}</span>`)}</p>`,
    );
  return parts.length === 0 ? undefined : asHtml`<section><h2>What was left out</h2>${parts}</section>`;
}

/** Columns that are listed. */
const MOST_COLUMNS = 200;

function leftOutIn(
  {
    file,
    unused_columns = [],
    missed_columns = [],
    empty_rows,
    skipped_rows,
    left_out_rows,
    warnings = [],
  }: SummaryFile,
  samples: ReadonlyMap<string, string | undefined>,
  withRows: boolean,
): Html[] {
  const kinds = new Map(missed_columns.flatMap(({ kind, columns }) => columns.map((name) => [name, kind])));
  const parts: Html[] = [];
  if (unused_columns.length > 0)
    parts.push(unusedColumns(file, unused_columns, kinds, withRows ? samples : new Map()));
  for (const { message, count, records } of warnings)
    parts.push(
      asHtml`<p>${message} <span class="quiet">${countOf(count, 'record')}${
        withRows && `, such as ${records.slice(0, 3).map(warnedRecord).join(', ')}`
      }</span></p>`,
    );
  const rows = [
    ...(empty_rows ? [countOf(empty_rows, 'empty row')] : []),
    ...(skipped_rows ? [`${countOf(skipped_rows, 'row')} that the mapping skips`] : []),
    ...(left_out_rows ? [`${countOf(left_out_rows, 'row')} that the options for reading leave out`] : []),
  ];
  if (rows.length > 0) parts.push(asHtml`<p>${rows.join(', ')} in ${file}.</p>`);
  return parts;
}

/** A table with what is known about each column; the names alone if nothing is known. */
function unusedColumns(
  file: string,
  columns: readonly string[],
  kinds: ReadonlyMap<string, string>,
  samples: ReadonlyMap<string, string | undefined>,
): Html {
  const shown = columns.slice(0, MOST_COLUMNS);
  const more =
    columns.length > MOST_COLUMNS && asHtml`<p>And ${grouped(columns.length - MOST_COLUMNS)} more.</p>`;
  const isKnown = shown.some((name) => kinds.has(name) || samples.get(name));
  const names = asHtml`<p>Columns of ${file} that the mapping does not use:</p>
`;
  if (!isKnown)
    return asHtml`${names}<ul class="names">${shown.map((name) => asHtml`<li>${name}</li>`)}</ul>${more}`;
  return asHtml`${names}<div class="scroll" tabindex="0" role="region" aria-label="Unused columns"><table><thead><tr><th>Column</th><th>A cell</th><th>It may hold</th></tr></thead><tbody>${shown.map(
    (name) =>
      asHtml`<tr><td>${name}</td><td>${samples.get(name) ?? ''}</td><td>${kinds.get(name) ?? ''}</td></tr>`,
  )}</tbody></table></div>${more}`;
}

/** Cells that look damaged and were used unchanged. */
export function suspectSection({ files }: Pick<Summary, 'files'>, withRows: boolean): Html | undefined {
  const found = files.flatMap(({ file, suspicious = [] }) => suspicious.map((each) => ({ ...each, file })));
  if (found.length === 0) return undefined;
  return asHtml`<section><h2>Cells that look damaged</h2><p>They were used unchanged.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Cells that look damaged"><table><thead><tr><th>Column</th><th>Cells</th><th>What it looks like</th>${withRows && asHtml`<th>Such as</th>`}</tr></thead><tbody>${found.map(
    ({ column, count, code, cells }) =>
      asHtml`<tr><td>${column}</td><td class="number">${grouped(count)}</td><td>${SUSPECT_ADVICE[code]}</td>${
        withRows &&
        asHtml`<td>${cells.slice(0, 3).map(({ row, text }, index) => asHtml`${index > 0 && asHtml`<br>`}row ${row}: ${shownCell(column, text)}`)}</td>`
      }</tr>`,
  )}</tbody></table></div></section>`;
}

/** The plan of a check. */
export function planSection({ plan }: Summary): Html | undefined {
  if (!plan) return undefined;
  const actions = Object.entries(plan.actions).map(([word, count]) => `${grouped(count)} ${word}`);
  const time = plan.seconds === undefined ? '' : `, about ${durationText(plan.seconds * 1000)}`;
  return asHtml`<section><h2>What an import would do</h2><p>${countOf(plan.requests, 'request')}${time}: ${actions.join(', ')}.</p></section>`;
}

/** Counts of the check of images. */
export function imagesSection({ images }: { readonly images?: ImageCounts | undefined }): Html | undefined {
  return images && asHtml`<section><h2>Images</h2><p>${capitalised(imageText(images))}.</p></section>`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Digests, versions and options, for whoever must know exactly what ran. */
export function factsSection(run: Summary, options: JsonObject): Html {
  const { mode, store, mapping, attempts, versions, files, started_at, finished_at } = run;
  const rows: (readonly [string, string])[] = [
    ['Run', run.run],
    ['Store', store ?? 'none: only checked'],
    ['Began', started_at],
    ['Ended', finished_at],
    ['Requests', grouped(attempts)],
    ['Mode', mode],
    ['Mapping', `${mapping.name}, sha256 ${mapping.sha256}`],
    ...files.map(({ file, sha256 }) => ['File', `${file}, sha256 ${sha256 ?? 'not known'}`] as const),
    ...Object.entries(shownOptions(options)),
    ['Versions', `storeport ${versions.storeport}, Node ${versions.node}`],
  ];
  return factList(rows);
}
