import { basename, sep } from 'node:path';
import { relative } from '../../model/files/fs.ts';
import { type PrintedOptions, printedCommand, runCommand, shownWord } from '../../model/index.ts';
import type { UnfinishedRun } from '../../pipeline/run/unfinished-runs.ts';

/** Steps with a file of the user. Its name is unknown, and a printed command must run as it is, so none has one. */
export const fileSteps = (): Step[] => [
  [printedCommand('ui'), 'a page for your own file: what would happen, then the import'],
  [
    'storeport import --help',
    'the same on the command line; --dry-run sends nothing, --canary 2 two records first',
  ],
];

export const exportReviews = (options: PrintedOptions) =>
  printedCommand('export', ['reviews'], { out: 'reviews.csv', ...options });

/** Suggested next commands for new users. */
const STEPS = (): Step[] => [
  ...fileSteps(),
  ['storeport mapping show shopify-products', 'how columns become fields; a start for your own mapping'],
  ['storeport --help', 'all commands'],
];

export function firstSteps(call?: string): string[] {
  return stepLines(STEPS(), call);
}

type Step = readonly [command: string, what: string];

/** State of a folder, for `storeport` without a command. */
export interface Standing {
  /** Profiles of the configuration file. */
  readonly profiles: readonly string[];
  /** True if the environment or `.env` names a store or a profile. */
  readonly hasStore: boolean;
  readonly runs: readonly UnfinishedRun[];
  /** Reasons why a part could not be read. */
  readonly problems: readonly string[];
}

/** Text for `storeport` without a command: what is left to do, and what can come next. */
export function welcome(standing: Standing): string {
  const { profiles, hasStore, runs, problems } = standing;
  const left = runs.flatMap(stepsOfRun);
  const usual = hasStore || profiles.length > 0 ? storeSteps(hasStore ? [] : profiles) : newUserSteps();
  return [
    "storeport moves a shop's data in and out of a store, in bulk, and accounts for every row.",
    ...problems,
    ...(left.length > 0 ? ['Left to do here:', ...stepLines(left), 'Other commands, such as:'] : []),
    ...(left.length > 0 ? [] : ['Name a command, such as:']),
    ...stepLines(usual),
  ].join('\n');
}

const newUserSteps = (): Step[] => [
  ['storeport demo', 'a tour: a store, an import and exports, on this machine only'],
  ['storeport init', 'asks for the address and the credentials of your store, and keeps them'],
  ...STEPS(),
];

/** Steps with a store. `profiles`: empty if none must be named. */
function storeSteps(profiles: readonly string[]): Step[] {
  const [first, ...others] = profiles;
  const choice = others.length > 0 ? `; other profiles: ${others.map(shownWord).join(', ')}` : '';
  return [
    ...fileSteps(),
    [exportReviews({ profile: first }), `the reviews of the store, as a file${choice}`],
    ['storeport --help', 'all commands'],
  ];
}

const WORDS: Readonly<Record<UnfinishedRun['next'][number]['word'], string>> = {
  resume: 'continue a run that stopped',
  resolve: 'settle records that may have arrived, and may not',
  retry: 'send again what failed',
  undo: 'move the rest of a run to the trash',
};

function stepsOfRun({ run, isOpen, next, toCorrect }: UnfinishedRun): Step[] {
  return [
    ...(isOpen
      ? [[printedCommand('run list'), `${run} has not ended: it is at work, or was killed`] as const]
      : []),
    ...next.map(({ word, run: id }): Step => [runCommand(`run ${word}`, id), WORDS[word]]),
    ...(toCorrect === undefined ? [] : [[toCorrect, 'once its rows are corrected'] as const]),
  ];
}

/** Formats commands beside what they do. `call`: what starts storeport here, see `scriptCall`. */
export function stepLines(steps: readonly (readonly [string, string])[], call = 'storeport'): string[] {
  const commands = steps.map(([command]) => command.replace(/^storeport/, () => call));
  const width = Math.max(...commands.map(({ length }) => length));
  return steps.map(([, what], at) => `  ${commands[at]?.padEnd(width)}   ${what}`);
}

/** Returns the call of the script if the command `storeport` is not installed; undefined if it is. */
export function scriptCall(script: string | undefined): string | undefined {
  if (script === undefined || basename(script) !== 'storeport.js') return undefined;
  // Package managers also start the script by its path, inside node_modules.
  if (script.split(sep).includes('node_modules')) return undefined;
  return `node ${relative('', script)}`;
}
