import { argumentWords, type JsonObject, type PrintedOptions } from '../model/index.ts';
import { camelCase, type Option, READ_OPTIONS, SEND_OPTIONS, STORE_OPTIONS } from '../options/index.ts';

/** Options that an import of returned rows repeats, in the order of a command. */
const REPEATED = Object.entries<Option>({ ...READ_OPTIONS, ...SEND_OPTIONS, ...STORE_OPTIONS }).filter(
  ([, { repeats }]) => repeats !== undefined,
);

/** How an import of returned rows is worded. */
export interface ImportWordsOptions {
  /** The path as it is written into command lines. */
  readonly shown: (path: string) => string;
  /** True to name the store too, as in a command that is copied. */
  readonly withStore: boolean;
}

/** The arguments of an import of rows that an earlier run returned, with the options of that run. */
export function importArguments(
  { resource, options }: { readonly resource: string; readonly options: JsonObject },
  files: readonly string[],
  { shown, withStore }: ImportWordsOptions,
): { readonly words: readonly string[]; readonly options: PrintedOptions } {
  const repeated = REPEATED.flatMap(([name, { repeats, completes, default: usual }]) => {
    const value = options[camelCase(name)];
    if (value === undefined || value === null || value === usual) return [];
    if (repeats === 'with-store' && !withStore) return [];
    const isPath = completes === 'mapping' || completes === 'folder';
    const textOf = (each: unknown) => (isPath ? shown(String(each)) : String(each));
    const given = typeof value === 'boolean' ? value : [value].flat().map(textOf);
    return [[name, given] as const];
  });
  return { words: [resource, ...files.map(shown)], options: Object.fromEntries(repeated) };
}

/** The same as words of a command line, without `import` itself. */
export function importWords(...given: Parameters<typeof importArguments>): string[] {
  const { words, options } = importArguments(...given);
  return argumentWords(words, options, { areJoined: true });
}
