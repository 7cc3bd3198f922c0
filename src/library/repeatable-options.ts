import { existsSync, resolve } from '../model/files/fs.ts';
import { countryCode, type JsonObject } from '../model/index.ts';
import {
  FORMAT_OPTIONS,
  RECORD_OPTIONS,
  SEND_OPTIONS,
  STORE_OPTIONS,
  withDefaults,
} from '../options/index.ts';
import { isIterable, type RecordInput } from './record-input.ts';
import type { RecordRunOptions } from './records-options.ts';
import type { ImportableResource } from './schemas.ts';
import type { OpenStore, StoreOptions } from './store-options.ts';

/**
 * The options of `storeport import` that would do the same, for the ledger: `storeport run resume` and `run retry` take them
 * from there. Nothing secret.
 */
export function repeatableOptions<Name extends ImportableResource>(
  input: RecordInput,
  options: RecordRunOptions<Name>,
  { given, open }: { readonly given: StoreOptions; readonly open: OpenStore },
): JsonObject {
  const { mapping, maxErrors } = options;
  const name = typeof mapping === 'object' ? mapping.name : mapping;
  const own = { ...options, mapping: name, maxErrors: undefined, ...(isIterable(input) ? {} : input) };
  const all: Readonly<Record<string, unknown>> = {
    ...withDefaults({ ...RECORD_OPTIONS, ...FORMAT_OPTIONS }, own),
    ...withDefaults({ ...SEND_OPTIONS, ...STORE_OPTIONS }, given),
    mapping: name !== undefined && existsSync(name) ? resolve(name) : name,
    maxErrors:
      maxErrors === undefined || typeof maxErrors === 'number'
        ? maxErrors && String(maxErrors)
        : `${maxErrors.percent}%`,
    set: Object.entries(options.constants ?? {}).map(([path, value]) => `${path}=${value}`),
    country: options.country && countryCode(options.country),
    allowLookup: (options.lookupFolders ?? []).map((folder) => resolve(folder)),
    baseUrl: open.baseUrl,
    concurrency: open.concurrency,
    timeout: `${open.timeoutMs}ms`,
    giveUpAfter: `${open.giveUpAfterMs}ms`,
    // The folder of reports and the form of the page are of this run.
    out: undefined,
    ownRules: options.transform || options.check ? true : undefined,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as JsonObject;
}
