/** What a handler answers: the status and a body that is already JSON text. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  /** Name and value in turn, as `http` takes them. */
  readonly headers?: readonly string[];
  /** Content type, where it is not JSON. */
  readonly type?: string;
  /** What it changed in the store. */
  readonly did?: Deed;
}

/** What a request really did, for whoever judges a client by it. */
export interface Deed {
  readonly collection: string;
  readonly id: string;
  /** What people know the record by: reference, code, e-mail address or name. */
  readonly key?: string;
}

/** What is wrong with one field: `{field: 'price.salePrice', reason: 'must be number'}`. */
export interface FieldError {
  /** Dotted path in the body, a query parameter's name, or `(body)` for the body as a whole. */
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

/** A refusal names at most this many fields: a list of a million wrong items is one mistake, not a million. */
const MAX_ERRORS = 100;

export function ok(text: string, did?: Deed): Reply {
  return did === undefined ? { status: 200, text } : { status: 200, text, did };
}

/** `{status: 'error', code, message, errors?}`. */
export function refuse(
  status: number,
  code: RefusalCode,
  message: string,
  errors?: readonly FieldError[],
): Reply {
  const body = { status: 'error', code, message, ...(errors && { errors: errors.slice(0, MAX_ERRORS) }) };
  return { status, text: JSON.stringify(body) };
}

/** 400 for a body that is not what the contract says. */
export function refuseFields(errors: readonly FieldError[]): Reply {
  return refuse(400, 'VALIDATION_FAILED', `The body was refused: ${summary(errors)}.`, errors);
}

/** 400 for query parameters, each named. */
export function refuseQuery(errors: readonly FieldError[]): Reply {
  return refuse(400, 'BAD_QUERY', `The query was refused: ${summary(errors)}.`, errors);
}

function summary(errors: readonly FieldError[]): string {
  const [first] = errors;
  if (first === undefined) return 'no reason given';
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return `${first.field} ${first.reason}${more}`;
}
