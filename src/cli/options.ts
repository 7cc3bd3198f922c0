import type { Options } from 'yargs';

/** In the working directory: named profiles, and what the store's API does otherwise. */
export const CONFIG_FILE = 'storeport.config.yaml';

/** Options of every command. */
export const COMMON_OPTIONS = {
  home: {
    type: 'string',
    default: '.storeport',
    requiresArg: true,
    describe: 'Folder of the ledger and other state',
  },
  quiet: { type: 'boolean', default: false, describe: 'Only errors on standard error' },
  json: { type: 'boolean', default: false, describe: 'One JSON summary on standard output and nothing else' },
  progress: { type: 'boolean', default: true, describe: 'Show progress; --no-progress does not' },
  'log-level': {
    choices: ['trace', 'debug', 'info', 'warn', 'error'],
    requiresArg: true,
    describe: 'Write a log of this level and above: to standard error, or to --log-file',
  },
  'log-file': { type: 'string', requiresArg: true, describe: 'File that the log is appended to' },
} as const satisfies Record<string, Options>;

/** Options of every command that talks to a store. */
export const STORE_OPTIONS = {
  'base-url': { type: 'string', requiresArg: true, describe: "The store's address" },
  'client-id': { type: 'string', requiresArg: true, describe: 'Client id from the developer portal' },
  'store-id': {
    type: 'string',
    requiresArg: true,
    describe: "The store's id (default: read from the token)",
  },
  profile: { type: 'string', requiresArg: true, describe: `Named profile from ${CONFIG_FILE}` },
  sandbox: {
    type: 'boolean',
    default: false,
    describe: 'Use a sandbox store that lives as long as the command',
  },
  rate: { type: 'number', requiresArg: true, describe: 'Upper bound, requests a second (default: none)' },
  concurrency: { type: 'number', default: 16, requiresArg: true, describe: 'Requests in flight at once' },
  timeout: { type: 'string', default: '30s', requiresArg: true, describe: 'Deadline of one request' },
  'give-up-after': {
    type: 'string',
    default: '15m',
    requiresArg: true,
    describe: 'How long an outage in mid-run may last',
  },
} as const satisfies Record<string, Options>;

/** Options of commands that send records. */
export const SEND_OPTIONS = {
  'in-doubt': {
    choices: ['hold', 'resend'],
    default: 'hold',
    requiresArg: true,
    describe: 'A create whose answer was lost: leave it in doubt, or risk a double',
  },
} as const satisfies Record<string, Options>;

/** Options of commands that read a source file. */
export const READ_OPTIONS = {
  mapping: {
    type: 'string',
    requiresArg: true,
    describe: 'Preset or mapping file (default: recognised by the header)',
  },
  mode: {
    choices: ['create', 'update', 'upsert'],
    default: 'upsert',
    requiresArg: true,
    describe: 'What to do with new and with known records',
  },
  limit: { type: 'number', requiresArg: true, describe: 'Take at most N records' },
  offset: { type: 'number', default: 0, requiresArg: true, describe: 'Skip the first N records' },
  'max-errors': {
    type: 'string',
    requiresArg: true,
    describe: 'Stop when more than N records, or P% of them, went wrong (default: no limit)',
  },
  out: {
    type: 'string',
    requiresArg: true,
    describe: 'Folder of the reports (default: storeport-runs/<run id>)',
  },
  set: {
    type: 'string',
    array: true,
    default: [] as string[],
    requiresArg: true,
    describe: 'path=value, the same for all records; may be repeated',
  },
  'image-base': {
    type: 'string',
    requiresArg: true,
    describe: 'Address of the folder in which images lie that have a path only',
  },
  'mask-contacts': {
    type: 'boolean',
    default: false,
    describe: 'Rehearse with made-up mail addresses and phone numbers',
  },
  format: {
    choices: ['csv', 'tsv', 'json', 'ndjson'],
    requiresArg: true,
    describe: 'What the files are (default: detected)',
  },
  encoding: {
    type: 'string',
    requiresArg: true,
    describe: 'What the bytes mean, such as windows-1252 (default: detected)',
  },
  delimiter: { type: 'string', requiresArg: true, describe: 'Between cells (default: detected)' },
  quote: { type: 'string', requiresArg: true, describe: 'Around cells (default: detected, mostly ")' },
} as const satisfies Record<string, Options>;

/** `base-url` → `STOREPORT_BASE_URL`. */
export function variableOf(option: string): string {
  return `STOREPORT_${option.replaceAll('-', '_').toUpperCase()}`;
}

/** Their environment forms stand behind a named profile, so `storeSettings` reads them. */
const SETTINGS: ReadonlySet<string> = new Set(['base-url', 'client-id', 'store-id', 'profile']);

/**
 * Option values from the environment, as the configuration that the command line takes precedence over. Only what
 * is an option: STOREPORT_CLIENT_SECRET is none, so it cannot come by this way.
 */
export function optionsFrom(
  environment: Readonly<Record<string, string | undefined>>,
  options: Readonly<Record<string, Options>>,
): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, { type, array }] of Object.entries(options)) {
    const text = environment[variableOf(name)];
    if (text === undefined || text === '' || SETTINGS.has(name)) continue;
    if (type === 'number') found[name] = Number(text);
    else if (type === 'boolean') found[name] = /^(1|true|yes|on)$/i.test(text);
    else found[name] = array ? [text] : text;
  }
  return found;
}
