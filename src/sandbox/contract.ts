import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '../model/index.ts';
import openApi from './openapi.json' with { type: 'json' };
import type { FieldError } from './reply.ts';
import { SEEDED_LISTS } from './seed/index.ts';
import { documentOf } from './seed/list-document.ts';

/** Returns the mistakes in a body; empty if it is correct. */
export type BodyCheck = (body: Json) => readonly FieldError[];

/** The API as its OpenAPI document describes it. */
export interface Contract {
  /** The served document, as JSON text. */
  readonly documentText: string;
  /** Returns the check of an operation's request body. Compiles it on first use. */
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
  readonly tags: readonly JsonObject[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: JsonObject & { readonly schemas: JsonObject };
}

/** Id of the schema against which references (`#/components/...`) are resolved. */
const BASE = 'contract';

// Shared by all sandboxes of a process, since compiling the checks takes longer than the rest of a start.
let shared: Contract | undefined;

/** Returns the contract of openapi.json and of the read-only lists; one per process. */
export function loadContract(): Contract {
  shared ??= makeContract(withLists(openApi as unknown as OpenApi));
  return shared;
}

/** Adds the read-only lists to a document, each made from its description in `seed/`. */
function withLists(document: OpenApi): OpenApi {
  const lists = Object.entries(SEEDED_LISTS).map(([name, list]) => documentOf(name, list));
  const { tags, paths, components } = document;
  return {
    ...document,
    tags: [...tags, ...lists.map(({ tag }) => tag)],
    paths: { ...paths, ...Object.assign({}, ...lists.map((list) => list.paths)) },
    components: {
      ...components,
      schemas: { ...components.schemas, ...Object.assign({}, ...lists.map(({ schemas }) => schemas)) },
    },
  };
}

function makeContract(document: OpenApi): Contract {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    // Most sandboxes check few bodies, so compile time matters more than the speed of checks. A test validates the
    // document itself.
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

/** Returns true for an ISO 8601 timestamp of the API document: RFC 3339, section 5.6, with a day that exists. */
function isTimestamp(text: string): boolean {
  const parts =
    /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i.exec(
      text,
    );
  if (!parts) return false;
  const [, year, month, day] = parts.map(Number) as [number, number, number, number];
  // February 30 becomes a day of March.
  return new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1;
}

/** Reason in a refusal, by the keyword of the validator. Other keywords keep the validator's message. */
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
 * Leaves out errors that repeat another. `anyOf` and `if` only report that one of their parts failed, which has an error
 * of its own. All `anyOf` of the document mean "this object or null", so "must be null" does not help either.
 */
function isCause({ keyword, params }: ErrorObject): boolean {
  return keyword !== 'anyOf' && keyword !== 'if' && params.type !== 'null';
}

/**
 * Returns the dotted path of an error: `/details/0/price` with a missing or unknown field `salePrice` becomes
 * `details.0.price.salePrice`. The path needs no unescaping: it has only known fields and positions, and none of them
 * has a character that JSON Pointer escapes.
 */
function fieldOf({ instancePath, params }: ErrorObject): string {
  const path = instancePath.split('/').slice(1);
  const last: unknown = params.missingProperty ?? params.additionalProperty;
  if (typeof last === 'string') path.push(last);
  return path.length === 0 ? '(body)' : path.join('.');
}
