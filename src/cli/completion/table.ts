import { COMMON_OPTIONS, type Completes, type Option } from '../../options/index.ts';
import { type DescribedCommand, GROUPS } from '../described-command.ts';
import { placesOf } from '../options/arguments.ts';

/** Values of an option or an argument; `text` cannot be completed. */
export type CompletedValues = Completes | 'text';

export interface CompletedOption {
  /** Such as `--mode`; `--no-progress` for a switch that is on by default. */
  readonly flag: string;
  readonly describe: string;
  /** Undefined for a switch, which has no value. */
  readonly values: CompletedValues | undefined;
  readonly isRepeatable: boolean;
}

export interface CompletedPlace {
  readonly name: string;
  readonly values: CompletedValues;
  /** True if all words that follow belong to it. */
  readonly isList: boolean;
  readonly isRequired: boolean;
}

export interface CompletedCommand {
  /** Such as `run list`. */
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  readonly places: readonly CompletedPlace[];
}

/** All that a script for a shell is made from. */
export interface CompletionTable {
  readonly commands: readonly CompletedCommand[];
  /** First words of commands, in order, with their summaries. */
  readonly firstWords: readonly (readonly [word: string, summary: string])[];
  /** Options of all commands. */
  readonly common: readonly CompletedOption[];
  readonly presets: readonly string[];
}

const HELP: readonly CompletedOption[] = [
  { flag: '--help', describe: 'Show help', values: undefined, isRepeatable: false },
  { flag: '--help-all', describe: 'Show all options, by topic', values: undefined, isRepeatable: false },
];

export function completionTable(
  commands: ReadonlyMap<string, DescribedCommand>,
  presets: readonly string[],
): CompletionTable {
  const common = [...Object.entries<Option>(COMMON_OPTIONS).map(completedOption), ...HELP];
  const firstWords = new Map<string, string>();
  for (const [name, { summary }] of commands) {
    const [first = ''] = name.split(' ');
    firstWords.set(first, GROUPS[first] ?? summary);
  }
  firstWords.set('help', 'The help of a command');
  return {
    commands: [...commands].map(([name, { usage, summary, options, positionals = {} }]) => ({
      name,
      summary,
      options: [...Object.entries(options).map(completedOption), ...common],
      places: placesOf(usage).map(({ name, isList, isRequired }) => ({
        ...{ name, isList, isRequired },
        values: positionals[name]?.completes ?? 'text',
      })),
    })),
    firstWords: [...firstWords],
    common,
    presets,
  };
}

function completedOption([name, option]: [string, Option]): CompletedOption {
  const { type, choices, completes, describe, array = false } = option;
  const isSwitch = type === 'boolean';
  return {
    flag: isSwitch && option.default === true ? `--no-${name}` : `--${name}`,
    describe,
    values: isSwitch ? undefined : (choices ?? completes ?? 'text'),
    isRepeatable: array,
  };
}

export interface CompletedMember {
  /** The word after those of the group. */
  readonly word: string;
  readonly summary: string;
  /** Undefined for a group inside the group. */
  readonly command: CompletedCommand | undefined;
}

/** The words that may follow a group: `run` → `list`, …; `fleet` → `init`, `store`, … */
export function membersIn({ commands }: CompletionTable, group: string): CompletedMember[] {
  const members = new Map<string, CompletedMember>();
  for (const command of commands) {
    if (!command.name.startsWith(`${group} `)) continue;
    const [word = '', next] = command.name.slice(group.length + 1).split(' ');
    const own = next === undefined;
    const summary = own ? command.summary : (GROUPS[`${group} ${word}`] ?? '');
    members.set(word, { word, summary, command: own ? command : undefined });
  }
  return [...members.values()];
}

/** Words that commands have in common at their beginning: `run`, `fleet`, `fleet store`, … */
export function groupsIn({ commands }: CompletionTable): string[] {
  const groups = commands.flatMap(({ name }) => {
    const words = name.split(' ');
    return words.slice(1).map((_, index) => words.slice(0, index + 1).join(' '));
  });
  return [...new Set(groups)];
}

/** A text for a shell: nothing in it is expanded. */
export function shellLiteral(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
