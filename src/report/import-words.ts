import type { JsonObject } from '../model/index.ts';

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
  { name: 'maskContacts', option: 'mask-contacts', default: false },
  { name: 'maxErrors', option: 'max-errors' },
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

/** Words of an import of rows that an earlier run returned, with the options of that run: without `import` itself. */
export function importWords(
  { resource, options }: { readonly resource: string; readonly options: JsonObject },
  files: readonly string[],
  { shown, withStore }: ImportWordsOptions,
): string[] {
  const words = REPEATED.flatMap((repeated): string[] => {
    const value = options[repeated.name];
    if (value === undefined || value === null || value === repeated.default) return [];
    if (repeated.isOfStore && !withStore) return [];
    if (typeof value === 'boolean') return [`--${value ? '' : 'no-'}${repeated.option}`];
    const isPath = repeated.name === 'mapping' || repeated.name === 'allowLookup';
    return (Array.isArray(value) ? value : [value]).map((each) => {
      const text = isPath ? shown(String(each)) : String(each);
      // A text such as `-5` would be another option if it were a word of its own.
      return `--${repeated.option}=${text}`;
    });
  });
  return [resource, ...files.map(shown), ...words];
}
