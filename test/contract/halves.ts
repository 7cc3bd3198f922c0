import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../src/model/index.ts';
import type { Resource } from '../../src/resources/index.ts';
import { loadContract } from '../../src/sandbox/contract.ts';
import { createValidator } from '../../src/validate/index.ts';
import type { Schema } from './from-openapi.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name?: string; readonly $ref?: string }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, { readonly name: string }>>;
  };
}

const contract = loadContract();
const document = JSON.parse(contract.documentText) as Document;
export const schemas = document.components.schemas;

/** The document's operation at a place, or undefined. */
export function operationAt(method: string, path: string): Operation | undefined {
  return document.paths[path]?.[method.toLowerCase()];
}

/** Names of an operation's query parameters. */
export function parametersOf({ parameters = [] }: Operation): string[] {
  return parameters.map(
    ({ name, $ref }) => name ?? document.components.parameters[$ref?.split('/').at(-1) ?? '']?.name ?? '',
  );
}

/** Operations that create or change a record. */
export function writingOperations(): string[] {
  return Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .map(({ operationId }) => operationId)
    .filter((operationId) => /^(create|update)/.test(operationId ?? ''));
}

/** What either half says of a payload: nothing, or what is wrong with it. */
export type Judge = (payload: JsonObject) => readonly string[];

/** The sandbox, by its OpenAPI document. */
export function judgedByDocument({ operationId }: Operation): Judge {
  const check = contract.bodyCheck(operationId);
  return (payload) => check(payload).map(({ field, reason }) => `${field} ${reason}`);
}

/** The tool, by the description of the resource. */
export function judgedByDescription(resource: Resource, partial: boolean): Judge {
  const validate = createValidator(resource, { partial, suppliedLater: [] });
  return (payload) => validate(payload, () => ({})).map(({ field, message }) => `${field}: ${message}`);
}

/** Items of lists come from the store, so no operation checks them; this does, by the same document. */
export function judgedBySchema(name: string): Judge {
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } });
  ajv.addSchema({ $id: 'document', components: document.components });
  const validate = ajv.compile({ $ref: `document#/components/schemas/${name}` });
  return (item) => (validate(item) ? [] : [ajv.errorsText(validate.errors)]);
}

export function bodySchemaOf({ requestBody }: Operation): Schema {
  if (!requestBody) throw new Error('an operation without a body');
  return requestBody.content['application/json'].schema;
}
