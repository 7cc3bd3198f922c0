import type { Json, JsonObject } from '../../model/index.ts';
import { type Reply, refuse, refuseFields } from '../reply.ts';
import type { Store } from './call.ts';

/** The body as the contract wants it, or the refusal. */
export type ReadBody = (text: string) => { readonly body: JsonObject } | { readonly refusal: Reply };

/** Reads bodies of an operation. A `storeId` must also be this store's: the token belongs to one store. */
export function bodyReader({ contract, storeId }: Store, operationId: string): ReadBody {
  return (text) => {
    let body: Json;
    try {
      body = JSON.parse(text) as Json;
    } catch (error) {
      const what = text === '' ? 'it is empty' : (error as Error).message;
      return { refusal: refuse(400, 'BAD_JSON', `The body is not JSON: ${what}.`) };
    }
    // Looked up here and not above, so that a sandbox starts without compiling every schema.
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
