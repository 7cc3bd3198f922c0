import type { JsonObject } from '../../model/index.ts';
import type { Parameter, QueryValue } from '../lists/query.ts';

export interface SeedingOptions {
  readonly storeId: string;
  /** Start of the random numbers. */
  readonly seed: number;
  /** Number of items. */
  readonly count: number;
}

/**
 * Describes a list that can only be read. Its routes, its part of the OpenAPI document, its seeding and its control
 * endpoint are derived from this.
 */
export interface SeededList {
  /** Several paths serve the same list. */
  readonly endpoints: readonly ListEndpointDocument[];
  /** Items on a page if the request has no `limit`. */
  readonly defaultLimit: number;
  readonly filters?: readonly SeededFilter[];
  /** Name of the item's schema in the OpenAPI document. */
  readonly item: string;
  /** JSON Schemas by name: of the item, and of what it refers to. */
  readonly schemas: Readonly<Record<string, JsonObject>>;
  /** Makes the item at a position, as JSON text. Positions past `count` have items too: the list can grow. */
  textAt(options: SeedingOptions, position: number): string;
}

/** A path of a list in the OpenAPI document. */
export interface ListEndpointDocument {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** Place of the description in the API document. */
  readonly description: string;
}

/** A query parameter, and which items a value of it admits. */
export interface SeededFilter extends Parameter {
  /** For the OpenAPI document. */
  readonly description: string;
  admits(options: SeedingOptions, value: QueryValue): (position: number) => boolean;
}

/** JSON Schema of an object that has all of these fields and no others. */
export function objectOf(properties: JsonObject, description?: string): JsonObject {
  return { ...partialObjectOf(properties, description), required: Object.keys(properties) };
}

/** JSON Schema of an object that may have these fields and no others. */
export function partialObjectOf(properties: JsonObject, description?: string): JsonObject {
  return {
    ...(description === undefined ? {} : { description }),
    type: 'object',
    additionalProperties: false,
    properties,
  };
}

export const TEXT_SCHEMA = { type: 'string' };
export const NUMBER_SCHEMA = { type: 'number' };
export const TIMESTAMP_SCHEMA = { type: 'string', format: 'date-time' };
