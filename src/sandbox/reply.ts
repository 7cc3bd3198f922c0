/** Answer of a handler. Its body is text already. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  /** Names and values alternate, as `node:http` takes them. */
  readonly headers?: readonly string[];
  /** Content type, if it is not JSON. */
  readonly type?: string;
  /** The change that the request made in the store. Undefined: none. */
  readonly did?: StoreChange;
}

/** A change that a request really made, whatever its answer says. Tests judge a client by it. */
export interface StoreChange {
  readonly collection: string;
  readonly id: string;
  /** Name of the record for people: reference, code, e-mail address, phone number or name. */
  readonly key?: string;
}

/** A mistake in one field: `{field: 'price.salePrice', reason: 'must be number'}`. */
export interface FieldError {
  /** Dotted path in the body, name of a query parameter, or `(body)` for the whole body. */
  readonly field: string;
  readonly reason: string;
}

/** Codes of refusals. The API document shows none, so these are the sandbox's own (LIMITS.md lists them). */
export type RefusalCode =
  | 'BAD_JSON'
  | 'BAD_QUERY'
  | 'VALIDATION_FAILED'
  | 'INVALID_CREDENTIALS'
  | 'INVALID_REFRESH_TOKEN'
  | 'INVALID_TOKEN'
  | 'TOKEN_EXPIRED'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'BODY_TOO_LARGE'
  | 'INTERNAL_ERROR';

/** Maximum number of fields in a refusal: a list may have a million items, and the same mistake in each. */
const MAX_ERRORS = 100;

export function ok(text: string, did?: StoreChange): Reply {
  return did === undefined ? { status: 200, text } : { status: 200, text, did };
}

/** Body of a refusal, next to `status: 'error'`. */
interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly errors?: readonly FieldError[];
}

function refusalReply(status: number, refusal: Refusal): Reply {
  return { status, text: JSON.stringify({ status: 'error', ...refusal }) };
}

/** Refuses a request with `{status: 'error', code, message}`. */
export function refuse(status: number, code: RefusalCode, message: string): Reply {
  return refusalReply(status, { code, message });
}

/** Refuses a body that violates the contract with 400, and names its wrong fields. */
export function refuseFields(errors: readonly FieldError[]): Reply {
  const message = `The body was refused: ${summary(errors)}.`;
  return refusalReply(400, { code: 'VALIDATION_FAILED', message, errors: errors.slice(0, MAX_ERRORS) });
}

/** Refuses a query with 400, and names its wrong parameters. */
export function refuseQuery(errors: readonly FieldError[]): Reply {
  const message = `The query was refused: ${summary(errors)}.`;
  return refusalReply(400, { code: 'BAD_QUERY', message, errors: errors.slice(0, MAX_ERRORS) });
}

function summary(errors: readonly FieldError[]): string {
  const [first] = errors;
  if (first === undefined) return 'no reason given';
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return `${first.field} ${first.reason}${more}`;
}
