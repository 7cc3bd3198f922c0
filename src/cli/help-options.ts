import type { Options } from 'yargs';
import { type Option, type OptionTable, TOPICS } from '../options/index.ts';
import type { AnyCommand } from './commands/command.ts';
import { allOptions } from './find-command.ts';

/** Options of one help text by name, in the order of the text. */
type HelpOptions = Readonly<Record<string, Options>>;

/** Returns the options for the help of a command: all of them by topic, or its main ones. */
export function helpOptions(command: AnyCommand, { all }: { readonly all: boolean }): HelpOptions {
  return all ? optionsByTopic(command) : mainOptions(command);
}

/** Returns the options of each topic that has some, in the order of the topics. */
export function tablesByTopic(options: OptionTable): [title: string, OptionTable][] {
  return Object.entries(TOPICS).flatMap(([topic, title]): [string, OptionTable][] => {
    const own = Object.entries(options).filter(([, option]) => option.topic === topic);
    return own.length > 0 ? [[title, Object.fromEntries(own)]] : [];
  });
}

function optionsByTopic(command: AnyCommand): HelpOptions {
  const shown = tablesByTopic(allOptions(command)).flatMap(([title, options]) =>
    Object.entries(options).map(([name, option]) => [name, { ...shownOption(option), group: `${title}:` }]),
  );
  return Object.fromEntries(shown);
}

function mainOptions(command: AnyCommand): HelpOptions {
  const options = allOptions(command);
  const names = command.mainOptions ?? Object.keys(options);
  const hidden = Object.keys(options).length - names.length;
  const more: Options = { type: 'boolean', describe: `Show ${hidden} more options, by topic` };
  return {
    ...(hidden > 0 ? { 'help-all': more } : {}),
    ...Object.fromEntries(names.map((name) => [name, shownOption(options[name] as Option)])),
  };
}

/** Omits defaults that say nothing: a switch that is off, an empty list. */
function shownOption({ default: value, ...option }: Option): Options {
  const isNothing = value === undefined || value === false || (Array.isArray(value) && value.length === 0);
  const type = option.choices ? undefined : (option.type ?? 'string');
  // yargs ignores properties it does not know.
  return {
    ...option,
    ...(type === undefined ? {} : { type }),
    ...(isNothing ? {} : { default: value }),
  } as Options;
}
