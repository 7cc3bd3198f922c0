import yargs, { type Argv } from 'yargs';
import type { AnyCommand } from './commands/command.ts';
import { version } from './context.ts';
import { exitCodeHelp } from './exit-codes.ts';
import type { Commands } from './find-command.ts';
import { helpOptions } from './help-options.ts';
import { placesOf } from './options/arguments.ts';

const MAX_COLUMNS = 110;
const USUAL_COLUMNS = 100;

/** Commands of a help text, and the extent of their options. */
interface HelpContents {
  readonly commands: Commands;
  readonly groups: Readonly<Record<string, string>>;
  /** True for all options of a command, false for its main ones. */
  readonly all: boolean;
  /** Width of the terminal; undefined if there is none. */
  readonly columns: number | undefined;
}

/** The help of the command or group that the words name, or of the program. */
export async function helpText(words: readonly string[], contents: HelpContents): Promise<string> {
  const root = yargs()
    .scriptName('storeport')
    .usage("$0 <command>\n\nMoves a shop's data in and out of a store, in bulk, and accounts for every row.")
    .version(version())
    .alias({ help: 'h', version: 'v' })
    .locale('en')
    .wrap(Math.min(MAX_COLUMNS, contents.columns ?? USUAL_COLUMNS))
    .epilogue(`${HELP_OF_COMMANDS}\n\n${exitCodeHelp()}`);
  addMembers(root, '', contents);
  let text = '';
  await root.parseAsync([...words, '--help'], {}, (_error: unknown, _args: unknown, output: string) => {
    text = output;
  });
  return text;
}

const HELP_OF_COMMANDS = `Options of a command:
  storeport import --help      the main ones
  storeport import --help-all  all, by topic`;

/** Adds the commands whose names begin with `prefix`. Those that have more words in common make a group of their own. */
function addMembers(yargs: Argv, prefix: string, contents: HelpContents): Argv {
  const { commands, groups } = contents;
  const shownGroups = new Set<string>();
  for (const [name, command] of commands) {
    if (!name.startsWith(prefix)) continue;
    const [word = '', next] = name.slice(prefix.length).split(' ');
    if (next === undefined) add(yargs, command, contents);
    else if (!shownGroups.has(word)) {
      shownGroups.add(word);
      const group = prefix + word;
      yargs.command(word, groups[group] ?? '', (own) => addMembers(own, `${group} `, contents));
    }
  }
  return yargs;
}

function add(yargs: Argv, command: AnyCommand, contents: HelpContents) {
  const { usage, summary, positionals = {}, examples = [], epilogue } = command;
  yargs.command(usage, summary, (builder) => {
    for (const { name, isRequired, isList } of placesOf(usage))
      builder.positional(name, {
        type: 'string',
        array: isList,
        demandOption: isRequired,
        ...positionals[name],
      });
    for (const [name, option] of Object.entries(helpOptions(command, contents))) builder.option(name, option);
    for (const [example, what] of examples) builder.example(example, what);
    return epilogue ? builder.epilogue(epilogue()) : builder;
  });
}
