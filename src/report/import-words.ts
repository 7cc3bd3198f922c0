import { argumentWords, type JsonObject, type PrintedOptions } from '../model/index.ts';

/** An option of a run that its corrected rows need too. */
interface Repeated {
  /** Name in the options that the ledger keeps. */
  readonly name: string;
  readonly option: string;
  /** Value that is the same as leaving the option out. */
  readonly default?: unknown;
  /** It chooses the store or how it is sent to: a job names the store itself, and a check has none. */
  readonly isOfStore?: true;
}

/**
 * Options that an import of returned rows repeats. Not those about the first file: its place, its form, and the part of
 * it that was wanted.
 */
const REPEATED: readonly Repeated[] = [
  { name: 'mapping', option: 'mapping' },
  { name: 'allowLookup', option: 'allow-lookup' },
  { name: 'mode', option: 'mode', default: 'upsert' },
  { name: 'set', option: 'set' },
  { name: 'imageBase', option: 'image-base' },
  { name: 'country', option: 'country' },
  { name: 'maskContacts', option: 'mask-contacts', default: false },
  { name: 'maxErrors', option: 'max-errors' },
  { name: 'strict', option: 'strict', default: false },
  { name: 'accept', option: 'accept' },
  { name: 'errorsAs', option: 'errors-as', default: 'csv' },
  { name: 'reportWithoutRows', option: 'report-without-rows', default: false },
  { name: 'outDelimiter', option: 'out-delimiter' },
  { name: 'outBom', option: 'out-bom', default: false },
  { name: 'profile', option: 'profile', isOfStore: true },
  { name: 'inDoubt', option: 'in-doubt', default: 'hold', isOfStore: true },
  { name: 'baseUrl', option: 'base-url', isOfStore: true },
  { name: 'clientId', option: 'client-id', isOfStore: true },
  { name: 'storeId', option: 'store-id', isOfStore: true },
  { name: 'sandbox', option: 'sandbox', default: false, isOfStore: true },
  { name: 'rate', option: 'rate', isOfStore: true },
  { name: 'concurrency', option: 'concurrency', default: 16, isOfStore: true },
  { name: 'timeout', option: 'timeout', default: '30s', isOfStore: true },
  { name: 'giveUpAfter', option: 'give-up-after', default: '15m', isOfStore: true },
];

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
  const repeated = REPEATED.flatMap(({ name, option, default: usual, isOfStore }) => {
    const value = options[name];
    if (value === undefined || value === null || value === usual) return [];
    if (isOfStore && !withStore) return [];
    const isPath = name === 'mapping' || name === 'allowLookup';
    const textOf = (each: unknown) => (isPath ? shown(String(each)) : String(each));
    const given = typeof value === 'boolean' ? value : [value].flat().map(textOf);
    return [[option, given] as const];
  });
  return { words: [resource, ...files.map(shown)], options: Object.fromEntries(repeated) };
}

/** The same as words of a command line, without `import` itself. */
export function importWords(...given: Parameters<typeof importArguments>): string[] {
  const { words, options } = importArguments(...given);
  return argumentWords(words, options, { areJoined: true });
}
