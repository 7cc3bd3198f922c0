import type { Completes, OptionTable } from '../options/index.ts';

/** A positional argument of a command. */
export interface Positional {
  readonly describe: string;
  readonly default?: string;
  readonly completes?: Completes;
}

/** A command as the help and the completion of shells describe it. */
export interface DescribedCommand {
  /** The last word of its name and its positionals, such as `import <resource> <files..>`. */
  readonly usage: string;
  readonly summary: string;
  readonly options: OptionTable;
  /** Keyed by the names in `usage`. */
  readonly positionals?: Readonly<Record<string, Positional>>;
}

/** Words that several commands begin with, with a line for the help. */
export const GROUPS: Readonly<Record<string, string>> = {
  run: 'Earlier runs: list, show, resume, retry, resolve, report, undo, adopt, prune',
  mapping: 'Mappings from columns to fields: list, show, check, suggest, schema',
  auth: 'Credentials: check',
  fleet:
    'Many stores on several machines: init, worker, store, run, schedule, list, show, stop, resume, retry, resolve, serve',
  'fleet store': 'Stores of the fleet: add, list, remove',
  'fleet run': 'Tasks for one store or many: import, export',
  'fleet schedule': 'Tasks by the clock: add, list, pause, remove',
};
