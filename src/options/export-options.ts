import { FILTER_NAMES, READ_ONLY_FILTERS } from '../resources/names.ts';
import { CSV_OPTIONS } from './file-options.ts';
import type { OptionTable } from './option.ts';
import { wholeNumber } from './syntax.ts';

/** `reviews by product, rating, published; checkouts by status` */
const FILTERS_TEXT = Object.entries(READ_ONLY_FILTERS)
  .filter(([, filters]) => filters.length > 0)
  .map(([name, filters]) => `${name} by ${filters.join(', ')}`)
  .join('; ');

/** Options of an export, and of its file. */
export const EXPORT_OPTIONS = {
  out: {
    topic: 'output',
    describe:
      'File, compressed if it ends in .gz; {date}, {time}, {resource} and {profile} are filled in (default: standard output)',
    completes: 'file',
    emptyIsNone: true,
  },
  format: {
    ofTask: true,
    topic: 'output',
    choices: ['csv', 'json', 'ndjson'],
    describe: 'Default: by the name of the file, else csv',
    emptyIsNone: true,
  },
  columns: {
    ofTask: true,
    topic: 'mapping',
    describe: 'Columns of the CSV, with commas between; * is all that no other shows',
  },
  mapping: {
    ofTask: true,
    topic: 'mapping',
    describe: 'File that names the columns and says what they show, in place of --columns',
    completes: 'file',
  },
  filter: {
    ofTask: true,
    topic: 'selection',
    array: true,
    default: [] as string[],
    describe: `name=value: ${FILTERS_TEXT}`,
    completes: FILTER_NAMES,
  },
  since: {
    ofTask: true,
    topic: 'selection',
    describe: 'Leave out what was made before a day, a moment or an age: 2026-03-01, 36h, 7d',
  },
  incremental: {
    topic: 'selection',
    type: 'boolean',
    default: false,
    describe: 'Only what the exports before it did not have; added to their file if it is still there',
  },
  limit: {
    ofTask: true,
    topic: 'selection',
    type: 'number',
    syntax: wholeNumber(1),
    describe: 'Take at most N items',
  },
  raw: {
    ofTask: true,
    topic: 'output',
    type: 'boolean',
    default: false,
    describe: 'Leave cells that a spreadsheet would run as formulas',
    emptyIsNone: true,
  },
  ...CSV_OPTIONS,
} as const satisfies OptionTable;
