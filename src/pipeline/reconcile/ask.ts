import { ConfigError } from '../../model/index.ts';
import { keyNormaliser } from '../../plan/index.ts';
import type { Resource } from '../../resources/index.ts';
import { type AskedStore, type Calibration, readCalibratedList, sureRecords } from './calibrated-list.ts';
import type { Doubtful, Finding, OpenDoubts } from './doubts.ts';

/** Findings from the store's list. */
export interface Asked {
  readonly found: ReadonlyMap<Doubtful, Finding>;
  readonly known: Calibration;
  /** Keys that are in the list more than once, with their identifiers. */
  readonly twice: readonly { readonly key: string; readonly ids: readonly string[] }[];
}

/** The store may have changed the key of such a record, so a list without the key that was sent proves nothing. */
const OTHER_KEY = 'other-record';

/**
 * Looks for records in doubt in the store's list. The list is calibrated with records that the ledger knows to be there.
 * A record in the list counts as found if the list also has one of those, with the identifier of the ledger. A record
 * that is not in the list counts as absent only if the list has all of those, and no part of it may have been missed.
 * Throws ConfigError if the resource has no list, RunStopped if the list cannot be read.
 */
export async function askStore(
  asked: AskedStore,
  resource: Resource,
  { ledger, run, doubtful }: OpenDoubts,
): Promise<Asked> {
  if (resource.list === undefined || resource.key === undefined)
    throw new ConfigError(`The store's API has no list of ${resource.name} to look into.`, [
      'Look in the store, and say what is there with --there or --not-there, or in the report in-doubt of the run.',
    ]);
  const sure = await sureRecords(ledger, run, run);
  if (sure.size === 0)
    throw new ConfigError(
      `The ledger knows no ${resource.singular} that is surely in the store, so its list cannot be judged.`,
      [
        'Look in the store yourself, and say what is there with --there or --not-there.',
        `Or import one ${resource.singular} into this store by itself, whose answer arrives: then the list can be judged.`,
      ],
    );
  const normalise = keyNormaliser(resource);
  const wanted = new Map(
    doubtful.filter(({ key }) => key !== '').map((record) => [normalise(record.key), record]),
  );
  const country = typeof run.options.country === 'string' ? run.options.country : undefined;
  const ids = new Map<string, Set<string>>();
  const { known, isComplete } = await readCalibratedList({ ...asked, country }, resource, sure, (items) => {
    for (const { keys, id } of items)
      for (const key of keys) if (wanted.has(key)) ids.set(key, (ids.get(key) ?? new Set()).add(id));
  });

  const found = new Map<Doubtful, Finding>();
  const twice: Asked['twice'][number][] = [];
  for (const [key, record] of wanted) {
    const [id, ...others] = ids.get(key) ?? [];
    if (others.length > 0) twice.push({ key: record.key, ids: [id as string, ...others] });
    else if (id !== undefined && known.seen > 0) found.set(record, { id });
    else if (id === undefined && isComplete && record.code !== OTHER_KEY) found.set(record, 'not-there');
  }
  return { found, known, twice };
}
