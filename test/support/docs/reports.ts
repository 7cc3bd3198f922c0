import { IN_ERRORS_CSV, INCOMPLETE, OUTCOMES, type OutcomeStatus } from '../../../src/model/index.ts';

import {
  type ERROR_COLUMNS,
  REPORT_FILES,
  type RESULT_COLUMNS,
  type Summary,
} from '../../../src/report/index.ts';
import { MAX_TRIES } from '../../../src/store/delivery/delivery.ts';
import { usedCodes } from './codes.ts';
import { code, table } from './markdown.ts';

/** All codes in the order of the alphabet, each with a link to its entry. */
export function codeIndex(): string {
  return [...usedCodes()]
    .sort()
    .map((word) => `[${code(word)}](#${word})`)
    .join(', ');
}

const OUTCOME_WORDS: Readonly<Record<OutcomeStatus, string>> = {
  created: 'The store created it, and gave it the id in the column `id`.',
  updated: 'The store changed it.',
  unchanged: 'Nothing was sent: the store has it already, with these values; or a program left it out.',
  planned: '`validate` only: it would be sent.',
  duplicate:
    'An earlier record of the file has the same key. The first one counts, also if it is invalid; the message says what to do.',
  invalid: 'Its data has an error; it was not sent.',
  rejected: 'It was sent, and the store refused it.',
  failed: `It could not be sent, or an update had no usable answer in ${MAX_TRIES} tries.`,
  'in-doubt': 'A create was sent and no usable answer arrived: it may be in the store, or not.',
  unsent:
    'The run stopped before it, the API cannot do it (`no-update`), or it is in the trash since an undo (`taken-back`).',
};

export function outcomes(): string {
  const rows = OUTCOMES.map((word) => [
    code(word),
    OUTCOME_WORDS[word],
    IN_ERRORS_CSV.has(word)
      ? code(REPORT_FILES.errors)
      : word === 'in-doubt'
        ? code(REPORT_FILES.inDoubt)
        : '–',
    INCOMPLETE.has(word) ? '1' : '0',
  ]);
  return table(['outcome', 'means', 'its rows are in', 'exit code'], rows);
}

export const RESULT_WORDS: Readonly<Record<(typeof RESULT_COLUMNS)[number], string>> = {
  row: 'Row of the source file as a spreadsheet numbers it (the header is row 1); for a group, its first row.',
  key: 'The text that identifies the record: `reference` of a product, `email` (else `phone`) of a customer, `name` of a supplier, `code` of a discount; of an order the column that the mapping names.',
  outcome: 'How it ended, see [outcomes](#outcomes).',
  id: "The store's id (`_id`).",
  http_status: 'Status of the last answer; empty if there was none.',
  attempts: 'Requests that were sent for it; 0 if none.',
  duration_ms: 'From the first attempt to the end, in milliseconds, waiting included.',
  code: 'The reason, in one word that scripts can rely on, see [troubleshooting](troubleshooting.md). Empty if there is no problem.',
  field: 'Field of the store that the reason is about, such as `price.salePrice`.',
  message: 'The reason, in a sentence: row, column, what was found and what to do.',
};

export const RETURN_WORDS: Readonly<Record<(typeof ERROR_COLUMNS)[number], string>> = {
  storeport_run: 'The run that wrote the row.',
  storeport_row: 'Number of the row in the source file.',
  storeport_outcome: 'Outcome of its record.',
  storeport_code: 'As `code` in results.csv.',
  storeport_field: 'As `field` in results.csv.',
  storeport_message: 'As `message` in results.csv, with the check mark of a row that could not be read.',
  storeport_surplus:
    'Only in errors.csv, if a row has such cells: those beyond the last column, joined by ` | `. The row is refused until this cell is empty: see [`ragged-row`](troubleshooting.md#ragged-row).',
};

export const SUMMARY_WORDS: Readonly<Record<keyof Summary, string>> = {
  run: 'Id of the run; begins with its date and time (UTC).',
  command: '`import`, `validate`, `adopt` or `undo`.',
  resource: '`products`, `customers`, `suppliers`, `discounts` or `orders`.',
  mode: 'As `--mode`; `adopt` for `run adopt`, `update` for `run undo`.',
  offset: 'Records that were skipped by `--offset`.',
  store: 'Base URL of the store; null for `validate`.',
  files:
    'The source files, each with its SHA-256 (null if it was not read to its end). Where there are any: rows left out since they are empty (`empty_rows`), since the mapping says so (`skipped_rows`), or since `--rows`, `--skip-rows` or `--until-blank-row` says so (`left_out_rows`); columns that the mapping does not use (`unused_columns`: all, while the terminal names the first six), and those among them with [data that a shop would miss](mapping-reference.md#what-is-checked), by kind (`missed_columns`); warnings of [the mapping](mapping-reference.md#warnings), about [keys](delivery.md#importing-again) and about [rows of one record](mapping-reference.md#groups) (`warnings`: a sentence, how many records it is about, and the first ten, some with the text or the amounts in question as `found`); cells that [look damaged](troubleshooting.md#cells-that-look-damaged) (`suspicious`); and what the valid records [are like](troubleshooting.md#valid-and-probably-not-meant), field by field (`figures`).',
  mapping: 'Name of the mapping, and the SHA-256 of its text.',
  records: 'Number of records that were read. The outcomes add up to it.',
  outcomes: 'Number of records by outcome; only outcomes that occurred.',
  plan: 'Only of `validate`: what an import would do: records by action (`actions`, as in [plan.csv](#plancsv)), its `requests`, the `rate` that the store took before and the `seconds` that the requests take at it, if a rate is known; and columns that the mapping does not use, each with a cell (`unused`).',
  not_read:
    'Only if the run stopped early: records after the last one that was read; null if they could not be counted.',
  stopped:
    'Only if the run stopped early: `reason` (a word, see [stopped runs](troubleshooting.md#stopped-runs)), `message` and, if there are ways to mend it, `hints`: not in a summary that `run report` writes again.',
  findings:
    'Only if there are any: what is [valid and probably not meant](troubleshooting.md#valid-and-probably-not-meant), by `code`, with its `file`, the `field`, the number of records (`count`), the first `rows`, a sentence (`message`) and a way to mend it (`advice`). The codes of `--accept` are left out.',
  never_held:
    'Only for a mapping of your own: conditions, maps and lookups that applied to no record ([how they are counted](mapping-reference.md#rules-that-never-apply)): `field`, `kind`, `text` and `line`.',
  images:
    'Only with [`--check-images`](commands.md#images): `addresses` of images in the files, how many of them were `remembered` from an earlier run, and all of them by verdict (`verdicts`).',
  problems:
    'The problems, most frequent first, at most 20 kinds: outcome, code, field, how many records have it (`count`), how often it occurs in them (`issues`), and the first example. A record with several kinds is counted in each of them. `*` in a field is any place in a list.',
  attempts: 'Requests that were sent for records, retries included.',
  started_at: 'Beginning, UTC.',
  finished_at: 'End, UTC.',
  duration_ms: 'Time between the two, in milliseconds.',
  records_per_second: 'Records divided by that time.',
  versions: 'Of storeport and of Node.',
  out: 'Folder of the reports.',
  reports:
    'Names of the reports in that folder: `results`, and lists for `errors` and `in_doubt`, of two files if a workbook [cannot hold all rows](#workbooks-to-correct-in).',
  exit_code: 'Exit code of the command.',
};

export function rowsOf<Name extends string>(
  names: readonly Name[],
  words: Readonly<Record<string, string>>,
): string[][] {
  return names.map((name) => [code(name), words[name] ?? '']);
}
