import { existsSync, resolve } from '../model/files/fs.ts';
import { countryCode, type JsonObject } from '../model/index.ts';
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
  const { mapping, maxErrors, mode = 'upsert', offset = 0, maskContacts = false } = options;
  const name = typeof mapping === 'object' ? mapping.name : mapping;
  const { files: _, ...format } = isIterable(input) ? { files: [] } : input;
  const all: Readonly<Record<string, JsonObject[string] | undefined>> = {
    ...(format as JsonObject),
    ...{ mode, offset, maskContacts },
    mapping: name !== undefined && existsSync(name) ? resolve(name) : name,
    limit: options.limit,
    maxErrors:
      maxErrors === undefined || typeof maxErrors === 'number'
        ? maxErrors && String(maxErrors)
        : `${maxErrors.percent}%`,
    set: Object.entries(options.constants ?? {}).map(([path, value]) => `${path}=${value}`),
    imageBase: options.imageBase,
    country: options.country && countryCode(options.country),
    allowLookup: (options.lookupFolders ?? []).map((folder) => resolve(folder)),
    baseUrl: open.baseUrl,
    clientId: given.clientId,
    storeId: given.storeId,
    rate: given.rate,
    concurrency: open.concurrency,
    timeout: `${open.timeoutMs}ms`,
    giveUpAfter: `${open.giveUpAfterMs}ms`,
    inDoubt: given.inDoubt ?? 'hold',
    sandbox: false,
    ownRules: options.transform || options.check ? true : undefined,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as JsonObject;
}
