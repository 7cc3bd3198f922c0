import type { OptionTable } from './option.ts';
import { DURATION, POSITIVE, WEB_ADDRESS, wholeNumber } from './syntax.ts';

/** File in the working directory with named profiles and the store's differences from the API document. */
export const CONFIG_FILE = 'storeport.config.yaml';

/** How records are sent. */
export const SEND_OPTIONS = {
  'in-doubt': {
    repeats: 'with-store',
    topic: 'sending',
    choices: ['hold', 'resend'],
    default: 'hold',
    describe: 'A create whose answer was lost: leave it in doubt, or risk a double',
    emptyIsNone: true,
  },
} as const satisfies OptionTable;

/** Each concurrent request is a socket, and a record that a crash leaves in doubt. No store benefits from more. */
const MAX_CONCURRENT = 1000;

/** The store, and the pace of requests to it. */
export const STORE_OPTIONS = {
  'base-url': { repeats: 'with-store', topic: 'store', describe: "The store's address", emptyIsNone: true },
  'client-id': {
    repeats: 'with-store',
    topic: 'store',
    describe: 'Client id from the developer portal',
    emptyIsNone: true,
  },
  'store-id': {
    repeats: 'with-store',
    topic: 'store',
    describe: "The store's id (default: read from the token)",
  },
  profile: {
    repeats: 'with-store',
    topic: 'store',
    describe: `Named profile from ${CONFIG_FILE}`,
    completes: 'profile',
  },
  sandbox: {
    repeats: 'with-store',
    topic: 'store',
    type: 'boolean',
    default: false,
    describe: 'Use a sandbox store that lives as long as the command',
  },
  rate: {
    repeats: 'with-store',
    topic: 'sending',
    type: 'number',
    syntax: POSITIVE,
    describe: 'Upper bound, requests a second (default: none)',
  },
  concurrency: {
    repeats: 'with-store',
    topic: 'sending',
    type: 'number',
    syntax: wholeNumber(1, MAX_CONCURRENT),
    default: 16,
    describe: 'Requests in flight at once',
    emptyIsNone: true,
  },
  timeout: {
    repeats: 'with-store',
    topic: 'sending',
    syntax: DURATION,
    default: '30s',
    describe: 'Deadline of one request',
    emptyIsNone: true,
  },
  'give-up-after': {
    repeats: 'with-store',
    topic: 'sending',
    syntax: DURATION,
    default: '15m',
    describe: 'How long an outage during a run may last',
    emptyIsNone: true,
  },
} as const satisfies OptionTable;

/** Reports of the end of a command to other programs. */
export const MONITOR_OPTIONS = {
  notify: {
    topic: 'monitoring',
    syntax: WEB_ADDRESS,
    describe: 'Web address that gets a JSON object by POST when the command ends',
    emptyIsNone: true,
    isSecret: true,
  },
  metrics: {
    topic: 'monitoring',
    describe: 'File of figures for the textfile collector of the Prometheus node exporter',
    completes: 'file',
    emptyIsNone: true,
  },
} as const satisfies OptionTable;

/** Options of all commands. */
export const COMMON_OPTIONS = {
  home: {
    topic: 'general',
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
    describe: 'File that the log is appended to',
    completes: 'file',
    emptyIsNone: true,
  },
} as const satisfies OptionTable;
