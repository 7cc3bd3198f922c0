import { ConfigError, shownWord } from '../model/index.ts';
import { COMMON_OPTIONS, type OptionTable, variableOf } from '../options/index.ts';
import type { AnyCommand } from './commands/command.ts';
import type { CommandLine } from './options/command-line.ts';

/** Commands by name, such as `run list`. */
export type Commands = ReadonlyMap<string, AnyCommand>;

export interface FoundCommand {
  readonly name: string;
  readonly command: AnyCommand;
  /** The words after its name. */
  readonly words: readonly string[];
}

/** Finds the command that the words name. Throws ConfigError with the nearest name if there is none. */
export async function findCommand(words: readonly string[], commands: Commands): Promise<FoundCommand> {
  for (const length of [3, 2, 1]) {
    const name = words.slice(0, length).join(' ');
    const command = commands.get(name);
    if (command && words.length >= length) return { name, command, words: words.slice(length) };
  }
  const group = [words.slice(0, 2), words.slice(0, 1)]
    .map((each) => each.join(' '))
    .find((each) => membersOf(each, commands).length > 0);
  if (group === undefined) throw await unknownCommand(words[0] ?? '', commands);
  const members = membersOf(group, commands);
  const next = words[group.split(' ').length];
  if (next === undefined)
    throw new ConfigError(`${group} needs one more word: ${members.join(', ')}.`, [
      `See: storeport ${group} --help`,
    ]);
  throw new ConfigError(
    `There is no command "${group} ${shownWord(next)}".${await suggestion(next, members, (name) => `${group} ${name}`)}`,
    [`${group} takes one of: ${members.join(', ')}.`, `See: storeport ${group} --help`],
  );
}

/** Options of a command, with those that all commands have. */
export function allOptions({ options }: AnyCommand): OptionTable {
  return { ...options, ...COMMON_OPTIONS };
}

/** The words that may follow a group: `run` → `list`, `show`, …; `fleet` → `init`, `store`, … */
export function membersOf(group: string, commands: Commands): string[] {
  const names = [...commands.keys()].filter((name) => name.startsWith(`${group} `));
  return [...new Set(names.map((name) => name.slice(group.length + 1).split(' ')[0] ?? ''))];
}

async function unknownCommand(word: string, commands: Commands): Promise<ConfigError> {
  // `storeport resume` for `storeport run resume`.
  const members = [...commands.keys()].filter((name) => name.split(' ')[1] === word);
  const firsts = [...new Set([...commands.keys()].map((name) => name.split(' ')[0] ?? ''))];
  const hint =
    members.length > 0
      ? ` Did you mean ${members.join(' or ')}?`
      : await suggestion(word, ['help', ...firsts]);
  return new ConfigError(`There is no command "${shownWord(word)}".${hint}`, ['See: storeport --help']);
}

/** Throws ConfigError for the first option that the command does not have. */
export async function refuseUnknownOptions(
  { given }: CommandLine,
  { name, command }: FoundCommand,
  commands: Commands,
): Promise<void> {
  const options = allOptions(command);
  const unknown = given.find((each) => !Object.hasOwn(options, each.name));
  if (!unknown) return;
  const commandsWithIt = [...commands].filter(([, { options }]) => Object.hasOwn(options, unknown.name));
  const [, no = '', bare = ''] = /^-*(no-)?(.*)$/s.exec(unknown.name) ?? [];
  const negated = no === '' ? undefined : options[bare];
  if (negated)
    throw new ConfigError(
      negated.type === 'boolean'
        ? `--no-${bare} takes no value. Write --no-${bare} or --${bare}.`
        : `There is no --no-${bare}. Write --${bare} with a value, or leave the option out.`,
      [`See: storeport ${name} --help-all`],
    );
  const own = await suggestion(bare, Object.keys(options), (option) => `--${no}${option}`);
  const hint = own || (await otherSuggestion(bare, commands));
  throw new ConfigError(`${name} has no option ${shownWord(unknown.written)}.${hint}`, [
    ...(hint === '' && commandsWithIt.length > 0
      ? [`It is an option of: ${commandsWithIt.map(([each]) => each).join(', ')}.`]
      : []),
    ...(bare === 'client-secret'
      ? ['Other users can see the command line: set STOREPORT_CLIENT_SECRET, or write it in a profile.']
      : []),
    `See: storeport ${name} --help-all`,
  ]);
}

/** Suggests an option that other commands have. */
async function otherSuggestion(word: string, commands: Commands): Promise<string> {
  const owners = new Map<string, string[]>();
  for (const [name, { options }] of commands)
    for (const option of Object.keys(options)) owners.set(option, [...(owners.get(option) ?? []), name]);
  // The option itself is not a mistake in its letters: a hint names its commands.
  if (owners.has(word)) return '';
  return suggestion(
    word,
    [...owners.keys()],
    (option) => `--${option}, an option of ${owners.get(option)?.join(', ')}`,
  );
}

/** Returns warnings for variables that resemble one of ours: a misspelled one would silently have no effect. */
export async function misspelledVariables(
  environment: Readonly<Record<string, string | undefined>>,
  commands: Commands,
): Promise<string[]> {
  const options = [COMMON_OPTIONS, ...[...commands.values()].map((command) => command.options)];
  const known = new Set([
    'STOREPORT_CLIENT_SECRET',
    'STOREPORT_NOTIFY_SECRET',
    ...options.flatMap(Object.keys).map(variableOf),
  ]);
  const unknown = Object.keys(environment).filter((name) => /^STOREPORT_/i.test(name) && !known.has(name));
  if (unknown.length === 0) return [];
  const { nearest } = await import('../map/did-you-mean.ts');
  return unknown.flatMap((name) => {
    const best = nearest(
      name.slice(PREFIX.length),
      [...known].map((each) => each.slice(PREFIX.length)),
    );
    return best === undefined ? [] : [`${shownWord(name)} is not read. Did you mean ${PREFIX}${best}?`];
  });
}

const PREFIX = 'STOREPORT_';

/** ` Did you mean …?` with the nearest of the names, or '' if none is near. */
async function suggestion(
  word: string,
  names: readonly string[],
  shown: (name: string) => string = (name) => name,
): Promise<string> {
  // Loaded only for an error: every command runs this file.
  const { nearest } = await import('../map/did-you-mean.ts');
  const best = nearest(word, names);
  return best === undefined ? '' : ` Did you mean ${shown(best)}?`;
}
