import type { Json, JsonObject } from '../../model/index.ts';
import type { Faults } from '../misbehave/faults.ts';
import { type Reply, refuse, refuseFields } from '../reply.ts';
import type { Store } from './call.ts';

/** Returns the body if it fits the contract, or the refusal. */
export type ReadBody = (text: string) => { readonly body: JsonObject } | { readonly refusal: Reply };

/** Creates a reader for bodies of an operation. A `storeId` in them must be this store's, like the token. */
export function bodyReader({ contract, storeId }: Store, operationId: string): ReadBody {
  return (text) => {
    let body: Json;
    try {
      body = JSON.parse(text) as Json;
    } catch (error) {
      const reason = text === '' ? 'it is empty' : (error as Error).message;
      return { refusal: refuse(400, 'BAD_JSON', `The body is not JSON: ${reason}.`) };
    }
    // Requested here and not above, so that a sandbox starts without compiling all schemas.
    const errors = contract.bodyCheck(operationId)(body);
    if (errors.length > 0) return { refusal: refuseFields(errors) };
    const object = body as JsonObject;
    if (object.storeId !== undefined && object.storeId !== storeId) {
      return {
        refusal: refuseFields([{ field: 'storeId', reason: `must be ${storeId}, the token's store` }]),
      };
    }
    return { body: object };
  };
}

/** Wraps the JSON text of a record in the answer to a create or update. The API document shows `data` only. */
export function inEnvelope(record: string, singular: string, form: Faults['envelope'] = 'data'): string {
  switch (form) {
    case 'data':
      return `{"status":"success","data":${record}}`;
    case 'result':
      return `{"result":${record}}`;
    case 'named':
      return `{"${singular}":${record}}`;
    case 'bare':
      return record;
  }
}
