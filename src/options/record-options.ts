import { COUNTRY_CODES, FINDING_CODES } from '../model/index.ts';
import { CSV_OPTIONS, FORMAT_OPTIONS } from './file-options.ts';
import type { OptionTable } from './option.ts';
import {
  AGE_OR_ZERO,
  ASSIGNMENT,
  COUNTRY,
  MAX_ERRORS,
  POSITIVE,
  SIZE,
  WEB_FOLDER,
  wholeNumber,
} from './syntax.ts';

/** Records of a file, and their treatment. */
export const RECORD_OPTIONS = {
  mapping: {
    repeats: 'always',
    ofTask: true,
    topic: 'mapping',
    describe: 'Preset or mapping file (default: recognised by the header)',
    completes: 'mapping',
  },
  'allow-lookup': {
    repeats: 'always',
    ofTask: true,
    topic: 'mapping',
    array: true,
    default: [] as string[],
    describe: 'Folder for lookup files of the mapping, besides its own; may be repeated',
    completes: 'folder',
    notFromFile: true,
  },
  mode: {
    repeats: 'always',
    ofTask: true,
    topic: 'sending',
    choices: ['create', 'update', 'upsert'],
    default: 'upsert',
    describe: 'What to do with new and with known records',
  },
  limit: {
    ofTask: true,
    topic: 'selection',
    type: 'number',
    syntax: wholeNumber(1),
    describe: 'Take at most N records',
  },
  show: {
    topic: 'output',
    type: 'number',
    syntax: wholeNumber(1),
    describe: 'Print the first N finished records beside their cells; only without sending',
  },
  offset: {
    ofTask: true,
    topic: 'selection',
    type: 'number',
    syntax: wholeNumber(0),
    default: 0,
    describe: 'Skip the first N records',
  },
  set: {
    repeats: 'always',
    ofTask: true,
    topic: 'mapping',
    syntax: ASSIGNMENT,
    array: true,
    default: [] as string[],
    describe: 'path=value, the same for all records; may be repeated',
  },
  'image-base': {
    repeats: 'always',
    ofTask: true,
    topic: 'images',
    syntax: WEB_FOLDER,
    describe: 'Web address of the folder of images that are given as a path',
  },
  country: {
    repeats: 'always',
    ofTask: true,
    topic: 'mapping',
    syntax: COUNTRY,
    describe: 'Country code, such as DE: phone numbers without one are compared as numbers of this country',
    completes: COUNTRY_CODES,
  },
  'mask-contacts': {
    repeats: 'always',
    ofTask: true,
    topic: 'mapping',
    type: 'boolean',
    default: false,
    describe: 'Replace mail addresses and phone numbers by made-up ones',
  },
  'max-errors': {
    repeats: 'always',
    ofTask: true,
    topic: 'sending',
    syntax: MAX_ERRORS,
    describe: 'Stop when more than N records, or P% of them, went wrong (default: no limit)',
  },
  strict: {
    repeats: 'always',
    ofTask: true,
    topic: 'output',
    type: 'boolean',
    default: false,
    describe: 'Exit with 1 if records are valid and probably not meant, such as products without a price',
  },
  accept: {
    repeats: 'always',
    ofTask: true,
    topic: 'output',
    array: true,
    choices: FINDING_CODES,
    default: [] as string[],
    describe: 'Code of such a finding to leave out, as it is printed; may be repeated',
  },
  out: {
    topic: 'output',
    describe: 'Folder of the reports (default: storeport-runs/<run id>)',
    completes: 'folder',
    emptyIsNone: true,
  },
} as const satisfies OptionTable;

/** The check of images before all else. */
export const IMAGE_OPTIONS = {
  'check-images': {
    ofTask: true,
    topic: 'images',
    type: 'boolean',
    default: false,
    describe: 'First ask for the address of each image: records with dead ones are invalid',
  },
  'image-rate': {
    ofTask: true,
    topic: 'images',
    type: 'number',
    syntax: POSITIVE,
    default: 20,
    describe: 'Requests a second to each host of images',
    emptyIsNone: true,
  },
  'image-max-size': {
    ofTask: true,
    topic: 'images',
    syntax: SIZE,
    default: '20MB',
    describe: 'The largest image that is allowed',
    emptyIsNone: true,
  },
  'image-max-age': {
    ofTask: true,
    topic: 'images',
    syntax: AGE_OR_ZERO,
    default: '7d',
    describe: 'How long an image that was fine is not asked for again',
    emptyIsNone: true,
  },
  'allow-private-images': {
    topic: 'images',
    type: 'boolean',
    default: false,
    describe: 'Also ask for images on this machine and in private networks',
    notFromFile: true,
    emptyIsNone: true,
  },
} as const satisfies OptionTable;

/** The form of the reports. */
export const REPORT_OPTIONS = {
  'errors-as': {
    repeats: 'always',
    ofTask: true,
    topic: 'output',
    choices: ['csv', 'xlsx'],
    default: 'csv',
    describe: 'Rows to correct and rows in doubt: CSV, or Excel workbooks with the wrong cells marked',
    emptyIsNone: true,
  },
  'report-without-rows': {
    repeats: 'always',
    ofTask: true,
    topic: 'output',
    type: 'boolean',
    default: false,
    describe: 'Leave rows, keys and cells out of report.html',
  },
  ...CSV_OPTIONS,
} as const satisfies OptionTable;

/** Options of commands that make records of files. */
export const READ_OPTIONS = {
  ...RECORD_OPTIONS,
  ...IMAGE_OPTIONS,
  ...REPORT_OPTIONS,
  ...FORMAT_OPTIONS,
} as const satisfies OptionTable;
