import type { Operation, StoreRequest } from '../model/index.ts';
import type { Resource } from '../resources/index.ts';

/** The HTTP request that carries out an operation. Throws an ordinary Error for one that the API does not have. */
export function requestFor(resource: Resource, operation: Operation): StoreRequest {
  const body = JSON.stringify(operation.payload);
  const { create, update, envelopes } = resource;
  if (operation.kind === 'create' && create)
    return {
      kind: 'create',
      method: create.method,
      path: create.path,
      body,
      ...(envelopes ? { envelopes } : {}),
    };
  if (operation.kind === 'update' && update) {
    // Planning sees to it; without one, who knows what a store would change.
    if (operation.id.trim() === '') throw new Error('an update has no identifier');
    const path = `${update.path}?${update.idParam}=${encodeURIComponent(operation.id)}`;
    return { kind: 'update', method: update.method, path, body, ...(envelopes ? { envelopes } : {}) };
  }
  throw new Error(`${resource.name} has no ${operation.kind}`);
}
