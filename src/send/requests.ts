import type { AboutRecord, Operation, StoreRequest } from '../model/index.ts';
import type { Resource } from '../resources/index.ts';

/**
 * The HTTP request of an operation. `key`: the record's, empty if it has none. Throws an ordinary Error if the API does
 * not have the operation.
 */
export function requestFor(resource: Resource, operation: Operation, key: string): StoreRequest {
  const body = JSON.stringify(operation.payload);
  const { create, update, envelopes } = resource;
  const about = resource.echo === 'ignore' ? undefined : aboutOf(resource, operation, key);
  if (operation.kind === 'create' && create)
    return { kind: 'create', method: create.method, path: create.path, body, envelopes, about };
  if (operation.kind === 'update' && update) {
    // Planning guarantees an identifier. Without one, the store might change any record.
    if (operation.id.trim() === '') throw new Error('an update has no identifier');
    const path = `${update.path}?${update.idParam}=${encodeURIComponent(operation.id)}`;
    return { kind: 'update', method: update.method, path, body, envelopes, about };
  }
  throw new Error(`${resource.name} has no ${operation.kind}`);
}

/**
 * Names the key that the answer must repeat. A new record repeats the field that holds its key; an existing one may hold
 * it in any key field.
 */
function aboutOf(
  { key: fields = [], name }: Resource,
  operation: Operation,
  key: string,
): AboutRecord | undefined {
  const setting = `api.${name}`;
  if (operation.kind === 'update')
    return key === '' || fields.length === 0 ? undefined : { fields, value: key, id: operation.id, setting };
  for (const field of fields) {
    const value = operation.payload[field];
    if (typeof value === 'string' && value.trim() !== '') return { fields: [field], value, setting };
  }
  return undefined;
}
