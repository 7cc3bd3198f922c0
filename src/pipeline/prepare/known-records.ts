import type { StoreHistory } from '../../ledger/index.ts';
import { contactKey, isInternational, normalisedKey, type PriorState } from '../../model/index.ts';
import { keyFieldOf, keyFor, keyOf, nationalPhoneKey, type RecordKeys } from '../../plan/index.ts';
import type { Resource } from '../../resources/index.ts';

type KnownStates = readonly (PriorState | undefined)[];
type AskedHistory = Pick<StoreHistory, 'lookup' | 'countries'> | undefined;

/** The states of records in earlier runs, by their keys. */
export async function knownRecords(
  resource: Resource,
  records: readonly RecordKeys[],
  history: AskedHistory,
): Promise<KnownStates> {
  const keys = records.map((each) => normalisedKey(keyFor(resource, each)));
  const byKey = await history?.lookup?.(keys);
  return keys.map((key) => byKey?.get(key));
}

/**
 * The same for people. The ledger has their mail addresses and phone numbers in the one spelling in which they are compared,
 * and as they were in the files.
 */
export async function knownPeople(
  resource: Resource,
  records: readonly RecordKeys[],
  history: AskedHistory,
): Promise<KnownStates> {
  if (!history?.lookup) return records.map(() => undefined);
  const spellings = records.map((each) => spellingsOf(resource, each));
  await addEarlierCountries(resource, { records, spellings }, history);
  const byKey = await history.lookup([...new Set(spellings.flatMap((each) => [...each]))]);
  return spellings.map((each) => {
    for (const key of each) {
      const known = byKey.get(key);
      if (known !== undefined) return known;
    }
    return undefined;
  });
}

function spellingsOf(resource: Resource, record: RecordKeys): Set<string> {
  const key = keyFor(resource, record);
  const written = record.phoneKey === undefined ? key : (keyOf(resource, record.payload) ?? key);
  return new Set([contactKey(key), normalisedKey(written)]);
}

/** Adds the keys of phone numbers of unknown country in the countries of earlier imports: this one may lack the option. */
async function addEarlierCountries(
  resource: Resource,
  { records, spellings }: { readonly records: readonly RecordKeys[]; readonly spellings: Set<string>[] },
  { countries }: Pick<StoreHistory, 'countries'>,
): Promise<void> {
  if (!records.some((each) => isLocalPhone(resource, each))) return;
  const earlier = await countries();
  for (const [index, record] of records.entries()) {
    if (!isLocalPhone(resource, record)) continue;
    for (const country of earlier) {
      const key = nationalPhoneKey(resource, record.payload, country);
      if (key !== undefined) spellings[index]?.add(key);
    }
  }
}

/** True for a record whose key is a phone number of an unknown country. */
function isLocalPhone(resource: Resource, { payload, phoneKey }: RecordKeys): boolean {
  const field = resource.phoneKey?.field;
  if (field === undefined || phoneKey !== undefined || keyFieldOf(resource, payload) !== field) return false;
  return !isInternational(payload[field] as string);
}
