import type { JsonObject } from '../../model/index.ts';
import type { FieldError } from '../reply.ts';

/** Type of a parameter: how its text is read, and its schema in the OpenAPI document. */
interface ParameterType {
  /** Returns the value, or what is wrong with the text. */
  read(text: string): QueryValue | { readonly reason: string };
  readonly schema: JsonObject;
}
export type QueryValue = string | number | boolean;

/** Describes a query parameter of an endpoint. */
export interface Parameter {
  readonly name: string;
  readonly type: keyof typeof PARAMETER_TYPES;
  /** Another name that is accepted for the same parameter. */
  readonly alias?: string;
  /** Value if the parameter is absent. */
  readonly fallback?: QueryValue;
  readonly required?: true;
}

export type QueryValues = Readonly<Record<string, QueryValue | undefined>>;

export const PARAMETER_TYPES = {
  text: {
    schema: { type: 'string', minLength: 1 },
    read: (text) => (text === '' ? { reason: 'must not be empty' } : text),
  },
  integer: {
    schema: { type: 'integer' },
    read: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : { reason: 'must be a whole number' }),
  },
  positive: {
    schema: { type: 'integer', minimum: 1 },
    read: (text) =>
      /^\d{1,15}$/.test(text) && Number(text) > 0
        ? Number(text)
        : { reason: 'must be a whole number of 1 or more' },
  },
  boolean: {
    schema: { type: 'boolean' },
    read: (text) => (text === 'true' ? true : text === 'false' ? false : { reason: 'must be true or false' }),
  },
} as const satisfies Record<string, ParameterType>;

/**
 * Reads a query: its values by the names of the parameters, or what is wrong with it. Unknown parameters are refused:
 * if a misspelt filter were ignored, the list would return everything.
 */
export function readQuery(
  query: string,
  parameters: readonly Parameter[],
): { readonly values: QueryValues } | { readonly errors: readonly FieldError[] } {
  const given = new URLSearchParams(query);
  const errors: FieldError[] = [];
  const values: Record<string, QueryValue | undefined> = {};
  for (const name of new Set(given.keys())) {
    if (!parameters.some((parameter) => parameter.name === name || parameter.alias === name)) {
      errors.push({ field: name, reason: 'is not a parameter of this endpoint' });
    } else if (given.getAll(name).length > 1) {
      errors.push({ field: name, reason: 'is given twice' });
    }
  }
  for (const { name, type, alias, fallback, required } of parameters) {
    const text = given.get(name) ?? (alias === undefined ? null : given.get(alias));
    if (text === null) {
      if (required) errors.push({ field: name, reason: 'is required' });
      values[name] = fallback;
      continue;
    }
    const value = PARAMETER_TYPES[type].read(text);
    if (typeof value === 'object') errors.push({ field: name, reason: value.reason });
    else values[name] = value;
  }
  return errors.length > 0 ? { errors } : { values };
}
