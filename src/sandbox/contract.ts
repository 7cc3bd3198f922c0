import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '../model/index.ts';
import openApi from './openapi.json' with { type: 'json' };
import type { FieldError } from './reply.ts';

/** What is wrong with a body; empty when nothing is. */
export type BodyCheck = (body: Json) => readonly FieldError[];

/** The API as the OpenAPI document states it. */
export interface Contract {
  /** The document as JSON text, as it is served. */
  readonly documentText: string;
  /** The check of an operation's request body, by operationId. Compiled on first use. */
  bodyCheck(operationId: string): BodyCheck;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Ref } } };
}
interface Ref {
  readonly $ref: string;
}
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: JsonObject;
}

/** Name under which the schemas' own references (`#/components/...`) resolve. */
const BASE = 'contract';

// The document never changes while the process runs, and compiling its checks takes longer than everything else at
// a start, so all sandboxes of a process share them.
let shared: Contract | undefined;

/** The contract of openapi.json; one per process. */
export function loadContract(): Contract {
  shared ??= makeContract(openApi as unknown as OpenApi);
  return shared;
}

function makeContract(document: OpenApi): Contract {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    // Most bodies are few: checks that are made quickly are worth more than checks that are quick. That the document
    // is sound itself is held by a test.
    meta: false,
    validateSchema: false,
    code: { optimize: false },
  });
  ajv.addFormat('date-time', isTimestamp);
  ajv.addKeyword('components');
  ajv.addSchema({ $id: BASE, components: document.components });

  const bodies = new Map<string, string>();
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    const schema = operation.requestBody?.content['application/json'].schema;
    if (schema) bodies.set(operation.operationId, schema.$ref);
  }

  const checks = new Map<string, BodyCheck>();
  function compile(operationId: string): BodyCheck {
    const ref = bodies.get(operationId);
    if (ref === undefined) throw new Error(`openapi.json has no request body for ${operationId}`);
    const validate = ajv.compile({ $ref: BASE + ref });
    return (body) => (validate(body) ? [] : fieldErrors(validate.errors ?? []));
  }
  return {
    documentText: JSON.stringify(document),
    bodyCheck(operationId) {
      let check = checks.get(operationId);
      if (!check) {
        check = compile(operationId);
        checks.set(operationId, check);
      }
      return check;
    },
  };
}

/** RFC 3339, section 5.6, and a day that exists: what the API document calls an ISO 8601 timestamp. */
function isTimestamp(text: string): boolean {
  const parts =
    /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i.exec(
      text,
    );
  if (!parts) return false;
  const [, year, month, day] = parts.map(Number) as [number, number, number, number];
  // A day that the month does not have lands in another month.
  return new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1;
}

/** How a validator's keyword reads to the one who sent the body. The rest keep the validator's own words. */
const REASONS: Readonly<Record<string, (error: ErrorObject) => string>> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a field of the API',
  type: ({ params }) => `must be ${[params.type as string | string[]].flat().join(' or ')}`,
  enum: ({ params }) => `must be one of ${(params.allowedValues as string[]).join(', ')}`,
  minLength: () => 'must not be empty',
  format: () => 'must be a timestamp such as 2026-01-31T09:30:00Z',
};

function fieldErrors(errors: readonly ErrorObject[]): FieldError[] {
  return errors.filter(isCause).map((error) => ({
    field: fieldOf(error),
    reason: REASONS[error.keyword]?.(error) ?? error.message ?? `fails ${error.keyword}`,
  }));
}

/**
 * `anyOf` and `if` only report that one of their parts failed, and that part reports itself. The one `anyOf` of
 * the document is "this object or null", so "must be null" is the branch nobody meant.
 */
function isCause({ keyword, params }: ErrorObject): boolean {
  return keyword !== 'anyOf' && keyword !== 'if' && params.type !== 'null';
}

/**
 * `/details/0/price` and the field that is missing or not known → `details.0.price.salePrice`. Only known fields
 * and positions stand in the path itself, and none of them has a character that JSON Pointer escapes.
 */
function fieldOf({ instancePath, params }: ErrorObject): string {
  const path = instancePath.split('/').slice(1);
  const last: unknown = params.missingProperty ?? params.additionalProperty;
  if (typeof last === 'string') path.push(last);
  return path.length === 0 ? '(body)' : path.join('.');
}
