import type { OptionTable } from './option.ts';
import { ANY_TEXT, CELL_RULE, OUT_DELIMITER, ROW_RANGES, wholeNumber } from './syntax.ts';

/** The form of CSV files that are written. */
export const CSV_OPTIONS = {
  'out-delimiter': {
    repeats: 'always',
    ofTask: true,
    topic: 'output',
    syntax: OUT_DELIMITER,
    describe: 'Delimiter of CSV files that are written: ";", "," or tab (default: a comma)',
    completes: ['tab'],
    emptyIsNone: true,
  },
  'out-bom': {
    repeats: 'always',
    ofTask: true,
    topic: 'output',
    type: 'boolean',
    default: false,
    describe: 'Begin them with a byte order mark, by which Excel recognises UTF-8',
    emptyIsNone: true,
  },
} as const satisfies OptionTable;

const MAX_SKIPPED_LINES = 10_000;

/** How a source file is written, and which of its rows are read. */
export const FORMAT_OPTIONS = {
  format: {
    ofTask: true,
    topic: 'reading',
    choices: ['csv', 'tsv', 'json', 'ndjson', 'xlsx'],
    describe: 'Format of the files (default: detected)',
    emptyIsNone: true,
  },
  encoding: {
    ofTask: true,
    topic: 'reading',
    describe: 'Text encoding, such as windows-1252 (default: detected)',
    emptyIsNone: true,
  },
  delimiter: {
    ofTask: true,
    topic: 'reading',
    syntax: ANY_TEXT,
    describe: 'Delimiter between cells (default: detected)',
    emptyIsNone: true,
  },
  quote: {
    ofTask: true,
    topic: 'reading',
    syntax: ANY_TEXT,
    describe: 'Quote around cells (default: detected, mostly ")',
    emptyIsNone: true,
  },
  sheet: {
    ofTask: true,
    topic: 'reading',
    describe: 'Sheet of a workbook, by its name or its number from 1 (default: the first)',
    emptyIsNone: true,
  },
  'skip-lines': {
    ofTask: true,
    topic: 'reading',
    type: 'number',
    syntax: wholeNumber(0, MAX_SKIPPED_LINES),
    describe: 'Lines above the header that are not data (default: titles that plainly are none)',
    emptyIsNone: true,
  },
  'no-header': {
    ofTask: true,
    topic: 'reading',
    type: 'boolean',
    describe: 'The first row is data: columns are called A, B, C, as in a spreadsheet',
    emptyIsNone: true,
  },
  'pad-rows': {
    ofTask: true,
    topic: 'reading',
    type: 'boolean',
    describe: 'Cells that are missing at the end of a row are empty',
    emptyIsNone: true,
  },
  rows: {
    ofTask: true,
    topic: 'reading',
    syntax: ROW_RANGES,
    describe: 'Rows to read, by the numbers that reports show, such as 4-63, 4- or -63,70-80 (default: all)',
  },
  'skip-rows': {
    ofTask: true,
    topic: 'reading',
    syntax: CELL_RULE,
    array: true,
    describe: 'column=text: leave out rows with this cell, such as SKU=TOTAL; may be repeated',
  },
  'until-blank-row': {
    ofTask: true,
    topic: 'reading',
    type: 'boolean',
    describe: 'Read no further than the first empty row below the data',
  },
} as const satisfies OptionTable;
