import { basename, sep } from 'node:path';
import { relative } from '../../model/files/fs.ts';
import { shellWord, shownWord } from '../../model/index.ts';
import type { UnfinishedRun } from '../../pipeline/run/unfinished-runs.ts';

/** Suggested next commands for new users. */
const STEPS = [
  ['validate products YOUR-EXPORT.csv', 'what would happen to your own file; nothing is sent'],
  ['import products YOUR-EXPORT.csv --sandbox', 'a real import, to a store that ends with the command'],
  ['mapping show shopify-products', 'how columns become fields; a start for your own mapping'],
  ['--help', 'all commands'],
] as const;

export function firstSteps(call?: string): string[] {
  return stepLines(STEPS, call);
}

type Step = readonly [command: string, what: string];

/** State of a folder, for `storeport` without a command. */
export interface Standing {
  /** Profiles of the configuration file. */
  readonly profiles: readonly string[];
  /** True if the environment or `.env` names a store or a profile. */
  readonly hasStore: boolean;
  readonly runs: readonly UnfinishedRun[];
  /** Added to commands about runs, such as ` --home DIR`. */
  readonly homeWords: string;
  /** Reasons why a part could not be read. */
  readonly problems: readonly string[];
}

/** Text for `storeport` without a command: what is left to do, and what can come next. */
export function welcome(standing: Standing): string {
  const { profiles, hasStore, runs, homeWords, problems } = standing;
  const left = runs.flatMap((run) => stepsOfRun(run, homeWords));
  const usual = hasStore || profiles.length > 0 ? storeSteps(hasStore ? [] : profiles) : NEW_USER;
  return [
    "storeport moves a shop's data in and out of a store, in bulk, and accounts for every row.",
    ...problems,
    ...(left.length > 0 ? ['Left to do here:', ...stepLines(left), 'Other commands, such as:'] : []),
    ...(left.length > 0 ? [] : ['Name a command, such as:']),
    ...stepLines(usual),
  ].join('\n');
}

const NEW_USER: readonly Step[] = [
  ['demo', 'a tour: a store, an import and exports, on this machine only'],
  ['init', 'asks for the address and the credentials of your store, and keeps them'],
  ...STEPS,
];

/** Steps with a store. `profiles`: empty if none must be named. */
function storeSteps(profiles: readonly string[]): Step[] {
  const [first, ...others] = profiles;
  const profile = first === undefined ? '' : ` --profile ${shellWord(first)}`;
  const choice = others.length > 0 ? `; other profiles: ${others.map(shownWord).join(', ')}` : '';
  return [
    [`validate products YOUR-EXPORT.csv${profile}`, `what would happen; nothing is sent${choice}`],
    [`import products YOUR-EXPORT.csv --canary 2${profile}`, 'two records first, then the rest'],
    [`export reviews --out reviews.csv${profile}`, 'the reviews of the store, as a file'],
    ['--help', 'all commands'],
  ];
}

const WORDS: Readonly<Record<UnfinishedRun['next'][number]['word'], string>> = {
  resume: 'continue a run that stopped',
  resolve: 'settle records that may have arrived, and may not',
  retry: 'send again what failed',
  undo: 'move the rest of a run to the trash',
};

function stepsOfRun({ run, resource, isOpen, next, errors }: UnfinishedRun, homeWords: string): Step[] {
  return [
    ...(isOpen
      ? [[`run list${homeWords}`, `${run} has not ended: it is at work, or was killed`] as const]
      : []),
    ...next.map(({ word, run: id }): Step => [`run ${word} ${id}${homeWords}`, WORDS[word]]),
    ...errors.map(
      (file): Step => [
        `import ${resource} ${shellWord(relative('', file))}${homeWords}`,
        'once its rows are corrected, with the options of the first import',
      ],
    ),
  ];
}

/** Formats commands, without `storeport`, beside what they do. `call`: what starts storeport here, see `scriptCall`. */
export function stepLines(steps: readonly (readonly [string, string])[], call = 'storeport'): string[] {
  const width = Math.max(...steps.map(([command]) => command.length));
  return steps.map(([command, what]) => `  ${call} ${command.padEnd(width)}   ${what}`);
}

/** Returns the call of the script if the command `storeport` is not installed; undefined if it is. */
export function scriptCall(script: string | undefined): string | undefined {
  if (script === undefined || basename(script) !== 'storeport.js') return undefined;
  // Package managers also start the script by its path, inside node_modules.
  if (script.split(sep).includes('node_modules')) return undefined;
  return `node ${relative('', script)}`;
}
