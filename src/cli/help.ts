import yargs, { type Argv, type Options } from 'yargs';
import type { AnyCommand } from './commands/command.ts';
import { version } from './context.ts';
import { exitCodeHelp } from './exit-codes.ts';
import type { Commands } from './find-command.ts';
import { placesOf } from './options/arguments.ts';
import { COMMON_OPTIONS, type OptionTable } from './options/options.ts';

const MAX_COLUMNS = 110;
const USUAL_COLUMNS = 100;

/**
 * The help of the command or group that the words name, or of the program. `columns`: the width of the terminal; undefined if
 * there is none.
 */
export async function helpText(
  words: readonly string[],
  commands: Commands,
  groups: Readonly<Record<string, string>>,
  columns = USUAL_COLUMNS,
): Promise<string> {
  const root = yargs()
    .scriptName('storeport')
    .usage("$0 <command>\n\nMoves a shop's data in and out of a store, in bulk, and accounts for every row.")
    .version(version())
    .alias({ help: 'h', version: 'v' })
    .locale('en')
    .wrap(Math.min(MAX_COLUMNS, columns))
    .epilogue(exitCodeHelp());
  addMembers(root, '', commands, groups);
  let text = '';
  await root.parseAsync([...words, '--help'], {}, (_error: unknown, _args: unknown, output: string) => {
    text = output;
  });
  return text;
}

/** Adds the commands whose names begin with `prefix`. Those that have more words in common make a group of their own. */
function addMembers(
  yargs: Argv,
  prefix: string,
  commands: Commands,
  groups: Readonly<Record<string, string>>,
): Argv {
  const shownGroups = new Set<string>();
  for (const [name, command] of commands) {
    if (!name.startsWith(prefix)) continue;
    const [word = '', next] = name.slice(prefix.length).split(' ');
    if (next === undefined) add(yargs, command);
    else if (!shownGroups.has(word)) {
      shownGroups.add(word);
      const group = prefix + word;
      yargs.command(word, groups[group] ?? '', (own) => addMembers(own, `${group} `, commands, groups));
    }
  }
  return yargs;
}

function add(
  yargs: Argv,
  { usage, summary, options, positionals = {}, examples = [], epilogue }: AnyCommand,
) {
  yargs.command(usage, summary, (builder) => {
    for (const { name, isRequired, isList } of placesOf(usage))
      builder.positional(name, {
        type: 'string',
        array: isList,
        demandOption: isRequired,
        ...positionals[name],
      });
    const table: OptionTable = { ...options, ...COMMON_OPTIONS };
    // yargs ignores properties it does not know.
    for (const [name, option] of Object.entries(table)) builder.option(name, option as Options);
    for (const [example, what] of examples) builder.example(example, what);
    return epilogue ? builder.epilogue(epilogue()) : builder;
  });
}
