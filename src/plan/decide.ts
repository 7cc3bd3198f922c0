import {
  type FieldDigests,
  identifierFault,
  type JsonObject,
  type Operation,
  type Outcome,
  type PriorState,
  type Trashed,
} from '../model/index.ts';
import type { Resource } from '../resources/index.ts';
import { changedFields, type Digester, mergedDigests } from './digests.ts';
import type { IdShape } from './identifiers.ts';
import { settled } from './outcomes.ts';

/** What `--mode` says of records that are new and of those that the store has. */
export type Mode = 'create' | 'update' | 'upsert';

/**
 * What a record is sent as. With upsert, one whose identifier is known is there; where the API
 * has no update, only a create is left.
 */
export function kindFor(mode: Mode, resource: Resource, id: string | undefined): Operation['kind'] {
  if (mode === 'upsert') return id !== undefined && resource.update ? 'update' : 'create';
  return mode;
}

/** What is the same for all records of a run. */
export interface Deciding {
  readonly resource: Resource;
  readonly mode: Mode;
  readonly digest: Digester;
  /** What identifiers in a file must look like. */
  readonly ids: IdShape;
}

/** What to do with a record that is fit to be sent. Its key is not in doubt. */
export interface Candidate {
  readonly payload: JsonObject;
  /** From the file. */
  readonly id?: string | undefined;
  readonly known?: PriorState | undefined;
  /** The record that it would update is in the trash since an undo. */
  readonly trashed?: Trashed | undefined;
}

/**
 * Create, update or nothing, by the mode and by what earlier runs know: the key's identifier, and digests of the fields
 * that the store was given last. An update sends the top-level fields that have changed; a changed object or list goes
 * whole, since a part of it might erase the rest. What an undo put into the trash comes back with the status that the
 * payload has; without one it would be changed unseen, so nothing is sent.
 */
export function decide(
  { resource, mode, digest, ids }: Deciding,
  { payload, id, known, trashed }: Candidate,
): { readonly operation: Operation; readonly digests: FieldDigests } | Outcome {
  const now = digest(payload);
  if (mode === 'create' && known?.id !== undefined) return knownAlready(resource, known, known.id, trashed);
  const to = id ?? known?.id;
  if (kindFor(mode, resource, to) === 'create' && known?.id === undefined)
    return { operation: { kind: 'create', payload }, digests: now };

  // What was sent to another record says nothing of this one.
  const before = id === undefined || id === known?.id ? known?.digests : undefined;
  const restores = trashed ? Object.keys(resource.trash ?? {}) : [];
  if (trashed && !restores.every((field) => Object.hasOwn(payload, field)))
    return takenBack(trashed, restores, to);
  // Where the API has no update, the key is left out: it was found in spite of another spelling, such as other capitals in a
  // mail address, and the spelling cannot be changed.
  const uncompared = resource.update ? undefined : keyFieldOf(resource, payload);
  const differ = changedFields(now, before).filter((field) => field !== uncompared);
  const changed = trashed ? [...new Set([...differ, ...restores])] : differ;
  if (before && changed.length === 0) return settled('unchanged', undefined, undefined, to);
  if (!resource.update)
    return before || mode === 'update' ? noUpdate(resource, before ? changed : []) : present(known);
  if (to === undefined) return noId(resource);
  const fault = identifierFault(to);
  if (fault !== undefined) return notAnId(to, fault, id === undefined ? known?.run : undefined);
  if (id !== undefined && id !== known?.id && !ids.holds(id)) return foreignId(id, ids);
  if (Object.keys(payload).length === 0)
    return settled('unchanged', 'no-changes', 'no field to change is filled', to);
  // Fields of which no digest is kept go with the others.
  const sent = Object.entries(payload).filter(
    ([field]) => changed.includes(field) || resource.secret?.includes(field),
  );
  return {
    operation: { kind: 'update', id: to, payload: Object.fromEntries(sent) },
    digests: mergedDigests(before, now),
  };
}

/** The first key field that is filled. */
export function keyFieldOf({ key = [] }: Resource, payload: JsonObject): string | undefined {
  return key.find((field) => typeof payload[field] === 'string' && payload[field] !== '');
}

function knownAlready(
  { update }: Resource,
  { run, row }: PriorState,
  id: string,
  trashed: Trashed | undefined,
): Outcome {
  const advice = update ? '; --mode upsert would update it' : '';
  const message = trashed
    ? `the store has it already, in the trash since the run ${trashed.run}; --mode upsert with a status brings it back`
    : `the store has it already: the run ${run} sent it, row ${row}${advice}`;
  return settled('duplicate', 'known-key', message, id);
}

/** Whether it is to be there again is for the user to say. */
function takenBack({ run, sure }: Trashed, fields: readonly string[], id: string | undefined): Outcome {
  const where = sure
    ? `the run ${run} put it into the trash`
    : `the run ${run} may have put it into the trash: it got no answer`;
  const message = `not sent: ${where}, and the record says no ${fields.join(' and no ')}; --set status=PUBLISH, or a column status, brings it back`;
  return settled('unsent', 'taken-back', message, id);
}

function noUpdate({ name }: Resource, changed: readonly string[]): Outcome {
  const what = changed.length === 0 ? '' : `; changed: ${changed.join(', ')}`;
  return settled('unsent', 'no-update', `the store's API cannot update ${name}; only creating works${what}`);
}

/** It is there, nothing can be done about it, and what the store has of it is not known. */
function present(known: PriorState | undefined): Outcome {
  return settled(
    'unchanged',
    'known-key',
    'the store has a record with this key; whether its fields are the same is not known',
    known?.id,
  );
}

/** `run`: the one that the ledger has it from; undefined where the file says it. */
function notAnId(id: string, fault: string, run: string | undefined): Outcome {
  const [where, advice] =
    run === undefined
      ? ['column "_id": ', 'correct the cell, or empty it where the record is new']
      : [`since the run ${run} its identifier is `, 'give the right one with storeport run adopt'];
  return settled('invalid', 'not-an-id', `${where}"${id}", which is no identifier: ${fault}; ${advice}`);
}

/** It came with the file, from another system. */
function foreignId(id: string, { words }: IdShape): Outcome {
  const message = `column "_id": "${id}" cannot be of this store, whose identifiers are ${words}; --mode create ignores the column`;
  return settled('invalid', 'not-an-id', message);
}

function noId({ key }: Resource): Outcome {
  const known = key ? `; no run knows the ${key.join(' or the ')} either` : '';
  return settled('invalid', 'no-id', `an update needs the store's identifier: fill the column "_id"${known}`);
}
