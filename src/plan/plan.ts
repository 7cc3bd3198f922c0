import {
  type Issue,
  type Json,
  type JsonObject,
  leadRow,
  type Operation,
  type Outcome,
  type Planned,
  type SourceRecord,
} from '../model/index.ts';
import type { Resource } from '../resources/index.ts';
import { createKeyIndex } from './key-index.ts';

/** What `--mode` says of records that are new and of those that the store has. */
export type Mode = 'create' | 'update' | 'upsert';

export interface PlanOptions {
  readonly resource: Resource;
  readonly mode: Mode;
  /** `validate`: say what would be done. */
  readonly dryRun: boolean;
  /** The column that groups rows is the one that the key comes from: the two are never told apart. */
  readonly keyIsGroupKey: boolean;
}

/** A record with its payload and every issue that mapping and validation found. */
export interface Checked {
  readonly record: SourceRecord;
  readonly payload: JsonObject;
  readonly issues: readonly Issue[];
  /** The group's key where rows were grouped, as the file has it. */
  readonly groupKey?: string;
  /** What the column that the mapping names as the key says; for resources whose payload has none. */
  readonly namedKey?: string;
  /** `_id` from the file, where it has one: what an update is addressed to. */
  readonly id?: string;
  /** It came back from an earlier run that left it in doubt, as in-doubt.csv says. */
  readonly inDoubt?: { readonly run: string; readonly code: string };
}

/**
 * What a record is sent as. With upsert, one that names the store's identifier is known to be there; where the API
 * has no update, only a create is left.
 */
export function kindFor(mode: Mode, resource: Resource, id: string | undefined): Operation['kind'] {
  if (mode === 'upsert') return id !== undefined && resource.update ? 'update' : 'create';
  return mode;
}

/**
 * Decides for each record, in source order, what is to be done with it. Remembers the keys of the run: the same
 * one again is a duplicate, and where rows were grouped, a group that comes back is an issue, since its rows
 * belong to a record that is already on its way.
 */
export function createPlanner({
  resource,
  mode,
  dryRun,
  keyIsGroupKey,
}: PlanOptions): (checked: Checked) => Planned {
  const keys = createKeyIndex();
  return ({ record, payload, issues, namedKey, groupKey, id, inDoubt }) => {
    const key = keyOf(resource, payload) ?? namedKey ?? groupKey ?? '';
    const row = leadRow(record);
    if (groupKey) {
      const before = keys.claim(normalised(groupKey), row);
      if (before !== undefined)
        return { record, key, outcome: invalid([splitGroup(groupKey, before, row), ...issues]) };
    }
    if (inDoubt) return { record, key, outcome: stillInDoubt(inDoubt) };
    if (issues.length > 0) return { record, key, outcome: invalid(issues) };
    // A group's key that is the record's key as well was claimed above; any other has a space of its own there.
    if (key !== '' && !(groupKey && keyIsGroupKey)) {
      const before = keys.claim(groupKey ? `\u0000${normalised(key)}` : normalised(key), row);
      if (before !== undefined) return { record, key, outcome: duplicate(key, before) };
    }
    const planned =
      kindFor(mode, resource, id) === 'update'
        ? planUpdate(resource, payload, id)
        : { kind: 'create' as const, payload };
    if ('outcome' in planned) return { record, key, outcome: planned };
    if (planned.kind === 'update') {
      // Two changes of one record would race each other.
      const before = keys.claim(`\u0001${planned.id}`, row);
      if (before !== undefined) return { record, key, outcome: duplicate(planned.id, before) };
      if (Object.keys(payload).length === 0)
        return { record, key, outcome: settled('unchanged', 'no-changes', 'no field to change is filled') };
    }
    return dryRun ? { record, key, outcome: settled('planned') } : { record, key, operation: planned };
  };
}

/** The value of the first key field that is filled. */
export function keyOf(resource: Resource, payload: JsonObject): string | undefined {
  for (const field of resource.key ?? []) {
    const value: Json | undefined = payload[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** Keys are compared after Unicode normalisation and trimming. */
function normalised(key: string): string {
  return key.normalize('NFC').trim();
}

function planUpdate(resource: Resource, payload: JsonObject, id: string | undefined): Operation | Outcome {
  if (!resource.update)
    return settled(
      'unsent',
      'no-update',
      `the store's API cannot update ${resource.name}; only creating works`,
    );
  if (!id)
    return settled('invalid', 'no-id', 'an update needs the store\'s identifier: fill the column "_id"');
  return { kind: 'update', id, payload };
}

/** Whether it is in the store only the store knows; sending it on a guess could make a double. */
function stillInDoubt({ run, code }: { readonly run: string; readonly code: string }): Outcome {
  return settled(
    'in-doubt',
    code === '' ? 'no-answer' : code,
    `not sent: in doubt since the run ${run}. Look in the store; if it is not there, clear the cell in storeport_outcome`,
  );
}

function splitGroup(key: string, before: number, row: number): Issue {
  return {
    code: 'group-split',
    message: `"${key}" began in row ${before} and comes back in row ${row}, with others between: move its rows together`,
  };
}

function duplicate(key: string, before: number): Outcome {
  return settled(
    'duplicate',
    'duplicate-key',
    `"${key}" stands in row ${before} already; that row was taken`,
  );
}

function invalid(issues: readonly Issue[]): Outcome {
  const [first] = issues;
  return {
    ...settled('invalid', first?.code, [...new Set(issues.map(sentence))].join('; ')),
    field: first?.field,
  };
}

/** `row 7, column "Variant Price": "abc" is not a number; …` */
function sentence({ origin, column, message }: Issue): string {
  const place = [origin && `row ${origin.row}`, column && `column "${column}"`].filter(Boolean).join(', ');
  return place === '' ? message : `${place}: ${message}`;
}

function settled(outcome: Outcome['outcome'], code?: string, message?: string): Outcome {
  return { outcome, attempts: 0, durationMs: 0, code, message };
}
