import type { FieldDigests, JsonObject, Known, Operation, Outcome } from '../model/index.ts';
import type { Resource } from '../resources/index.ts';
import { changedFields, type Digester, merged } from './digests.ts';
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

/** What to do with a record that is fit to be sent. Its key is not in doubt. */
export interface Candidate {
  readonly payload: JsonObject;
  /** From the file. */
  readonly id?: string | undefined;
  readonly known?: Known | undefined;
}

/**
 * Create, update or nothing, by the mode and by what earlier runs know: the key's identifier, and digests of the fields
 * that the store was given last. An update sends the top-level fields that have changed; a changed object or list goes
 * whole, since a part of it might erase the rest.
 */
export function decide(
  { resource, mode, digest }: { readonly resource: Resource; readonly mode: Mode; readonly digest: Digester },
  { payload, id, known }: Candidate,
): { readonly operation: Operation; readonly digests: FieldDigests } | Outcome {
  const now = digest(payload);
  if (mode === 'create' && known?.id !== undefined) return knownAlready(known, known.id);
  const to = id ?? known?.id;
  if (kindFor(mode, resource, to) === 'create' && known?.id === undefined)
    return { operation: { kind: 'create', payload }, digests: now };

  // What was sent to another record says nothing of this one.
  const before = id === undefined || id === known?.id ? known?.digests : undefined;
  const changed = changedFields(now, before);
  if (before && changed.length === 0)
    return known?.undone ? takenBack(known, to) : settled('unchanged', undefined, undefined, to);
  if (!resource.update)
    return before || mode === 'update' ? noUpdate(resource, before ? changed : []) : present(known);
  if (to === undefined) return noId(resource);
  if (Object.keys(payload).length === 0)
    return settled('unchanged', 'no-changes', 'no field to change is filled', to);
  // Fields of which no digest is kept go with the others.
  const sent = Object.entries(payload).filter(
    ([field]) => changed.includes(field) || resource.secret?.includes(field),
  );
  return {
    operation: { kind: 'update', id: to, payload: Object.fromEntries(sent) },
    digests: merged(before, now),
  };
}

function knownAlready({ run, row }: Known, id: string): Outcome {
  const message = `the store has it already: the run ${run} sent it, row ${row}; --mode upsert would update it`;
  return settled('duplicate', 'known-key', message, id);
}

/** Whether it is to be there again is for the user to say. */
function takenBack({ run }: Known, id: string | undefined): Outcome {
  const message = `the run ${run} took it back, and it still is: --set status=PUBLISH, or a column status, brings it back`;
  return settled('unchanged', 'taken-back', message, id);
}

function noUpdate({ name }: Resource, changed: readonly string[]): Outcome {
  const what = changed.length === 0 ? '' : `; changed: ${changed.join(', ')}`;
  return settled('unsent', 'no-update', `the store's API cannot update ${name}; only creating works${what}`);
}

/** It is there, nothing can be done about it, and what the store has of it is not known. */
function present(known: Known | undefined): Outcome {
  return settled(
    'unchanged',
    'known-key',
    'the store has a record with this key; whether its fields are the same is not known',
    known?.id,
  );
}

function noId({ key }: Resource): Outcome {
  const known = key ? `; no run knows the ${key.join(' or the ')} either` : '';
  return settled('invalid', 'no-id', `an update needs the store's identifier: fill the column "_id"${known}`);
}
