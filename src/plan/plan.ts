import {
  type FieldDigests,
  type Issue,
  type JsonObject,
  mailKey,
  normalisedKey,
  type Outcome,
  type PlannedRecord,
  type PriorState,
  type RecordRef,
  type RecordResultStub,
  type SourceRecord,
  type Trashed,
  UNREADABLE,
} from '../model/index.ts';
import { isKnownByMail, type Resource } from '../resources/index.ts';
import { decide, keyFieldOf, type Mode, skippedOutcome } from './decide.ts';
import { createDigester } from './digests.ts';
import { idShapeFor } from './identifiers.ts';
import { invalid, withCells, withoutSecrets } from './invalid.ts';
import { createKeyIndex } from './key-index.ts';
import { createRecordPlaces } from './places.ts';
import { sentSince, splitGroup } from './split-group.ts';

export interface PlanOptions {
  readonly resource: Resource;
  readonly mode: Mode;
  /** True for `validate`, which sends nothing: without earlier runs to compare with, it needs no digests. */
  readonly dryRun: boolean;
  readonly grouping: RecordGrouping;
  /** Files of the run. If there are several, messages name the file of a row. */
  readonly files?: readonly string[] | undefined;
  /** Identifiers of the store, from which their shape is learned; undefined if nothing is known of earlier runs. */
  readonly knownIds?: readonly string[] | undefined;
}

/** How rows are grouped. `by-key`: the group's key is also the record's key. `by-other`: groups have keys of their own. */
export type RecordGrouping = 'none' | 'by-key' | 'by-other';

export interface Planner {
  plan(checked: CheckedRecord): PlannedRecord;
  /** Claims the keys of a record that an earlier execution of the run has settled. */
  claimSettled(result: RecordResultStub): void;
  /** Reserves the key of a record that is planned again later, so that no record below it claims the key first. */
  reserve(result: RecordResultStub): void;
  /** Claims the key of a group that is not the record's own key. */
  claimGroup(groupKey: string, record: SourceRecord): void;
}

/** The places of a record's key; see `keyFor`. */
export interface RecordKeys {
  readonly payload: JsonObject;
  /** The group's key as in the file, if rows were grouped. */
  readonly groupKey?: string | undefined;
  /** The key from the column that the mapping names, for resources whose payload has no key. */
  readonly namedKey?: string | undefined;
}

/** A record with its payload and every issue that mapping and validation found. */
export interface CheckedRecord extends RecordKeys {
  readonly record: SourceRecord;
  readonly issues: readonly Issue[];
  /** `_id` from the file: the identifier of the record to update. */
  readonly id?: string | undefined;
  /** Knowledge of earlier runs about its key at this store. */
  readonly known?: PriorState | undefined;
  /** Set if the record that it would update is in the trash since an undo. */
  readonly trashed?: Trashed | undefined;
  /** Set if it is re-imported from an earlier run. */
  readonly reimport?: Reimport | undefined;
}

/** The earlier records that a re-imported record consists of: from the ledger, or from the file if that has no such run. */
export interface Reimport {
  /** Earlier records that are still open. They get the outcome of this one. */
  readonly refs: readonly RecordRef[];
  /** True if all rows are re-imported: none was added by hand. */
  readonly isWhole: boolean;
  /** Their current outcome, and the run that has it. */
  readonly current: {
    readonly run: string;
    /** Undefined if only the file has the outcome. */
    readonly ref?: RecordRef;
    readonly row?: number;
    readonly outcome: string;
    readonly code: string;
  };
  /** Issues of their rows that were not corrected. */
  readonly issues: readonly Issue[];
}

/**
 * Decides for each record, in source order, on its operation or outcome. Remembers the keys of the run: a repeated key is
 * a duplicate. If rows are grouped, a repeated group is an issue, since its rows belong to a record that may have been
 * sent.
 */
export function createPlanner(options: PlanOptions): Planner {
  const { resource, mode, dryRun, grouping, files = [] } = options;
  const ids = idShapeFor(resource, options.knownIds ?? []);
  const places = createRecordPlaces(files);
  const keys = createKeyIndex();
  const digest =
    dryRun && options.knownIds === undefined
      ? (payload: JsonObject) => new FieldNames(payload)
      : createDigester(resource.secret);
  const claimGroup = (groupKey: string, row: number) => keys.claim(normalisedKey(groupKey), row);
  // Entries of the index, with a prefix for each kind. Group keys have none; nor do record keys if they are the same.
  const normalise = isKnownByMail(resource) ? mailKey : normalisedKey;
  const keyEntry = (key: string) => (grouping === 'by-other' ? `\u0000${normalise(key)}` : normalise(key));
  // Identifiers are claimed too, since two updates of one record would race.
  const idEntry = (id: string) => `\u0001${id}`;
  const invalidEntry = (entry: string) => `\u0002${entry}`;
  const reservedEntry = (entry: string) => `\u0003${entry}`;

  /** Claims the key of an invalid record, so that the record can have it once it is corrected. */
  function claimInvalid(entry: string, row: number): void {
    if (keys.claim(entry, row) === undefined) keys.claim(invalidEntry(entry), row);
  }

  /** The outcome if an earlier row has claimed the entry; undefined if it was free. */
  function claim(entry: string, key: string, row: number): Outcome | undefined {
    const before = keys.claim(entry, row);
    if (before === undefined) return undefined;
    return duplicate(key, places.words(before), keys.find(invalidEntry(entry)) !== undefined);
  }

  function plan(checked: CheckedRecord): PlannedRecord {
    const planned = planOne(checked);
    const { reimport } = checked;
    if (!reimport || reimport.refs.length === 0) return planned;
    // If nothing was done about this record, the earlier ones keep their outcomes.
    const { code } = planned.outcome ?? {};
    const keepsOutcomes =
      planned.sharesOutcomeOf !== undefined ||
      code === 'returned-before' ||
      (code === 'group-split' && wasSent(reimport));
    return keepsOutcomes ? planned : { ...planned, supersedes: reimport.refs };
  }

  function planOne(checked: CheckedRecord): PlannedRecord {
    const { record, payload, groupKey, id, known, trashed, reimport } = checked;
    const all = reimport ? [...reimport.issues, ...checked.issues] : checked.issues;
    const issues = all.length > 0 ? withoutSecrets(all, payload, resource.secret) : all;
    const key = keyFor(resource, checked);
    const row = places.of(record);
    // With `by-key`, claiming the group claims the key.
    const claimsKey = key !== '' && !(groupKey && grouping === 'by-key');
    if (groupKey) {
      const before = claimGroup(groupKey, row);
      if (before !== undefined)
        return {
          record,
          key,
          outcome: invalid(
            [splitGroup(groupKey, places.words(before), places.words(row)), ...issues],
            files.length > 1,
          ),
        };
    }
    if (reimport?.current.outcome === 'in-doubt') {
      if (claimsKey) keys.claim(keyEntry(key), row);
      return { record, key, outcome: stillInDoubt(reimport.current), sharesOutcomeOf: reimport.current.ref };
    }
    if (issues.length > 0) {
      // Unreadable rows have only a group key.
      if (claimsKey && hasOwnKey(resource, checked)) claimInvalid(keyEntry(key), row);
      if (id !== undefined) claimInvalid(idEntry(id), row);
      return { record, key, outcome: invalid(withCells(issues, record), files.length > 1) };
    }
    const sameKey = claimsKey ? claim(keyEntry(key), key, row) : undefined;
    if (sameKey) return { record, key, outcome: sameKey };
    if (known && known.id === undefined && id === undefined)
      return { record, key, outcome: stillInDoubt(known), sharesOutcomeOf: known.ref };
    if (reimport && DONE.has(reimport.current.outcome) && known === undefined)
      return { record, key, outcome: returnedBefore(reimport.current) };
    if (reimport && id === undefined && known && isOfAnother(reimport, known))
      return { record, key, outcome: sentForAnother(key, known, groupKey !== undefined) };
    const decided = decide({ resource, mode, digest, ids }, { payload, id, known, trashed });
    if ('outcome' in decided) {
      if (claimsKey && decided.outcome === 'invalid') keys.claim(invalidEntry(keyEntry(key)), row);
      return { record, key, outcome: decided };
    }
    const { operation, digests } = decided;
    if (operation.kind === 'update' && groupKey && id === undefined && reimport && wasSent(reimport))
      return { record, key, outcome: invalid([sentSince(groupKey, reimport.current)]) };
    const sameId = operation.kind === 'update' ? claim(idEntry(operation.id), operation.id, row) : undefined;
    if (sameId) return { record, key, outcome: sameId };
    return { record, key, operation, digests };
  }

  return {
    plan,
    claimSettled({ key, row: number, file, outcome: { outcome, id, code = '' } }) {
      const row = places.at(number, file);
      const isInvalid = outcome === 'invalid';
      // It claimed nothing if an earlier record has the key, even if that one is still to be sent.
      const isSecond =
        code === 'duplicate-key' || (isInvalid && keys.find(reservedEntry(keyEntry(key))) !== undefined);
      if (key !== '' && !isSecond) {
        if (grouping === 'by-key') claimGroup(key, row);
        else if (!isInvalid) keys.claim(keyEntry(key), row);
        else if (!WITHOUT_OWN_KEY.has(code)) claimInvalid(keyEntry(key), row);
      }
      if (id !== undefined && outcome !== 'created') keys.claim(idEntry(id), row);
    },
    reserve({ key, row, file }) {
      if (key !== '') keys.claim(reservedEntry(keyEntry(key)), places.at(row, file));
    },
    claimGroup: (groupKey, record) => void claimGroup(groupKey, places.of(record)),
  };
}

/** Names the fields only: they are compared with nothing. A create does not even need their names. */
class FieldNames implements FieldDigests {
  readonly digests = '';
  readonly #payload: JsonObject;

  constructor(payload: JsonObject) {
    this.#payload = payload;
  }

  get fields(): string {
    return Object.keys(this.#payload).join();
  }
}

/** Codes of invalid records whose own key is not known, so that the group's key is used. */
const WITHOUT_OWN_KEY: ReadonlySet<string> = new Set([...UNREADABLE, 'group-split']);

/** The value of the first key field that is filled. */
export function keyOf(resource: Resource, payload: JsonObject): string | undefined {
  const field = keyFieldOf(resource, payload);
  return field === undefined ? undefined : (payload[field] as string);
}

/** The key of a record: from its payload, else the one that the mapping names, else the group's; '' if it has none. */
export function keyFor(resource: Resource, { payload, namedKey, groupKey }: RecordKeys): string {
  return keyOf(resource, payload) ?? namedKey ?? groupKey ?? '';
}

function hasOwnKey(resource: Resource, { payload, namedKey }: CheckedRecord): boolean {
  return (keyOf(resource, payload) ?? namedKey) !== undefined;
}

/** Keeps a record in doubt: only the store knows whether it is there, and sending it might create a second one. */
function stillInDoubt({
  run,
  ref,
  code = '',
}: {
  readonly run: string;
  readonly ref?: RecordRef;
  readonly code?: string;
}): Outcome {
  const then = ref
    ? `then record what you found: storeport run resolve ${run}`
    : 'if it is not there, clear the cell in storeport_outcome';
  return skippedOutcome('in-doubt', {
    code: code === '' ? 'no-answer' : code,
    message: `not sent: in doubt since the run ${run}. Look in the store; ${then}`,
  });
}

/** Outcomes after which nothing is left to do. */
const DONE: ReadonlySet<string> = new Set(['created', 'updated', 'unchanged']);

/** True if the ledger says that the record was sent by now, in that run or a later one. */
function wasSent({ current }: Reimport): boolean {
  return current.ref !== undefined && DONE.has(current.outcome);
}

/** Refuses a re-imported record with another key or none: it could be created a second time. */
function returnedBefore({ run, row, outcome }: Reimport['current']): Outcome {
  const message = `not sent: the run ${run} has ${outcome} it already, row ${row}; if this is another record, clear the cell in storeport_run`;
  return skippedOutcome('duplicate', { code: 'returned-before', message });
}

/**
 * True if the earlier run has sent another record with the key of a re-imported one. Then this one is a duplicate, or the
 * rest of a group, and an update would overwrite the other record.
 */
function isOfAnother({ refs, isWhole }: Reimport, { id, ref: [run, seq] }: PriorState): boolean {
  if (!isWhole || id === undefined || !refs.some(([itsRun]) => itsRun === run)) return false;
  return !refs.some(([itsRun, itsSeq]) => itsRun === run && itsSeq === seq);
}

function sentForAnother(key: string, { run, row }: PriorState, isGroup: boolean): Outcome {
  const sent = `the run ${run} has sent "${key}" from row ${row}`;
  const message = isGroup
    ? `${sent}, without these rows: import all its rows again from the source. If these are all of them, clear their cells in storeport_run`
    : `${sent} already; if this row is to replace it, clear its cell in storeport_run`;
  return isGroup
    ? skippedOutcome('invalid', { code: 'group-split', message })
    : skippedOutcome('duplicate', { code: 'duplicate-key', message });
}

function duplicate(key: string, before: string, isInvalid: boolean): Outcome {
  const advice = isInvalid
    ? ', and that row is invalid: correct it and import it. If this row is the right one, delete the other from the file, and import the file again'
    : '; that row was used';
  const message = `"${key}" is already in ${before}${advice}`;
  return skippedOutcome('duplicate', { code: 'duplicate-key', message });
}
