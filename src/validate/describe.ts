import type * as z from 'zod';
import type { Json } from '../model/index.ts';

/** The code and the message of an issue, without its place. */
export interface IssueWords {
  readonly code: string;
  readonly message: string;
}

/** The value that an issue is about. */
interface FieldValue {
  /** Payload path. */
  readonly field: string;
  /** Undefined if it is missing. */
  readonly value: Json | undefined;
  /** Undefined if the file has no column for it. */
  readonly column: string | undefined;
}

type Describe = (issue: z.core.$ZodIssue, at: FieldValue) => IssueWords;

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** Translates zod's issue codes for shop owners. The `code` of each result is public: errors.csv has it. */
const DESCRIPTIONS: Partial<Record<z.core.$ZodIssue['code'], Describe>> = {
  invalid_type: (issue, { field, value, column }) =>
    value === undefined
      ? missing(`${field} is missing`, column)
      : wrongType(field, [(issue as z.core.$ZodIssueInvalidType).expected], value),
  invalid_union: (issue, { field, value }) =>
    wrongType(
      field,
      (issue as z.core.$ZodIssueInvalidUnion).errors
        .flat()
        .map((each) => ('expected' in each ? String(each.expected) : '')),
      value,
    ),
  too_small: (_issue, { field, column }) => missing(`${field} is missing`, column),
  invalid_value: (issue, { field, value, column }) =>
    value === undefined
      ? missing(`${field} is missing`, column)
      : {
          code: 'not-allowed',
          message: `${field} cannot be ${show(value)}; use one of: ${(issue as z.core.$ZodIssueInvalidValue).values.join(', ')}`,
        },
  invalid_format: (_issue, { field, value }) => ({
    code: 'not-a-date',
    message: `${field} is ${show(value)}, not a date and time; write it like 2026-01-31T09:30:00Z`,
  }),
  unrecognized_keys: (issue, { field }) => ({
    code: 'unknown-field',
    message: `${field === '' ? 'the payload' : field} has no field "${(issue as z.core.$ZodIssueUnrecognizedKeys).keys.join('", "')}"`,
  }),
  custom: (issue, { field, value }) => ({
    code: 'not-accepted',
    message: `${field} is ${show(value)}; it must be ${String((issue as z.core.$ZodIssueCustom).params?.expected ?? 'something else')}`,
  }),
};

export function describeIssue(issue: z.core.$ZodIssue, at: FieldValue): IssueWords {
  const describe = DESCRIPTIONS[issue.code];
  return describe?.(issue, at) ?? { code: 'not-accepted', message: `${at.field}: ${issue.message}` };
}

function wrongType(field: string, expected: readonly string[], value: Json | undefined): IssueWords {
  const types = expected.map((type) => TYPES[type] ?? 'something else').join(' or ');
  return { code: 'wrong-type', message: `${field} must be ${types}, found ${show(value)}` };
}

/** `when`: the condition under which the field is needed, such as `connectable is true`. */
export function describeUnmet(field: string, when: string, column?: string): IssueWords {
  return missing(`${field} is missing, and it is required when ${when}`, column);
}

function missing(what: string, column?: string): IssueWords {
  const remedy = column === undefined ? 'the file has no column for it' : 'fill this cell';
  return { code: 'required', message: `${what}: ${remedy}` };
}

/** Formats a value for a message, shortened. */
export function show(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
