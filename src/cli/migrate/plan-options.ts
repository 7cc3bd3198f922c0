import { camelCase, type Option, type OptionTable, READ_OPTIONS, SEND_OPTIONS } from '../../options/index.ts';

/** Options of an import that are options of a whole migration: its reports, and what concerns all steps alike. */
const OF_COMMAND = [
  'allow-lookup',
  'allow-private-images',
  'mask-contacts',
  'out',
  'errors-as',
  'report-without-rows',
  'out-delimiter',
  'out-bom',
] as const;

/** Has a key of its own in a plan. */
const OWN_KEY = 'mapping';

/** Not for a migration: it prints records on the terminal. */
const WITHOUT_PLACE = 'show';

const options: OptionTable = { ...READ_OPTIONS, ...SEND_OPTIONS };
const isOfStep = (name: string) => ![...OF_COMMAND, OWN_KEY, WITHOUT_PLACE].includes(name);

/** The options that a step of a plan may have. */
export const STEP_OPTIONS: OptionTable = Object.fromEntries(
  Object.entries(options).filter(([name]) => isOfStep(name)),
);

/** The options of an import that the command takes, for all steps. */
export const ALL_STEPS_OPTIONS: OptionTable = Object.fromEntries(
  OF_COMMAND.map((name) => [name, options[name] as Option]),
);

/** The default of each option of a step, under the name of its argument. */
export const STEP_DEFAULTS: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries<Option>(STEP_OPTIONS)
    .filter(([, { default: value }]) => value !== undefined)
    .map(([name, { default: value }]) => [camelCase(name), value]),
);

/** Says where an option of the command line belongs, if not into a step; undefined if there is no such option. */
export function placeOfOption(name: string, commandOptions: readonly string[]): string | undefined {
  if (name === OWN_KEY) return 'it is a key of the step itself, beside files';
  if (name === WITHOUT_PLACE) return 'it is only for storeport validate';
  return commandOptions.includes(name)
    ? `it is for the whole migration: give --${name} on the command line`
    : undefined;
}
