import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from '../../../src/cli/commands/command.ts';
import { EXIT_CODES } from '../../../src/cli/exit-codes.ts';
import { tablesByTopic } from '../../../src/cli/help-options.ts';
import {
  COMMON_OPTIONS,
  type Option,
  type OptionTable,
  READ_OPTIONS,
  STORE_OPTIONS,
  variableOf,
} from '../../../src/options/index.ts';
import { code, table } from './markdown.ts';

/** Every command, by the words that call it. A file of `commands/` exports it as `mappingListCommand`. */
export async function allCommands(): Promise<Map<string, Command<unknown>>> {
  const folder = new URL('../../../src/cli/commands/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const modules = files.map((file) => import(join(fileURLToPath(folder), file)));
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

export const OPTION_GROUPS = [
  { name: 'read', title: 'Options for reading', options: READ_OPTIONS },
  { name: 'store', title: 'Options for the store', options: STORE_OPTIONS },
  { name: 'common', title: 'Options of every command', options: COMMON_OPTIONS },
] as const;

export function commandBlock(name: string, command: Command<unknown>): string {
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

/** The tables of options that several commands share: one for each topic. */
export function optionsByTopic(options: OptionTable): string {
  return tablesByTopic(options)
    .map(([title, own]) => `**${title}**\n\n${optionsTable(own)}`)
    .join('\n\n');
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

/** Options that count as not set if they are empty. */
export function emptyVariables(commands: Iterable<Command<unknown>>): string {
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

export function exitCodes(): string {
  const rows = Object.values(EXIT_CODES).map(({ code: number, meaning }) => [String(number), meaning]);
  return table(['exit code', 'meaning'], rows);
}
