import type { AboutRecord, Operation, StoreRequest } from '../model/index.ts';
import type { Resource } from '../resources/index.ts';

/**
 * The HTTP request of an operation. `key`: the record's, empty if it has none. Throws an ordinary Error if the API does
 * not have the operation.
 */
export function requestFor(resource: Resource, operation: Operation, key: string): StoreRequest {
  const { kind } = operation;
  const parts = { body: JSON.stringify(operation.payload), about: aboutOf(resource, operation, key) };
  return requestOf(resource, kind, kind === 'update' ? operation.id : undefined, parts);
}

/** The parts of a request that are not the same for all records of a kind. */
export type RequestParts = Pick<StoreRequest, 'body' | 'about'>;

/** As `requestFor`, from the parts that were made before. `id`: of the record that an update changes. */
export function requestOf(
  { name, create, update, envelopes }: Resource,
  kind: Operation['kind'],
  id: string | undefined,
  { body = '', about }: RequestParts,
): StoreRequest {
  if (kind === 'create' && create)
    return { kind, method: create.method, path: create.path, body, envelopes, about };
  if (kind === 'update' && update) {
    // Planning guarantees an identifier. Without one, the store might change any record.
    if (id === undefined || id.trim() === '') throw new Error('an update has no identifier');
    const path = `${update.path}?${update.idParam}=${encodeURIComponent(id)}`;
    return { kind, method: update.method, path, body, envelopes, about };
  }
  throw new Error(`${name} has no ${kind}`);
}

/**
 * Names the key that the answer must repeat. A new record repeats the field that holds its key; an existing one may hold
 * it in any key field.
 */
function aboutOf(resource: Resource, operation: Operation, key: string): AboutRecord | undefined {
  const { key: fields = [], name, echo } = resource;
  if (echo === 'ignore') return undefined;
  if (operation.kind === 'update')
    return key === '' || fields.length === 0
      ? undefined
      : { fields, value: key, id: operation.id, setting: `api.${name}` };
  for (const field of fields) {
    const value = operation.payload[field];
    if (typeof value === 'string' && value.trim() !== '') return aboutCreated(resource, field, value);
  }
  return undefined;
}

/** Identifies the record that the answer to a create must describe, by the key field that was sent. */
export function aboutCreated({ name }: Resource, field: string, value: string): AboutRecord {
  return { fields: [field], value, setting: `api.${name}` };
}
