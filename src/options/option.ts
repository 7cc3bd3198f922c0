import { NUMBER, oneOf, TEXT, type ValueSyntax, YES_OR_NO } from './syntax.ts';

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

/**
 * An option: all that the command line, its help, the completion of shells, the environment, the ledger and a fleet know about it. Its name
 * is the key of its row.
 */
export interface Option {
  readonly topic: keyof typeof TOPICS;
  /** Default: text, or one of `choices`. */
  readonly type?: 'number' | 'boolean';
  readonly choices?: readonly string[];
  /** True if the option may be repeated. */
  readonly array?: boolean;
  readonly default?: string | number | boolean | readonly string[] | readonly number[];
  readonly describe: string;
  /** Undefined for text of any kind. A word that ends in `=` is the beginning of a value. */
  readonly completes?: Completes;
  /** Default: the syntax of `type` or `choices`. */
  readonly syntax?: ValueSyntax;
  /**
   * Treats an empty variable as not set. Only for options whose default is harmless: it must not select another store,
   * another ledger or other records, and must not send what was not meant to be sent.
   */
  readonly emptyIsNone?: boolean;
  /** True if messages must not repeat the value. */
  readonly isSecret?: boolean;
  /** Refuses a value from `.env`: only the user may grant this permission, and others may have written the folder. */
  readonly notFromFile?: boolean;
  /**
   * An import of rows that an earlier run returned has the option of that run again: always, or only where its command names the store. Not
   * for options about the first file: its place, its form, and the part of it that was wanted.
   */
  readonly repeats?: 'always' | 'with-store';
  /** True if a task of a fleet may carry it: its value means the same on every machine. */
  readonly ofTask?: boolean;
}

export type OptionTable = Readonly<Record<string, Option>>;

/** Returns the syntax of an option's value. */
export function valueSyntaxOf({
  syntax,
  type,
  choices,
}: Pick<Option, 'syntax' | 'type' | 'choices'>): ValueSyntax {
  if (syntax) return syntax;
  if (choices) return oneOf(choices);
  return type === 'boolean' ? YES_OR_NO : type === 'number' ? NUMBER : TEXT;
}

/** The rows of a table that a task of a fleet may carry. */
export type OfTasks<Table> = {
  readonly [Name in keyof Table as Table[Name] extends { readonly ofTask: true } ? Name : never]: Table[Name];
};

export function ofTasks<Table extends OptionTable>(table: Table): OfTasks<Table> {
  return Object.fromEntries(Object.entries(table).filter(([, { ofTask }]) => ofTask)) as OfTasks<Table>;
}

/** Removes the defaults of options: the values of an earlier run apply unless they are given again. */
export function withoutDefaults(options: OptionTable): OptionTable {
  return Object.fromEntries(
    Object.entries(options).map(([name, { default: _, ...option }]) => [name, option]),
  );
}

/** `base-url` → `STOREPORT_BASE_URL`. */
export function variableOf(option: string): string {
  return `STOREPORT_${option.replaceAll('-', '_').toUpperCase()}`;
}

/** `base-url` → `baseUrl`. */
export function camelCase(option: string): string {
  return option.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
