/** Names that a shell can complete: files, or a list that is known only at that moment, or these words. */
export type Completes = 'file' | 'folder' | 'mapping' | 'profile' | 'run' | readonly string[];

/** Topics of options with their headings, in the order of `--help-all`. */
export const TOPICS = {
  fleet: 'Fleet',
  serving: 'Serving',
  doubts: 'Records in doubt',
  mapping: 'Mapping',
  selection: 'Selection',
  sending: 'Sending',
  output: 'Reports and files',
  store: 'Store',
  reading: 'Reading files',
  images: 'Images',
  monitoring: 'Monitoring',
  general: 'General',
} as const;

/** An option as the help and the completion of shells describe it. */
export interface DescribedOption {
  readonly topic: keyof typeof TOPICS;
  /** Omitted if there are `choices`. */
  readonly type?: 'string' | 'number' | 'boolean';
  readonly choices?: readonly string[];
  /** True if the option may be repeated. */
  readonly array?: boolean;
  readonly default?: string | number | boolean | readonly string[] | readonly number[];
  readonly describe: string;
  /** Undefined for text of any kind. A word that ends in `=` is the beginning of a value. */
  readonly completes?: Completes;
}

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
  readonly options: Readonly<Record<string, DescribedOption>>;
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
