import type { FieldError } from './reply.ts';

/** Reads one parameter's text, or says what is wrong with it. */
export type ReadValue = (text: string) => QueryValue | { readonly reason: string };
export type QueryValue = string | number | boolean;

/** A query parameter as an endpoint takes it. */
export interface Parameter {
  readonly name: string;
  readonly read: ReadValue;
  /** Another name that is taken for the same. */
  readonly alias?: string;
  /** Value when the parameter is absent. */
  readonly fallback?: QueryValue;
  readonly required?: true;
}

export type QueryValues = Readonly<Record<string, QueryValue | undefined>>;

export const readText: ReadValue = (text) => (text === '' ? { reason: 'must not be empty' } : text);

export const readInteger: ReadValue = (text) =>
  /^-?\d{1,15}$/.test(text) ? Number(text) : { reason: 'must be a whole number' };

export const readPositive: ReadValue = (text) =>
  /^\d{1,15}$/.test(text) && Number(text) > 0
    ? Number(text)
    : { reason: 'must be a whole number of 1 or more' };

export const readBoolean: ReadValue = (text) =>
  text === 'true' ? true : text === 'false' ? false : { reason: 'must be true or false' };

/**
 * Values of a query by the parameters' names, or what is wrong with it. A parameter that is not known is refused:
 * ignored, a misspelt filter would quietly return everything.
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
  for (const { name, alias, read, fallback, required } of parameters) {
    const text = given.get(name) ?? (alias === undefined ? null : given.get(alias));
    if (text === null) {
      if (required) errors.push({ field: name, reason: 'is required' });
      values[name] = fallback;
      continue;
    }
    const value = read(text);
    if (typeof value === 'object') errors.push({ field: name, reason: value.reason });
    else values[name] = value;
  }
  return errors.length > 0 ? { errors } : { values };
}
