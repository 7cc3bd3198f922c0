import {
  type FieldDigests,
  identifierFault,
  type JsonObject,
  type Operation,
  type Outcome,
  type OutcomeStatus,
  type PriorState,
  type Trashed,
} from '../model/index.ts';
import type { Resource } from '../resources/index.ts';
import { changedFields, type Digester, mergedDigests } from './digests.ts';
import type { IdShape } from './identifiers.ts';

/** `--mode`: whether records are created, updated, or either. */
export type Mode = 'create' | 'update' | 'upsert';

/**
 * The kind of operation for a record. With upsert, a known identifier means an update. If the API has no update, only a
 * create is possible.
 */
export function kindFor(mode: Mode, resource: Resource, id: string | undefined): Operation['kind'] {
  if (mode === 'upsert') return id !== undefined && resource.update ? 'update' : 'create';
  return mode;
}

/** Parameters of decisions that are the same for all records of a run. */
export interface DecisionContext {
  readonly resource: Resource;
  readonly mode: Mode;
  readonly digest: Digester;
  /** Shape that identifiers in a file must have. */
  readonly ids: IdShape;
}

/** A valid record whose key is not in doubt. */
export interface Candidate {
  readonly payload: JsonObject;
  /** Identifier from the file. */
  readonly id?: string | undefined;
  readonly known?: PriorState | undefined;
  /** The record that it would update is in the trash since an undo. */
  readonly trashed?: Trashed | undefined;
}

/**
 * Decides between create, update and nothing, by the mode and by what earlier runs know: the key's identifier, and
 * digests of the fields that were sent last. An update sends the top-level fields that have changed. Changed objects and
 * lists are sent whole, since a part might erase the rest. A record that an undo put into the trash is restored by the
 * status in its payload. Without one it would be changed while in the trash, so nothing is sent.
 */
export function decide(
  { resource, mode, digest, ids }: DecisionContext,
  { payload, id, known, trashed }: Candidate,
): { readonly operation: Operation; readonly digests: FieldDigests } | Outcome {
  const now = digest(payload);
  if (mode === 'create' && known?.id !== undefined) return knownAlready(resource, known, trashed);
  const to = id ?? known?.id;
  if (kindFor(mode, resource, to) === 'create' && known?.id === undefined)
    return { operation: { kind: 'create', payload }, digests: now };

  // Digests of another record do not apply to this one.
  const before = id === undefined || id === known?.id ? known?.digests : undefined;
  const restores = trashed ? Object.keys(resource.trash ?? {}) : [];
  if (trashed && !restores.every((field) => Object.hasOwn(payload, field)))
    return leftInTrash(trashed, restores, to);
  // The key is not compared if the API has no update: it may differ in spelling, such as in the case of a mail address, and
  // the spelling cannot be changed.
  const uncompared = resource.update ? undefined : keyFieldOf(resource, payload);
  const differ = changedFields(now, before).filter((field) => field !== uncompared);
  const changed = trashed ? [...new Set([...differ, ...restores])] : differ;
  if (before && changed.length === 0) return skippedOutcome('unchanged', { id: to });
  if (!resource.update)
    return before || mode === 'update' ? noUpdate(resource, before ? changed : []) : alreadyInStore(known);
  if (to === undefined) return noId(resource);
  const fault = identifierFault(to);
  if (fault !== undefined) return notAnId(to, fault, id === undefined ? known?.run : undefined);
  if (id !== undefined && id !== known?.id && !ids.holds(id)) return foreignId(id, ids);
  if (Object.keys(payload).length === 0)
    return skippedOutcome('unchanged', {
      code: 'no-changes',
      message: 'no field to change is filled',
      id: to,
    });
  // Secret fields have no digest to compare, so they are always sent.
  const sent = Object.entries(payload).filter(
    ([field]) => changed.includes(field) || resource.secret?.includes(field),
  );
  return {
    operation: { kind: 'update', id: to, payload: Object.fromEntries(sent) },
    digests: mergedDigests(before, now),
  };
}

/** The first key field that is filled. */
export function keyFieldOf({ key = [] }: Pick<Resource, 'key'>, payload: JsonObject): string | undefined {
  return key.find((field) => typeof payload[field] === 'string' && payload[field] !== '');
}

function knownAlready(
  { update }: Resource,
  { id, run, row }: PriorState,
  trashed: Trashed | undefined,
): Outcome {
  const advice = update ? '; update it with --mode upsert' : '';
  const message = trashed
    ? `the store has it already, in the trash since the run ${trashed.run}; restore it with --mode upsert and a status`
    : `the store has it already: the run ${run} sent it, row ${row}${advice}`;
  return skippedOutcome('duplicate', { code: 'known-key', message, id });
}

/** Leaves a trashed record unsent: the user must decide whether to restore it. */
function leftInTrash({ run, sure }: Trashed, fields: readonly string[], id: string | undefined): Outcome {
  const where = sure
    ? `the run ${run} put it into the trash`
    : `the run ${run} may have put it into the trash: it got no answer`;
  const message = `not sent: ${where}, and the record has no ${fields.join(' and no ')}; restore it with --set status=PUBLISH or a column status`;
  return skippedOutcome('unsent', { code: 'taken-back', message, id });
}

function noUpdate({ name }: Resource, changed: readonly string[]): Outcome {
  const what = changed.length === 0 ? '' : `; changed: ${changed.join(', ')}`;
  const message = `the store's API cannot update ${name}; only creating works${what}`;
  return skippedOutcome('unsent', { code: 'no-update', message });
}

/** The record exists and cannot be updated. Its fields in the store are not known. */
function alreadyInStore(known: PriorState | undefined): Outcome {
  const message = 'the store has a record with this key; whether its fields are the same is not known';
  return skippedOutcome('unchanged', { code: 'known-key', message, id: known?.id });
}

/** `run`: the run from which the ledger has the identifier; undefined if it is from the file. */
function notAnId(id: string, fault: string, run: string | undefined): Outcome {
  const [where, advice] =
    run === undefined
      ? ['column "_id": ', 'correct the cell, or empty it where the record is new']
      : [`since the run ${run} its identifier is `, 'record the right one. How: storeport run adopt --help'];
  const message = `${where}"${id}", which is not an identifier: ${fault}; ${advice}`;
  return skippedOutcome('invalid', { code: 'not-an-id', message });
}

/** The identifier in the file is from another system. */
function foreignId(id: string, { words }: IdShape): Outcome {
  const message = `column "_id": "${id}" cannot be of this store, whose identifiers are ${words}; ignore the column with --mode create`;
  return skippedOutcome('invalid', { code: 'not-an-id', message });
}

function noId({ key }: Resource): Outcome {
  const known = key ? `; no run knows the ${key.join(' or the ')} either` : '';
  const message = `an update needs the store's identifier: fill the column "_id"${known}`;
  return skippedOutcome('invalid', { code: 'no-id', message });
}

/** Why nothing is sent for a record. */
export interface SkipReason {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  /** Identifier of the record in the store; undefined if none is known. */
  readonly id?: string | undefined;
}

/** The outcome of a record that nothing is sent for. */
export function skippedOutcome(status: OutcomeStatus, { code, message, id }: SkipReason = {}): Outcome {
  return {
    ...{ outcome: status, attempts: 0, durationMs: 0, code, message },
    ...(id === undefined ? {} : { id }),
  };
}
