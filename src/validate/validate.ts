import type * as z from 'zod';
import type { Issue, Json, JsonObject, Origin } from '../model/index.ts';
import type { RequirementCondition, Resource } from '../resources/index.ts';
import { describeIssue, describeUnmet } from './describe.ts';
import { compileFits } from './fits.ts';

export interface ValidateOptions {
  /** True for an update, which has only the fields to change: none is required. */
  readonly partial: boolean;
  /** Fields that are filled in later, such as the store's id if no store is named. */
  readonly suppliedLater: readonly string[];
}

/** Checks a payload against its resource's schema. The issues name the field, the column and the row. */
export type Validate = (payload: JsonObject, locate: LocateField) => readonly Issue[];

/** Finds the column and row of a payload field. Called only if something is wrong with the value. */
export type LocateField = (field: string) => { readonly column?: string; readonly origin?: Origin };

const NONE: readonly Issue[] = [];

export function createValidator(resource: Resource, options: ValidateOptions): Validate {
  const schema = schemaFor(resource, options);
  const fits = compileFits(schema);
  // An update is not checked for conditions, since the store may have the other field.
  const conditions = options.partial ? [] : (resource.requiredWhen ?? []);
  return (payload, locate) => {
    const unmet =
      conditions.length === 0
        ? []
        : conditions.filter(({ field, when }) => payload[when.field] === when.is && !payload[field]);
    if (unmet.length === 0 && fits(payload)) return NONE;
    const result = schema.safeParse(payload);
    if (result.success && unmet.length === 0) return NONE;
    const found = result.success ? [] : result.error.issues.map((issue) => toIssue(issue, payload, locate));
    return [...found, ...unmet.map((condition) => unmetIssue(condition, locate))];
  };
}

/** Top-level fields that a payload must have, in schema order. */
export function requiredFields(resource: Resource, options: ValidateOptions): string[] {
  return Object.entries(schemaFor(resource, options).shape)
    .filter(([, field]) => !(field as z.ZodType).safeParse(undefined).success)
    .map(([name]) => name);
}

function schemaFor(
  { schema, updateSchema = schema }: Resource,
  { partial, suppliedLater }: ValidateOptions,
): z.ZodObject {
  if (partial) return updateSchema.partial();
  const later = Object.entries(schema.shape).map(([name, field]) => [
    name,
    suppliedLater.includes(name) ? (field as z.ZodType).optional() : field,
  ]);
  return suppliedLater.length > 0 ? schema.safeExtend(Object.fromEntries(later)) : schema;
}

function toIssue(issue: z.core.$ZodIssue, payload: JsonObject, locate: LocateField): Issue {
  const field = issue.path.map(String).join('.');
  const place = locate(field);
  const value = valueAt(payload, issue.path);
  return { field, ...describeIssue(issue, { field, value, column: place.column }), ...place };
}

function unmetIssue({ field, when }: RequirementCondition, locate: LocateField): Issue {
  const place = locate(field);
  return { field, ...describeUnmet(field, `${when.field} is ${when.is}`, place.column), ...place };
}

function valueAt(payload: Json, path: readonly PropertyKey[]): Json | undefined {
  let value: Json | undefined = payload;
  for (const step of path) value = (value as JsonObject | undefined | null)?.[String(step)];
  return value;
}
