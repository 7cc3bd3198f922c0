import { COUNTRY_CODES, FINDING_CODES } from '../../model/index.ts';
import type { DescribedOption } from '../described-command.ts';
import { IMAGE_OPTIONS } from './image-options.ts';
import {
  ANY_TEXT,
  ASSIGNMENT,
  CELL_RULE,
  COUNTRY,
  DURATION,
  MAX_ERRORS,
  NUMBER,
  OUT_DELIMITER,
  oneOf,
  POSITIVE,
  ROW_RANGES,
  TEXT,
  type ValueSyntax,
  WEB_ADDRESS,
  WEB_FOLDER,
  wholeNumber,
  YES_OR_NO,
} from './option-values.ts';

/** An option of a command: its help text and the syntax of its value. */
export interface Option extends DescribedOption {
  /** Default: the syntax of `type` or `choices`. */
  readonly syntax?: ValueSyntax;
  /**
   * Treats an empty variable as not set. Only for options whose default is harmless: it must not select another store,
   * another ledger or other records, and must not send what was not meant to be sent.
   */
  readonly emptyIsNone?: boolean;
  /** True if messages must not repeat the value. */
  readonly isSecret?: boolean;
  /** Refuses a value from `.env`: only the user may grant this permission, and others may have written the folder. */
  readonly notFromFile?: boolean;
}

export type OptionTable = Readonly<Record<string, Option>>;

/** Returns the syntax of an option's value. */
export function valueSyntaxOf({ syntax, type, choices }: Option): ValueSyntax {
  if (syntax) return syntax;
  if (choices) return oneOf(choices);
  return type === 'boolean' ? YES_OR_NO : type === 'number' ? NUMBER : TEXT;
}

/** File in the working directory with named profiles and the store's differences from the API document. */
export const CONFIG_FILE = 'storeport.config.yaml';

/** Options of all commands. */
export const COMMON_OPTIONS = {
  home: {
    topic: 'general',
    type: 'string',
    default: '.storeport',
    describe: 'Folder of the ledger and other state',
    completes: 'folder',
  },
  quiet: {
    topic: 'general',
    type: 'boolean',
    default: false,
    describe: 'Only errors on standard error',
    emptyIsNone: true,
  },
  json: {
    topic: 'general',
    type: 'boolean',
    default: false,
    describe: 'One JSON summary on standard output and nothing else',
    emptyIsNone: true,
  },
  progress: {
    topic: 'general',
    type: 'boolean',
    default: true,
    describe: 'Show progress; --no-progress does not',
    emptyIsNone: true,
  },
  'log-level': {
    topic: 'monitoring',
    choices: ['trace', 'debug', 'info', 'warn', 'error'],
    describe: 'Write a log of this level and above: to standard error, or to --log-file',
    emptyIsNone: true,
  },
  'log-file': {
    topic: 'monitoring',
    type: 'string',
    describe: 'File that the log is appended to',
    completes: 'file',
    emptyIsNone: true,
  },
} as const satisfies OptionTable;

/** Each concurrent request is a socket, and a record that a crash leaves in doubt. No store benefits from more. */
const MOST_CONCURRENT = 1000;

/** Options of commands that connect to a store. */
export const STORE_OPTIONS = {
  'base-url': { topic: 'store', type: 'string', describe: "The store's address", emptyIsNone: true },
  'client-id': {
    topic: 'store',
    type: 'string',
    describe: 'Client id from the developer portal',
    emptyIsNone: true,
  },
  'store-id': { topic: 'store', type: 'string', describe: "The store's id (default: read from the token)" },
  profile: {
    topic: 'store',
    type: 'string',
    describe: `Named profile from ${CONFIG_FILE}`,
    completes: 'profile',
  },
  sandbox: {
    topic: 'store',
    type: 'boolean',
    default: false,
    describe: 'Use a sandbox store that lives as long as the command',
  },
  rate: {
    topic: 'sending',
    type: 'number',
    syntax: POSITIVE,
    describe: 'Upper bound, requests a second (default: none)',
  },
  concurrency: {
    topic: 'sending',
    type: 'number',
    syntax: wholeNumber(1, MOST_CONCURRENT),
    default: 16,
    describe: 'Requests in flight at once',
    emptyIsNone: true,
  },
  timeout: {
    topic: 'sending',
    type: 'string',
    syntax: DURATION,
    default: '30s',
    describe: 'Deadline of one request',
    emptyIsNone: true,
  },
  'give-up-after': {
    topic: 'sending',
    type: 'string',
    syntax: DURATION,
    default: '15m',
    describe: 'How long an outage during a run may last',
    emptyIsNone: true,
  },
} as const satisfies OptionTable;

/** Options of commands that send records. */
export const SEND_OPTIONS = {
  'in-doubt': {
    topic: 'sending',
    choices: ['hold', 'resend'],
    default: 'hold',
    describe: 'A create whose answer was lost: leave it in doubt, or risk a double',
    emptyIsNone: true,
  },
} as const satisfies OptionTable;

const MOST_SKIPPED_LINES = 10_000;

/** Options of commands that report their end to other programs. */
export const MONITOR_OPTIONS = {
  notify: {
    topic: 'monitoring',
    type: 'string',
    syntax: WEB_ADDRESS,
    describe: 'Web address that gets a JSON object by POST when the command ends',
    emptyIsNone: true,
    isSecret: true,
  },
  metrics: {
    topic: 'monitoring',
    type: 'string',
    describe: 'File of figures for the textfile collector of the Prometheus node exporter',
    completes: 'file',
    emptyIsNone: true,
  },
} as const satisfies OptionTable;

/** Options that say how a source file is written. */
export const FORMAT_OPTIONS = {
  format: {
    topic: 'reading',
    choices: ['csv', 'tsv', 'json', 'ndjson', 'xlsx'],
    describe: 'Format of the files (default: detected)',
    emptyIsNone: true,
  },
  encoding: {
    topic: 'reading',
    type: 'string',
    describe: 'Text encoding, such as windows-1252 (default: detected)',
    emptyIsNone: true,
  },
  delimiter: {
    topic: 'reading',
    type: 'string',
    syntax: ANY_TEXT,
    describe: 'Delimiter between cells (default: detected)',
    emptyIsNone: true,
  },
  quote: {
    topic: 'reading',
    type: 'string',
    syntax: ANY_TEXT,
    describe: 'Quote around cells (default: detected, mostly ")',
    emptyIsNone: true,
  },
  sheet: {
    topic: 'reading',
    type: 'string',
    describe: 'Sheet of a workbook, by its name or its number from 1 (default: the first)',
    emptyIsNone: true,
  },
  'skip-lines': {
    topic: 'reading',
    type: 'number',
    syntax: wholeNumber(0, MOST_SKIPPED_LINES),
    describe: 'Lines above the header that are not data (default: titles that plainly are none)',
    emptyIsNone: true,
  },
  'no-header': {
    topic: 'reading',
    type: 'boolean',
    describe: 'The first row is data: columns are called A, B, C, as in a spreadsheet',
    emptyIsNone: true,
  },
  'pad-rows': {
    topic: 'reading',
    type: 'boolean',
    describe: 'Cells that are missing at the end of a row are empty',
    emptyIsNone: true,
  },
  rows: {
    topic: 'reading',
    type: 'string',
    syntax: ROW_RANGES,
    describe: 'Rows to read, by the numbers that reports show, such as 4-63, 4- or -63,70-80 (default: all)',
  },
  'skip-rows': {
    topic: 'reading',
    type: 'string',
    syntax: CELL_RULE,
    array: true,
    describe: 'column=text: leave out rows with this cell, such as SKU=TOTAL; may be repeated',
  },
  'until-blank-row': {
    topic: 'reading',
    type: 'boolean',
    describe: 'Read no further than the first empty row below the data',
  },
} as const satisfies OptionTable;

/** Options of commands that write CSV files. */
export const CSV_OPTIONS = {
  'out-delimiter': {
    topic: 'output',
    type: 'string',
    syntax: OUT_DELIMITER,
    describe: 'Delimiter of CSV files that are written: ";", "," or tab (default: a comma)',
    completes: ['tab'],
    emptyIsNone: true,
  },
  'out-bom': {
    topic: 'output',
    type: 'boolean',
    default: false,
    describe: 'Begin them with a byte order mark, by which Excel recognises UTF-8',
    emptyIsNone: true,
  },
} as const satisfies OptionTable;

/** Options of commands that write reports of records. */
export const REPORT_OPTIONS = {
  'errors-as': {
    topic: 'output',
    choices: ['csv', 'xlsx'],
    default: 'csv',
    describe: 'Rows to correct and rows in doubt: CSV, or Excel workbooks with the wrong cells marked',
    emptyIsNone: true,
  },
  'report-without-rows': {
    topic: 'output',
    type: 'boolean',
    default: false,
    describe: 'Leave rows, keys and cells out of report.html',
  },
  ...CSV_OPTIONS,
} as const satisfies OptionTable;

/** Options of commands that read a source file. */
export const READ_OPTIONS = {
  mapping: {
    topic: 'mapping',
    type: 'string',
    describe: 'Preset or mapping file (default: recognised by the header)',
    completes: 'mapping',
  },
  'allow-lookup': {
    topic: 'mapping',
    type: 'string',
    array: true,
    default: [] as string[],
    describe: 'Folder for lookup files of the mapping, besides its own; may be repeated',
    completes: 'folder',
    notFromFile: true,
  },
  mode: {
    topic: 'sending',
    choices: ['create', 'update', 'upsert'],
    default: 'upsert',
    describe: 'What to do with new and with known records',
  },
  limit: { topic: 'selection', type: 'number', syntax: wholeNumber(1), describe: 'Take at most N records' },
  show: {
    topic: 'output',
    type: 'number',
    syntax: wholeNumber(1),
    describe: 'Print the first N finished records beside their cells; only without sending',
  },
  offset: {
    topic: 'selection',
    type: 'number',
    syntax: wholeNumber(0),
    default: 0,
    describe: 'Skip the first N records',
  },
  'max-errors': {
    topic: 'sending',
    type: 'string',
    syntax: MAX_ERRORS,
    describe: 'Stop when more than N records, or P% of them, went wrong (default: no limit)',
  },
  strict: {
    topic: 'output',
    type: 'boolean',
    default: false,
    describe: 'Exit with 1 if records are valid and probably not meant, such as products without a price',
  },
  accept: {
    topic: 'output',
    type: 'string',
    array: true,
    choices: FINDING_CODES,
    default: [] as string[],
    describe: 'Code of such a finding to leave out, as it is printed; may be repeated',
  },
  out: {
    topic: 'output',
    type: 'string',
    describe: 'Folder of the reports (default: storeport-runs/<run id>)',
    completes: 'folder',
    emptyIsNone: true,
  },
  set: {
    topic: 'mapping',
    type: 'string',
    syntax: ASSIGNMENT,
    array: true,
    default: [] as string[],
    describe: 'path=value, the same for all records; may be repeated',
  },
  'image-base': {
    topic: 'images',
    type: 'string',
    syntax: WEB_FOLDER,
    describe: 'Web address of the folder of images that are given as a path',
  },
  ...IMAGE_OPTIONS,
  country: {
    topic: 'mapping',
    type: 'string',
    syntax: COUNTRY,
    describe: 'Country code, such as DE: phone numbers without one are compared as numbers of this country',
    completes: COUNTRY_CODES,
  },
  'mask-contacts': {
    topic: 'mapping',
    type: 'boolean',
    default: false,
    describe: 'Replace mail addresses and phone numbers by made-up ones',
  },
  ...REPORT_OPTIONS,
  ...FORMAT_OPTIONS,
} as const satisfies OptionTable;

/** Removes the defaults of options: the values of an earlier run apply unless they are given again. */
export function withoutDefaults(options: OptionTable): OptionTable {
  return Object.fromEntries(
    Object.entries<Option>(options).map(([name, { default: _, ...option }]) => [name, option]),
  );
}

export const OVERRIDING_REPORT_OPTIONS: OptionTable = withoutDefaults(REPORT_OPTIONS);

/** `base-url` → `STOREPORT_BASE_URL`. */
export function variableOf(option: string): string {
  return `STOREPORT_${option.replaceAll('-', '_').toUpperCase()}`;
}
