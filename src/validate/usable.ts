import {
  faultOfMail,
  type Issue,
  isNoPhone,
  type Json,
  type JsonObject,
  type NoValue,
  noValueIn,
} from '../model/index.ts';
import { fieldType, type Resource, typeAt } from '../resources/index.ts';
import { type IssueWords, show } from './describe.ts';
import { type LocateField, requiredFields } from './validate.ts';

/** Finds why a value is of no use to any store; undefined if it may be useful. */
type Fault = (value: Json, field: string) => IssueWords | undefined;

const NO_VALUE: Readonly<Record<NoValue, string>> = {
  'formula-error':
    'which a spreadsheet shows where a formula failed: write the value into this cell as text or number',
  'null-word':
    'which programs write for a missing value: write the value into this cell; if this is the value, write it with other capitals',
};

const noValue =
  (kinds: readonly NoValue[]): Fault =>
  (value, field) => {
    const kind = typeof value === 'string' ? noValueIn(value.trim()) : undefined;
    return kind && kinds.includes(kind)
      ? { code: 'no-value', message: `${field} is ${show(value)}, ${NO_VALUE[kind]}` }
      : undefined;
  };

/** A table has no other way to write a missing value than a word. JSON has one, so a word in it is one. */
const IN_TABLES = noValue(['formula-error', 'null-word']);
const IN_JSON = noValue(['formula-error']);

const notMail: Fault = (value, field) => {
  const fault = typeof value === 'string' && value !== '' ? faultOfMail(value) : undefined;
  return fault === undefined
    ? undefined
    : {
        code: 'not-a-mail-address',
        message: `${field} is ${show(value)}, which is not a mail address: ${fault}. Correct this cell, or empty it`,
      };
};

/** As a key, the same word would make one customer of several. */
const notPhone: Fault = (value, field) =>
  typeof value === 'string' && isNoPhone(value)
    ? {
        code: 'not-a-phone-number',
        message: `${field} is ${show(value)}, which is not a phone number, and identifies the record: correct this cell, or fill another key`,
      }
    : undefined;

const belowZero: Fault = (value, field) =>
  typeof value === 'number' && value < 0
    ? { code: 'below-zero', message: `${field} is ${value}, and cannot be below 0: correct this cell` }
    : undefined;

/** Payload fields with the times at which something begins and ends. */
type Period = NonNullable<Resource['period']>;

function endsTooEarly(
  payload: JsonObject,
  { start, end }: Period,
): (IssueWords & { field: string }) | undefined {
  const [from, to] = [payload[start], payload[end]];
  return typeof from === 'string' && typeof to === 'string' && Date.parse(to) < Date.parse(from)
    ? {
        field: end,
        code: 'ends-before-start',
        message: `${end} is ${show(to)}, before ${start}, which is ${show(from)}: correct one of them`,
      }
    : undefined;
}

interface Check {
  readonly path: readonly string[];
  readonly field: string;
  readonly fault: Fault;
}

/** Finds values that fit the store's schema but are of no use to it, in creates and updates alike. */
export type UsableCheck = (payload: JsonObject, locate: LocateField) => readonly Issue[];

/** `isJson`: for records that are read from JSON, in which "null" is a text like others. */
export function createUsableCheck(resource: Resource, isJson = false): UsableCheck {
  const noValue = isJson ? IN_JSON : IN_TABLES;
  const { key = [], mails = [], amounts = [], amountsOfItems, meanings, period } = resource;
  const checksOf = (fields: readonly string[], fault: Fault): Check[] =>
    fields.map((field) => ({ field, path: field.split('.'), fault }));
  const required = requiredTexts(resource);
  const keys = key
    .filter((field) => !required.includes(field))
    .flatMap((field) => [
      ...checksOf([field], noValue),
      ...(meanings?.['phone-number']?.includes(field) ? checksOf([field], notPhone) : []),
    ]);
  const checks = [
    ...checksOf(required, noValue),
    ...checksOf(mails, notMail),
    ...checksOf(amounts, belowZero),
  ];
  const ofItems = checksOf(amountsOfItems?.fields ?? [], belowZero);
  return (payload, locate) => {
    let issues: Issue[] | undefined;
    const run = (object: JsonObject, some: readonly Check[], prefix: string): void => {
      for (const { path, field, fault } of some) {
        const value = valueAt(object, path);
        const wrong = value === undefined ? undefined : fault(value, prefix + field);
        if (!wrong || issues?.some((issue) => issue.field === prefix + field)) continue;
        issues ??= [];
        issues.push({ field: prefix + field, ...wrong, ...locate(prefix + field) });
      }
    };
    run(payload, checks, '');
    // Only the first filled key field identifies the record.
    const used = key.find((field) => payload[field] !== undefined && payload[field] !== '');
    if (used !== undefined)
      run(
        payload,
        keys.filter(({ field }) => field === used),
        '',
      );
    const early = period && endsTooEarly(payload, period);
    if (early) {
      issues ??= [];
      issues.push({ ...early, ...locate(period.end) });
    }
    const items = amountsOfItems && payload[amountsOfItems.list];
    if (Array.isArray(items))
      for (const [index, item] of items.entries())
        if (typeof item === 'object' && item !== null && !Array.isArray(item))
          run(item, ofItems, `${amountsOfItems?.list}.${index}.`);
    return issues ?? NONE;
  };
}

const NONE: readonly Issue[] = [];

function requiredTexts(resource: Resource): string[] {
  const type = fieldType(resource.schema);
  return requiredFields(resource, { partial: false, suppliedLater: [] }).filter(
    (name) => typeAt(type, [name])?.kind === 'text',
  );
}

function valueAt(object: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = object;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    value = value[step];
  }
  return value;
}
