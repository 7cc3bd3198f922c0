import {
  type FieldDigests,
  type Issue,
  type JsonObject,
  normalisedKey,
  type Outcome,
  PLAIN_COMMANDS,
  type PlannedRecord,
  type RecordResultStub,
  type RunCommands,
  type SourceRecord,
  UNREADABLE,
} from '../model/index.ts';
import type { Resource } from '../resources/index.ts';
import type { CheckedRecord, RecordKeys } from './checked-record.ts';
import { decide, keyFieldOf, type Mode } from './decide.ts';
import { createDigester } from './digests.ts';
import { idShapeFor } from './identifiers.ts';
import { invalid, withCells, withoutSecrets } from './invalid.ts';
import { createKeyIndex } from './key-index.ts';
import type { NewerImports } from './newer-imports.ts';
import { createRecordPlaces } from './places.ts';
import { keyNormaliser } from './record-key.ts';
import { duplicate, importedSince, leftOut, refusedReturn, stillInDoubt, wasSent } from './refusals.ts';
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
  /** Records that later runs have settled, which this one does not send; undefined if there are none, or it shall. */
  readonly newer?: NewerImports | undefined;
  /** The commands that messages name. Default: those of the plain command line. */
  readonly commands?: Pick<RunCommands, 'resolve'> | undefined;
}

/** How rows are grouped. `by-key`: the group's key is also the record's key. `by-other`: groups have keys of their own. */
export type RecordGrouping = 'none' | 'by-key' | 'by-other';

export interface Planner {
  plan(checked: CheckedRecord): PlannedRecord;
  /** Plans a record without regard to others of the run: `claim` says later whether one of them has its key. */
  judge(checked: CheckedRecord): Judged;
  /** Claims the key of a record. Returns the outcome of a duplicate if an earlier record has it. */
  claim(claim: KeyClaim): Outcome | undefined;
  /** Claims the keys of a record that an earlier execution of the run has settled. */
  claimSettled(result: RecordResultStub): void;
  /** Reserves the key of a record that is planned again later, so that no record below it claims the key first. */
  reserve(result: RecordResultStub): void;
  /** Claims the key of a group that is not the record's own key. */
  claimGroup(groupKey: string, record: SourceRecord): void;
}

/** A record with its plan if it is no duplicate. */
export interface Judged {
  readonly planned: PlannedRecord;
  readonly claim: KeyClaim;
}

/** The key and the identifier that a record claims: a later record with them is a duplicate. It is plain data. */
export interface KeyClaim {
  /** '' if it has no key of its own, or if that is claimed as the key of its group. */
  readonly key: string;
  readonly row: number;
  /** Identifier of the record that it updates, or would update. */
  readonly id?: string | undefined;
  /** `faulty`: a record with issues. `refused`: one that is invalid without any. */
  readonly by: 'valid' | 'faulty' | 'refused';
}

/**
 * Decides for each record, in source order, on its operation or outcome. Remembers the keys of the run: a repeated key is
 * a duplicate. If rows are grouped, a repeated group is an issue, since its rows belong to a record that may have been
 * sent.
 */
export function createPlanner(options: PlanOptions): Planner {
  const { resource, mode, dryRun, grouping, files = [], newer, commands = PLAIN_COMMANDS } = options;
  const ids = idShapeFor(resource, options.knownIds ?? []);
  const places = createRecordPlaces(files);
  const keys = createKeyIndex();
  const digest =
    dryRun && options.knownIds === undefined
      ? (payload: JsonObject) => new FieldNames(payload)
      : createDigester(resource);
  const claimGroup = (groupKey: string, row: number) => keys.claim(normalisedKey(groupKey), row);
  // Entries of the index, with a prefix for each kind. Group keys have none; nor do record keys if they are the same.
  const normalise = keyNormaliser(resource);
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
  function claimEntry(entry: string, key: string, row: number): Outcome | undefined {
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
    const { record, groupKey, reimport } = checked;
    const key = keyFor(resource, checked);
    const row = places.of(record);
    // Claims no key but that of the group, whose other rows may return. Another record of the run may have the same key.
    if (checked.isLeftOut) {
      if (groupKey) claimGroup(groupKey, row);
      return { record, key, outcome: leftOut() };
    }
    if (groupKey) {
      const before = claimGroup(groupKey, row);
      if (before !== undefined)
        return {
          record,
          key,
          outcome: invalid(
            [splitGroup(groupKey, places.words(before), places.words(row)), ...issuesOf(checked)],
            files.length > 1,
          ),
        };
    }
    if (reimport?.current.outcome === 'in-doubt') {
      if (key !== '' && !(groupKey && grouping === 'by-key')) keys.claim(keyEntry(key), row);
      return {
        record,
        key,
        outcome: stillInDoubt(reimport.current, commands),
        sharesOutcomeOf: reimport.current.ref,
      };
    }
    const { planned, claim: claimed } = judge(checked);
    const duplicateOf = claim(claimed);
    return duplicateOf ? { record, key, outcome: duplicateOf } : planned;
  }

  function issuesOf({ issues, payload, reimport }: CheckedRecord): readonly Issue[] {
    const all = reimport ? [...reimport.issues, ...issues] : issues;
    return all.length > 0 ? withoutSecrets(all, payload, resource.secret) : all;
  }

  function judge(checked: CheckedRecord): Judged {
    const { record, payload, groupKey, id, known, trashed, reimport } = checked;
    const issues = issuesOf(checked);
    const ownKey = keyFor(resource, checked);
    const row = places.of(record);
    // With `by-key`, claiming the group claims the key.
    const key = groupKey && grouping === 'by-key' ? '' : ownKey;
    if (issues.length > 0)
      return {
        planned: { record, key: ownKey, outcome: invalid(withCells(issues, record), files.length > 1) },
        // Unreadable rows have only a group key.
        claim: { key: hasOwnKey(resource, checked) ? key : '', row, id, by: 'faulty' },
      };
    const claim: KeyClaim = { key, row, by: 'valid' };
    if (known && known.id === undefined && id === undefined)
      return {
        planned: { record, key: ownKey, outcome: stillInDoubt(known, commands), sharesOutcomeOf: known.ref },
        claim,
      };
    const returned = reimport && refusedReturn(reimport, { key: ownKey, groupKey, id, known });
    if (returned) return { planned: { record, key: ownKey, outcome: returned }, claim };
    const decided = decide({ resource, mode, digest, ids }, { payload, id, known, trashed });
    if ('outcome' in decided)
      return {
        planned: { record, key: ownKey, outcome: decided },
        claim: decided.outcome === 'invalid' ? { ...claim, by: 'refused' } : claim,
      };
    const { operation, digests } = decided;
    const newerRun = newer?.runOf(ownKey, id ?? known?.id);
    if (newerRun !== undefined)
      return { planned: { record, key: ownKey, outcome: importedSince(newerRun) }, claim };
    if (operation.kind === 'create') return { planned: { record, key: ownKey, operation, digests }, claim };
    if (groupKey && id === undefined && reimport && wasSent(reimport)) {
      const outcome = invalid([sentSince(groupKey, reimport.current)]);
      return { planned: { record, key: ownKey, outcome }, claim };
    }
    return {
      planned: { record, key: ownKey, operation, digests },
      claim: { ...claim, id: operation.id },
    };
  }

  function claim({ key, row, id, by }: KeyClaim): Outcome | undefined {
    if (by === 'faulty') {
      if (key !== '') claimInvalid(keyEntry(key), row);
      if (id !== undefined) claimInvalid(idEntry(id), row);
      return undefined;
    }
    const sameKey = key === '' ? undefined : claimEntry(keyEntry(key), key, row);
    if (sameKey) return sameKey;
    if (key !== '' && by === 'refused') keys.claim(invalidEntry(keyEntry(key)), row);
    return id === undefined ? undefined : claimEntry(idEntry(id), id, row);
  }

  return {
    plan,
    judge,
    claim,
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
export function keyFor(resource: Resource, { payload, phoneKey, namedKey, groupKey }: RecordKeys): string {
  return phoneKey ?? keyOf(resource, payload) ?? namedKey ?? groupKey ?? '';
}

function hasOwnKey(resource: Resource, { payload, namedKey }: CheckedRecord): boolean {
  return (keyOf(resource, payload) ?? namedKey) !== undefined;
}
