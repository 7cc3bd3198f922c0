import type { z } from 'zod';
import { type Issue, type Json, type JsonObject, originOf, type SourceRecord } from '../model/index.ts';
import type { Resource } from '../resources/index.ts';
import { describeIssue } from './describe.ts';

export interface ValidateOptions {
  /** An update holds only the fields to change: none is required. */
  readonly partial: boolean;
  /** Fields that are filled in later, such as the store's id where no store is named. */
  readonly suppliedLater: readonly string[];
}

/** Holds a payload against its resource's schema. The issues name the field, the column and the row. */
export type Validate = (
  payload: JsonObject,
  record: SourceRecord,
  columnOf: (field: string) => string | undefined,
) => readonly Issue[];

const NONE: readonly Issue[] = [];

export function createValidator(resource: Resource, options: ValidateOptions): Validate {
  const schema = schemaFor(resource, options);
  return (payload, record, columnOf) => {
    const result = schema.safeParse(payload);
    if (result.success) return NONE;
    return result.error.issues.map((issue) => toIssue(issue, payload, record, columnOf));
  };
}

/** Top-level fields that a payload must have, in schema order. */
export function requiredFields(resource: Resource, options: ValidateOptions): string[] {
  return Object.entries(schemaFor(resource, options).shape)
    .filter(([, field]) => !(field as z.ZodType).safeParse(undefined).success)
    .map(([name]) => name);
}

function schemaFor({ schema }: Resource, { partial, suppliedLater }: ValidateOptions): z.ZodObject {
  if (partial) return schema.partial();
  const later = Object.entries(schema.shape).map(([name, field]) => [
    name,
    suppliedLater.includes(name) ? (field as z.ZodType).optional() : field,
  ]);
  return suppliedLater.length > 0 ? schema.safeExtend(Object.fromEntries(later)) : schema;
}

function toIssue(
  issue: z.core.$ZodIssue,
  payload: JsonObject,
  record: SourceRecord,
  columnOf: (field: string) => string | undefined,
): Issue {
  const field = issue.path.map(String).join('.');
  const column = columnOf(field);
  const [lead] = record.rows;
  return {
    ...describeIssue(issue, field, valueAt(payload, issue.path), column),
    field,
    ...(column === undefined ? {} : { column }),
    ...(lead ? { origin: originOf(lead) } : {}),
  };
}

function valueAt(payload: Json, path: readonly PropertyKey[]): Json | undefined {
  let value: Json | undefined = payload;
  for (const step of path) value = (value as JsonObject | undefined | null)?.[String(step)];
  return value;
}
