import { ConfigError, MistypedError, shownWord } from '../../model/index.ts';
import {
  camelCase,
  type Option,
  type OptionTable,
  TEXT,
  valueSyntaxOf,
  variableOf,
} from '../../options/index.ts';
import type { Positional } from '../described-command.ts';
import type { Environment } from '../io.ts';
import type { CommandLine, GivenArgument } from './command-line.ts';
import { ENV_FILE, originOfVariable } from './origins.ts';

type Value = ReturnType<ReturnType<typeof valueSyntaxOf>['read']>;

/** Options whose variables rank below a named profile, so `storeSettings` and `databaseSettings` read them. */
const SETTINGS: ReadonlySet<string> = new Set(['base-url', 'client-id', 'store-id', 'profile', 'database']);

/** Values of options, with the names of those set by the environment. */
export interface OptionValues {
  readonly values: Readonly<Record<string, Value | readonly Value[]>>;
  readonly fromEnvironment: readonly string[];
}

/**
 * Returns the value of each option: from the command line, else from the environment, else its default. All text is
 * parsed here, so that `yes` means the same in every source. Throws ConfigError for text that is not a valid value.
 * Names are in camel case.
 */
export function optionValues(
  options: OptionTable,
  { given }: CommandLine,
  environment: Environment,
): OptionValues {
  const values: Record<string, Value | readonly Value[]> = {};
  const fromEnvironment: string[] = [];
  for (const [name, option] of Object.entries(options)) {
    const own = given.filter((each) => each.name === name);
    const last = own.at(-1);
    if (last !== undefined) {
      const read = own.map((each) => givenValue(each, option));
      values[camelCase(name)] = option.array ? read : read.at(-1);
      continue;
    }
    const value = variableValue(name, option, environment);
    if (value !== undefined && !SETTINGS.has(name)) {
      values[camelCase(name)] = option.array ? [value] : value;
      fromEnvironment.push(name);
    } else if (option.default !== undefined) values[camelCase(name)] = option.default;
  }
  return { values, fromEnvironment };
}

/** Parses a value of the command line. The last of several applies, but all must be valid. */
function givenValue({ written, text, next }: GivenArgument, option: Option): Value {
  const { words, read, blank } = valueSyntaxOf(option);
  if (text === undefined) {
    if (option.type === 'boolean') return true;
    throw new ConfigError(`${written} needs a value: ${meaning(option)}.${looksLikeOption(written, next)}`);
  }
  if (!blank && text.trim() === '')
    throw new ConfigError(`${written} is empty: leave it out, or give it a value (${meaning(option)}).`);
  const value = read(text);
  if (value === undefined)
    throw wrongValue(`${written} takes ${words}${foundText(text, option)}.`, text, option);
  return value;
}

/** Words of a switch that are suggested for a mistyped one. */
const SWITCH_WORDS = ['yes', 'no', 'true', 'false', 'on', 'off'];

function wrongValue(message: string, word: string, { choices, type }: Option): ConfigError {
  const names = choices ?? (type === 'boolean' ? SWITCH_WORDS : []);
  return new MistypedError(message, [], { word: word.trim(), names: () => names });
}

/** Hint for `--delimiter -x`: only the user knows if `-x` is a value. */
function looksLikeOption(written: string, next: string | undefined): string {
  return next === undefined || next.startsWith('--')
    ? ''
    : ` If that is ${shownWord(next)}, write ${written}=${shownWord(next)}.`;
}

/** Parses the variable of an option; undefined if it is not set. Throws ConfigError if it is not valid. */
function variableValue(name: string, option: Option, environment: Environment): Value {
  const variable = variableOf(name);
  const text = environment[variable];
  const { words, read, blank } = valueSyntaxOf(option);
  if (text === undefined || (option.emptyIsNone && text.trim() === '' && !(blank && text))) return undefined;
  const isOfFile = originOfVariable(variable, environment) === ENV_FILE;
  const where = isOfFile ? `${variable} in ${ENV_FILE}` : variable;
  if (!blank && text.trim() === '')
    throw new ConfigError(
      `${where} is empty, which is not the same as not set: remove it, or give it a value: ${meaning(option)}.`,
    );
  if (isOfFile && option.notFromFile)
    throw new ConfigError(`${where} is ignored: a folder must not permit itself more than its own files.`, [
      `Give --${name} on the command line, or set ${variable} in the environment.`,
    ]);
  const value = read(text);
  if (value === undefined)
    throw wrongValue(`${where} takes ${words}${foundText(text, option)}.`, text, option);
  return value;
}

function foundText(text: string, { isSecret }: Option): string {
  return isSecret ? '' : `; found "${shownWord(text)}"`;
}

/** Describes the expected value. For options that accept any text, the help text describes it. */
function meaning(option: Option): string {
  const { words } = valueSyntaxOf(option);
  if (words !== TEXT.words) return words;
  return option.describe.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
}

interface Place {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isList: boolean;
}

/** Parses the positionals of a usage: `import <resource> <files..>` has two. */
export function placesOf(usage: string): Place[] {
  return [...usage.matchAll(/([<[])([a-z]+)(\.\.)?[>\]]/g)].map(([, open, name = '', dots]) => ({
    name,
    isRequired: open === '<',
    isList: dots !== undefined,
  }));
}

/** Names the words after a command as in its usage. Throws ConfigError if there are too few or too many. */
export function positionalValues(
  usage: string,
  positionals: Readonly<Record<string, Positional>>,
  words: readonly string[],
): Record<string, string | readonly string[] | undefined> {
  const places = placesOf(usage);
  const lacking = places.filter(({ isRequired }, index) => isRequired && words[index] === undefined);
  if (lacking.length > 0)
    throw new ConfigError(
      `${lacking.map(({ name }) => `<${name}>`).join(' and ')} ${lacking.length > 1 ? 'are' : 'is'} missing: storeport ${usage}`,
      lacking.map(({ name }) => `${name}: ${positionals[name]?.describe}`),
    );
  const empty = words.findIndex((word) => word.trim() === '');
  if (empty !== -1) throw new ConfigError(`${ordinal(places, empty)} is empty: storeport ${usage}`);
  const extra = places.some(({ isList }) => isList) ? undefined : words[places.length];
  if (extra !== undefined)
    throw new ConfigError(`"${shownWord(extra)}" is one word too many: storeport ${usage}`);
  return Object.fromEntries(
    places.map(({ name, isList }, index) => [
      name,
      isList ? words.slice(index) : (words[index] ?? positionals[name]?.default),
    ]),
  );
}

function ordinal(places: readonly Place[], index: number): string {
  const { name } = places[Math.min(index, places.length - 1)] ?? { name: 'word' };
  return `<${name}>`;
}
