import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../src/model/index.ts';
import type { Resource } from '../../src/resources/index.ts';
import { loadContract } from '../../src/sandbox/contract.ts';
import { createValidator } from '../../src/validate/index.ts';
import type { Schema } from './from-openapi.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name?: string; readonly $ref?: string }[];
  readonly requestBody?: Body;
  readonly responses?: Readonly<Record<string, Body>>;
}

interface Body {
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
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

/** The operation of the document at a path, or undefined. */
export function operationAt(method: string, path: string): Operation | undefined {
  return document.paths[path]?.[method.toLowerCase()];
}

/** Names of the query parameters of an operation. */
export function parametersOf({ parameters = [] }: Operation): string[] {
  return parameters.map(
    ({ name, $ref }) => name ?? document.components.parameters[$ref?.split('/').at(-1) ?? '']?.name ?? '',
  );
}

/** Name of the schema of an item of the list at a path, or undefined. */
export function itemSchemaAt(path: string): string | undefined {
  const page = operationAt('GET', path)?.responses?.['200']?.content['application/json'].schema;
  const { properties } = (schemas[nameOf(page)] ?? {}) as { properties?: { results: { items: Schema } } };
  return properties && nameOf(properties.results.items);
}

function nameOf(schema: Schema | undefined): string {
  const { $ref = '' } = (schema ?? {}) as { $ref?: string };
  return $ref.split('/').at(-1) ?? '';
}

/** Operations that create or change a record. */
export function writingOperations(): string[] {
  return Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .map(({ operationId }) => operationId)
    .filter((operationId) => /^(create|update)/.test(operationId ?? ''));
}

/** The verdict of either description on a payload: undefined, or the error. */
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

/** Items of lists come from the store, so no operation validates them. This does, by the same document. */
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
