import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from '../../src/cli/commands/command.ts';
import { EXIT_CODES } from '../../src/cli/exit-codes.ts';
import {
  COMMON_OPTIONS,
  type Option,
  type OptionTable,
  READ_OPTIONS,
  STORE_OPTIONS,
  variableOf,
} from '../../src/cli/options/options.ts';
import { STEPS } from '../../src/map/index.ts';
import { INCOMPLETE, OUTCOMES, type OutcomeStatus, RETURNED } from '../../src/model/index.ts';
import type { Summary } from '../../src/pipeline/index.ts';
import { REPORT_FILES, RESULT_COLUMNS, RETURN_COLUMNS } from '../../src/report/index.ts';
import {
  exportable,
  type FieldType,
  fieldType,
  importable,
  type ListEndpoint,
  leafPaths,
  nativeColumns,
  RESOURCES,
  typeAt,
} from '../../src/resources/index.ts';
import { FAULTS } from '../../src/sandbox/index.ts';
import { WHEN } from '../../src/sandbox/misbehave/when.ts';
import { MAX_TRIES } from '../../src/store/delivery/delivery.ts';
import { type Action, actionFor, CODES, RULES, type Situation } from '../../src/store/response/rules.ts';
import { requiredFields } from '../../src/validate/index.ts';

/** Parts of the pages that the code writes, by the name in `<!-- name:begin -->`. */
export async function generatedBlocks(): Promise<Map<string, string>> {
  const commands = await allCommands();
  return new Map([
    ['steps', steps()],
    ...[...commands].map(([name, command]): [string, string] => [
      `command-${name.replaceAll(' ', '-')}`,
      commandBlock(name, command),
    ]),
    ...OPTION_GROUPS.map(({ name, options }): [string, string] => [`options-${name}`, optionsTable(options)]),
    ['exit-codes', exitCodes()],
    ['empty-variables', emptyVariables(commands.values())],
    ['outcomes', outcomes()],
    ['result-columns', table(['column', 'holds'], rowsOf(RESULT_COLUMNS, RESULT_WORDS))],
    ['return-columns', table(['column', 'holds'], rowsOf(RETURN_COLUMNS, RETURN_WORDS))],
    ['summary-fields', table(['field', 'holds'], rowsOf(Object.keys(SUMMARY_WORDS), SUMMARY_WORDS))],
    ['delivery-rules', deliveryRules()],
    ['export-lists', exportLists()],
    ['api-parts', apiParts()],
    ...faultGroups().map((group): [string, string] => [`faults-${group}`, faults(group)]),
    ...importable.map(({ name }): [string, string] => [`fields-${name}`, fields(name)]),
  ]);
}

function faultGroups(): string[] {
  return [...new Set(Object.values(FAULTS).map(({ group }) => group))];
}

function faults(group: string): string {
  const own = Object.entries(FAULTS).filter(([, fault]) => fault.group === group);
  // When a request is struck has a table of its own.
  const values = own.some(([, { takes }]) => takes !== WHEN);
  return table(
    ['fault', ...(values ? ['takes'] : []), 'does', 'such as'],
    own.map(([name, { takes, says, example }]) => [
      code(name),
      ...(values ? [takes === WHEN ? 'when, as above' : takes] : []),
      says,
      code(`${name}=${example}`),
    ]),
  );
}

/** Every command, by the words that call it. A file of `commands/` exports it as `mappingListCommand`. */
export async function allCommands(): Promise<Map<string, Command<unknown>>> {
  const folder = new URL('../../src/cli/commands/', import.meta.url);
  const modules = readdirSync(folder).map((file) => import(fileURLToPath(new URL(file, folder))));
  const found = (await Promise.all(modules)).flatMap((module) =>
    Object.entries(module as Record<string, unknown>).filter(([name]) => name.endsWith('Command')),
  );
  return new Map(
    found.map(([name, command]) => [wordsOf(name.replace(/Command$/, '')), command as Command<unknown>]),
  );
}

/** `mappingList` → `mapping list` */
function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** `storeport mapping check <mapping> [file]` */
export function usageOf(name: string, { usage }: Command<unknown>): string {
  return ['storeport', ...name.split(' ').slice(0, -1), usage].join(' ');
}

const OPTION_GROUPS = [
  { name: 'read', title: 'Options for reading', options: READ_OPTIONS },
  { name: 'store', title: 'Options for the store', options: STORE_OPTIONS },
  { name: 'common', title: 'Options of every command', options: COMMON_OPTIONS },
] as const;

function commandBlock(name: string, command: Command<unknown>): string {
  const shared = OPTION_GROUPS.map(({ title, options }) => ({ title, options: options as OptionTable }));
  const isShared = (option: string, group: OptionTable) => group[option] === command.options[option];
  const own = Object.entries(command.options).filter(
    ([option]) => !shared.some(({ options }) => options[option] && isShared(option, options)),
  );
  const links = shared.flatMap(({ title, options }) => {
    const link = `[${title.toLowerCase()}](#${title.toLowerCase().replaceAll(' ', '-')})`;
    if (options === COMMON_OPTIONS) return [link];
    const names = Object.keys(options);
    const [taken, others] = [true, false].map((is) =>
      names.filter((each) => isShared(each, options) === is).map((each) => code(`--${each}`)),
    ) as [string[], string[]];
    if (taken.length === 0) return [];
    if (others.length === 0) return [link];
    return [
      taken.length > others.length ? `${link} but for ${others.join(', ')}` : `${link} ${taken.join(', ')}`,
    ];
  });
  return [
    `\`\`\`sh\n${usageOf(name, command)}\n\`\`\``,
    `${command.summary}.`,
    ...positionals(command),
    ...(own.length > 0 ? [optionsTable(Object.fromEntries(own))] : []),
    `${own.length > 0 ? 'And' : 'Takes'} the ${links.join(', the ')}.`,
  ].join('\n\n');
}

function positionals({ positionals }: Command<unknown>): string[] {
  if (!positionals) return [];
  return [
    table(
      ['argument', 'is'],
      Object.entries(positionals).map(([name, { describe }]) => [code(name), describe]),
    ),
  ];
}

function optionsTable(options: OptionTable): string {
  const rows = Object.entries(options).map(([name, option]) => [
    code(`--${name}`),
    valueWords(option),
    defaultOf(option),
    code(variableOf(name)),
    option.describe ?? '',
  ]);
  return table(['option', 'value', 'default', 'variable', 'does'], rows);
}

/** Those that count as not set when they are empty. */
function emptyVariables(commands: Iterable<Command<unknown>>): string {
  const tables = [COMMON_OPTIONS, ...[...commands].map(({ options }) => options)];
  const found = tables.flatMap((options: OptionTable) =>
    Object.entries(options).flatMap(([name, { emptyIsNone }]) => (emptyIsNone ? [variableOf(name)] : [])),
  );
  return `${[...new Set(found)].sort().map(code).join(', ')}.`;
}

function valueWords({ choices, type, array }: Option): string {
  if (choices) return choices.map((choice) => code(String(choice))).join(', ');
  if (type === 'boolean') return '–';
  return `${type === 'number' ? 'number' : 'text'}${array ? ', may be repeated' : ''}`;
}

function defaultOf({ default: value, type }: Option): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '–';
  if (type === 'boolean') return value ? 'on' : 'off';
  return code(String(value));
}

function steps(): string {
  return STEPS.map(({ name, doc, examples }) => {
    const rows = examples.map(({ args, in: cell, out, issue }) => [
      code(stepText(name, args)),
      code(cell),
      issue ? `issue ${code(issue)}` : out === undefined ? 'nothing' : code(JSON.stringify(out)),
    ]);
    return `### ${code(name)}\n\n${doc}\n\n${table(['in the mapping', 'cell', 'becomes'], rows)}`;
  }).join('\n\n');
}

/** How a step stands in a mapping; `else` stands beside `map`, not inside it. */
function stepText(name: string, args: unknown): string {
  if (name !== 'map') return `${name}: ${yaml(args)}`;
  const { words, else: otherwise } = args as { words: unknown; else?: unknown };
  return `map: ${yaml(words)}${otherwise === undefined ? '' : `, else: ${yaml(otherwise)}`}`;
}

function yaml(value: unknown): string {
  if (typeof value === 'string')
    return /^[A-Za-z]\w*$/.test(value) ? value : `'${value.replaceAll("'", "''")}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(yaml).join(', ')}]`;
  const entries = Object.entries(value).map(([key, inner]) => `${key}: ${yaml(inner)}`);
  return `{ ${entries.join(', ')} }`;
}

function exitCodes(): string {
  const rows = Object.values(EXIT_CODES).map(({ code: number, meaning }) => [String(number), meaning]);
  return table(['exit code', 'meaning'], rows);
}

const OUTCOME_WORDS: Readonly<Record<OutcomeStatus, string>> = {
  created: 'The store created it, and gave it the id in the column `id`.',
  updated: 'The store changed it.',
  unchanged: 'Nothing was sent: the store has it already, with these values.',
  planned: '`validate` only: it would be sent.',
  duplicate:
    'Its key stood in the file before. The first record counts, also while it is invalid; the message says what to do.',
  invalid: 'Something is wrong with its data; it was not sent.',
  rejected: 'It was sent, and the store said no.',
  failed: `It could not be sent, or an update had no usable answer in ${MAX_TRIES} tries.`,
  'in-doubt': 'A create was sent and no usable answer came back: it may be in the store, or not.',
  unsent:
    'The run stopped before it, the API cannot do it (`no-update`), or it is in the trash since an undo (`taken-back`).',
};

function outcomes(): string {
  const rows = OUTCOMES.map((word) => [
    code(word),
    OUTCOME_WORDS[word],
    RETURNED.has(word) ? code(REPORT_FILES.errors) : word === 'in-doubt' ? code(REPORT_FILES.inDoubt) : '–',
    INCOMPLETE.has(word) ? '1' : '0',
  ]);
  return table(['outcome', 'means', 'its rows are in', 'exit code'], rows);
}

const RESULT_WORDS: Readonly<Record<(typeof RESULT_COLUMNS)[number], string>> = {
  row: 'Row of the source file as a spreadsheet numbers it (the header is row 1); of a group, its first row.',
  key: 'What identifies the record: `reference` of a product, `email` (else `phone`) of a customer, `name` of a supplier, `code` of a discount; of an order the column that the mapping names.',
  outcome: 'What became of it, see [outcomes](#outcomes).',
  id: "The store's id (`_id`).",
  http_status: 'Status of the last answer; empty where none came.',
  attempts: 'Requests that were sent for it; 0 if none.',
  duration_ms: 'From the first attempt to the end, in milliseconds, waiting included.',
  code: 'Why, in one word that scripts can rely on, see [codes](#codes). Empty when all is well.',
  field: 'Field of the store that it is about, such as `price.salePrice`.',
  message: 'Why, in a sentence: row, column, what was found and what to do.',
};

const RETURN_WORDS: Readonly<Record<(typeof RETURN_COLUMNS)[number], string>> = {
  storeport_run: 'The run that gave the row back.',
  storeport_row: 'Where the row stood in the source file.',
  storeport_outcome: 'Outcome of its record.',
  storeport_code: 'As `code` in results.csv.',
  storeport_field: 'As `field` in results.csv.',
  storeport_message:
    'As `message` in results.csv; with cells that had no column of their own, so that nothing is lost, and with the check mark of a row that could not be read.',
};

const SUMMARY_WORDS: Readonly<Record<keyof Summary, string>> = {
  run: 'Id of the run; begins with its date and time (UTC).',
  command: '`import`, `validate`, `adopt` or `undo`.',
  resource: '`products`, `customers`, `suppliers`, `discounts` or `orders`.',
  mode: 'As `--mode`; `adopt` for `run adopt`, `update` for `run undo`.',
  offset: 'Records that were passed over, as `--offset` asked.',
  store: 'Base URL of the store; null for `validate`.',
  files:
    'The source files with their SHA-256 (null for a file that was not read to its end); how many rows were left out since they are empty (`empty_rows`), or since the mapping says so (`skipped_rows`), where there are any; the columns that the mapping does not use (`unused_columns`), all of them, where the terminal names the first six; those of them that hold [data that a shop would miss](mapping-reference.md#what-is-checked), by kind (`missed_columns`); what the mapping [says about records](mapping-reference.md#warnings), or storeport about [keys](delivery.md#importing-again) and [rows of one record](mapping-reference.md#groups) (`warnings`: a sentence, how many records it is about, and the first ten); and what [looks damaged](#the-file) (`suspicious`).',
  mapping: 'Name of the mapping, and the SHA-256 of its text.',
  records: 'How many records were read. The outcomes add up to it.',
  outcomes: 'How many records ended in which way; only those that occurred.',
  not_read:
    'Only when the run stopped early: records behind the last one that was read; null when they could not be counted.',
  stopped: 'Only when the run stopped early: `reason` (a word, see [codes](#codes)) and `message`.',
  never_held:
    'Only where a mapping of your own has them: conditions, maps and lookups that applied to no record ([how they are counted](mapping-reference.md#rules-that-never-apply)): `field`, `kind`, `text` and `line`.',
  problems:
    'What went wrong, most frequent first, at most 20 kinds: outcome, code, field, how many records have it (`count`), how often it occurs in them (`issues`), and the first example. A record with several kinds is counted in each of them. `*` in a field is any place in a list.',
  attempts: 'Requests that were sent for records, repeats included.',
  started_at: 'Beginning, UTC.',
  finished_at: 'End, UTC.',
  duration_ms: 'The time between, in milliseconds.',
  records_per_second: 'Records divided by that time.',
  versions: 'Of storeport and of Node.',
  out: 'Folder of the reports.',
  exit_code: 'As the command ended.',
};

const SITUATION_WORDS: Readonly<Record<Situation, string>> = {
  'not-sent': 'No connection: name not found, refused, TLS, too slow. Nothing of the request was written',
  unsendable: 'The request is not one that can be sent over HTTP',
  unauthorized:
    '401: the token does not hold (any more); if the store accepts the new token and still refuses, the record is rejected with `store-refused`',
  'token-refused':
    '400 or 403 whose body speaks of the access token and of nothing else; for a new token too, it is the record that is refused',
  throttled: '429: too many requests',
  unavailable: "503 with `Retry-After`, or in the API's own JSON: refused before anything happened",
  'no-answer': 'The request was written, and then: no answer in time, connection closed, not HTTP',
  'server-error': '408, 500, 502, 504, a bare 503, any other 5xx',
  unreadable: '2xx, but the answer is empty, cut off, too large or not JSON',
  'accepted-without-id': '2xx with JSON that has no id',
  'other-record': '2xx with a record that has another key than the one that was sent',
  redirect: '3xx: redirects are not followed',
  refused: 'Any other 4xx',
  'refused-by-page':
    'The same with a web page for its answer: mostly of a firewall or a web server in between',
  'body-says-failed': '2xx with JSON that says it failed',
  done: '2xx that says it worked',
};

const ACTION_WORDS: Readonly<Record<Action, string>> = {
  done: 'done',
  wait: 'waited, sent again for as long as an outage may last',
  again: `sent again, ${MAX_TRIES} tries in all`,
  refresh: 'new token, sent again',
  'in-doubt': '**in doubt**, not sent again',
  rejected: 'rejected',
  failed: 'failed',
};

function deliveryRules(): string {
  const rows = (Object.keys(RULES) as Situation[]).map((situation) => {
    const { create, update, read } = RULES[situation];
    const resent = create === 'in-doubt' && actionFor(situation, 'create', 'resend') === 'again';
    const repeatable = [...new Set([update, read])].map((action) => ACTION_WORDS[action]).join('; a read: ');
    return [
      SITUATION_WORDS[situation],
      `${ACTION_WORDS[create]}${resent ? ' (but with `--in-doubt resend`)' : ''}`,
      repeatable,
      situation === 'done' ? '–' : code(CODES[situation]),
    ];
  });
  return table(['what happened', 'a create is', 'an update or a read is', 'code'], rows);
}

function apiParts(): string {
  const rows = RESOURCES.map(({ name, create, update, list, envelopes }) => [
    code(name),
    create ? code(`${create.method} ${create.path}`) : '–',
    update ? code(`${update.method} ${update.path}?${update.idParam}=…`) : '–',
    list ? [`${code(list.path)} by ${list.pageSize}`, ...filterWords(list)].join('; ') : '–',
    envelopes?.map(code).join(', ') ?? '–',
  ]);
  return table(['resource', 'create', 'update', 'list', 'envelopes'], rows);
}

function filterWords({ id, filters, undocumented }: ListEndpoint): string[] {
  const names = Object.entries(filters).map(([name, sent]) =>
    name === sent ? code(name) : `${code(name)} as ${code(sent)}`,
  );
  return [
    id === undefined ? 'no id' : `id ${code(id)}`,
    ...(names.length > 0 ? [`filters ${names.join(', ')}`] : []),
    ...(undocumented ? ['its answer is not documented'] : []),
  ];
}

function exportLists(): string {
  const rows = exportable.map((resource) => [
    code(resource.name),
    Object.keys(resource.list?.filters ?? {})
      .map(code)
      .join(', ') || 'none',
    nativeColumns(resource).map(code).join(' '),
  ]);
  return table(['export', 'filters', 'columns of the CSV, in this order'], rows);
}

function fields(name: string): string {
  const resource = importable.find((each) => each.name === name);
  if (!resource) throw new Error(`there is no resource ${name}`);
  const suppliedLater = resource.fromSettings ?? [];
  const required = requiredFields(resource, { partial: false, suppliedLater });
  const root = fieldType(resource.schema);
  const rows = leafPaths(root).map((path) => [
    code(path),
    typeWords(typeAt(root, path.split('.'))),
    required.includes(path)
      ? 'yes'
      : suppliedLater.some((each) => each === path)
        ? 'filled in by itself'
        : '',
  ]);
  return table(['field', 'holds', 'required'], rows);
}

function typeWords(type: FieldType | undefined): string {
  switch (type?.kind) {
    case 'choice':
      return type.values.map(code).join(', ');
    case 'boolean':
      return 'true or false';
    case 'list':
      return type.item.kind === 'object'
        ? `list of ${itemWords(type.item)}`
        : `list of ${typeWords(type.item)}`;
    case 'object':
      return 'object with any fields';
    default:
      return type?.kind ?? '';
  }
}

/** Lists inside of it are written out, since they stand nowhere else. */
function itemWords(item: FieldType): string {
  const words = (path: string) => {
    const type = typeAt(item, path.split('.'));
    return type?.kind === 'list' && type.item.kind === 'object'
      ? `${code(path)} (${typeWords(type)})`
      : code(path);
  };
  return leafPaths(item).map(words).join(', ');
}

function rowsOf<Name extends string>(
  names: readonly Name[],
  words: Readonly<Record<string, string>>,
): string[][] {
  return names.map((name) => [code(name), words[name] ?? '']);
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), `|${'---|'.repeat(header.length)}`, ...rows.map(line)].join('\n');
}
