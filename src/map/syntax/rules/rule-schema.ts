import * as z from 'zod';
import type { Json, JsonObject } from '../../../model/index.ts';
import type { FieldType } from '../../../resources/index.ts';
import { STEPS } from '../../steps/index.ts';
import { LIST_KEYS, RULE_KEYS, RULE_SOURCES, VALUE_SOURCES } from './parse-rule.ts';
import { VALUE_KEYS } from './parse-value.ts';
import { ACROSS } from './rule-keys.ts';

/** The definitions that schemas of fields refer to. */
export function ruleDefinitions(): JsonObject {
  return {
    value: valueSchema(VALUE_KEYS),
    values: severalOf([{ type: 'string' }, { $ref: '#/$defs/value' }]),
    all: {
      ...strictObjectOf(['all'], {
        all: {
          type: 'array',
          minItems: 1,
          items: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/value' }] },
          description: 'The words of all of these sources, each once.',
        },
      }),
      required: ['all'],
    },
    list: listSchema({ type: 'object' }),
    rule: ruleSchema({ kind: 'anything' }),
    isValue: { anyOf: withOneOf(VALUE_SOURCES) },
    isRule: { anyOf: withOneOf(RULE_SOURCES) },
    fields: {
      type: 'object',
      minProperties: 1,
      propertyNames: { not: { enum: RULE_KEYS } },
      additionalProperties: { $ref: '#/$defs/rule' },
      description: 'Fields inside this one.',
    },
  };
}

/** Schema of a value with these keys. */
export function valueSchema(keys: readonly string[]): JsonObject {
  return strictObjectOf(keys, { ...SOURCE_PARTS, ...VALUE_PARTS, ...steps() });
}

/** Schema of the fields of an object: the paths of all fields, including objects and lists as a whole. */
export function fieldsSchema(type: FieldType): JsonObject {
  if (type.kind !== 'object') return { type: 'object', additionalProperties: { $ref: '#/$defs/rule' } };
  const properties: JsonObject = {};
  const patternProperties: JsonObject = {};
  const add = (path: string, field: FieldType): void => {
    properties[path] = ruleSchema(field);
    const isOpen = field.kind === 'anything' || (field.kind === 'object' && field.open);
    if (isOpen) patternProperties[`^${escaped(path)}\\.`] = { $ref: '#/$defs/rule' };
    if (field.kind === 'list')
      patternProperties[`^${escaped(path)}\\.\\d+(\\.|$)`] = { $ref: '#/$defs/rule' };
    if (field.kind === 'object') for (const [name, inner] of field.fields) add(`${path}.${name}`, inner);
  };
  for (const [name, field] of type.fields) add(name, field);
  return { type: 'object', properties, patternProperties, additionalProperties: type.open };
}

/** Schema of a rule: a column, a value, a list, or several of them; or the fields of an object. */
function ruleSchema(type: FieldType): JsonObject {
  const source = sourceSchema(type);
  if (type.kind !== 'object' && type.kind !== 'anything') return source;
  const isDocumented = type.kind === 'object' && type.fields.size > 0;
  return {
    if: { $ref: type.kind === 'object' ? '#/$defs/isValue' : '#/$defs/isRule' },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: source,
    else: isDocumented ? fieldsSchema(type) : { $ref: '#/$defs/fields' },
  };
}

function sourceSchema(type: FieldType): JsonObject {
  if (type.kind === 'list' || type.kind === 'anything') {
    const item = type.kind === 'list' ? type.item : type;
    const list = item.kind === 'object' ? listSchema(fieldsSchema(item)) : { $ref: '#/$defs/list' };
    const words = {
      if: { required: ['all'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { $ref: '#/$defs/all' },
      else: { $ref: '#/$defs/value' },
    };
    // Distinguished by `each` and `all`, so that a mistake in a list is not reported as one in a value.
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    const object = { type: 'object', if: { required: ['each'] }, then: list, else: words };
    return severalOf([{ type: 'string' }, object]);
  }
  return { $ref: '#/$defs/values' };
}

/** A column, a list of rules, or an object with one of these keys. */
function withOneOf(keys: readonly string[]): JsonObject[] {
  return [{ type: ['string', 'array'] }, ...keys.map((key) => ({ type: 'object', required: [key] }))];
}

/** One of these, or a list of them. */
function severalOf(one: readonly JsonObject[]): JsonObject {
  return { anyOf: [...one, { type: 'array', minItems: 1, items: { anyOf: [...one] } }] };
}

function listSchema(fields: JsonObject): JsonObject {
  return {
    ...strictObjectOf(LIST_KEYS, {
      each: {
        anyOf: [
          { enum: ['row', 'child'] },
          {
            type: 'object',
            minProperties: 1,
            maxProperties: 1,
            properties: {
              in: { type: 'string', description: 'Path of a list in JSON.' },
              by: oneOrMore({
                type: 'string',
                description: 'Column in which the rows of an item have the same text.',
              }),
            },
            additionalProperties: {
              anyOf: [
                { type: 'array' },
                {
                  ...strictObjectOf(['columns'], {
                    columns: { type: 'string', description: 'Name of columns with a gap.' },
                  }),
                  required: ['columns'],
                },
                { $ref: '#/$defs/value' },
              ],
            },
          },
          { type: 'object', minProperties: 2, additionalProperties: { $ref: '#/$defs/value' } },
        ],
        description:
          'row, child, groups of rows, numbers of a family of columns, columns with a part of their name in common, the parts of a cell, or a list in JSON.',
      },
      when: { $ref: '#/$defs/condition' },
      needs: { type: 'string', description: 'Items without a value in this field are left out.' },
      unique: oneOrMore({
        type: 'string',
        description: 'Of items that are equal in all of these fields, the first is kept.',
      }),
      sort: { $ref: '#/$defs/values', description: 'Items are in the order of this value.' },
      limit: { type: 'integer', minimum: 1, description: 'Number of items that are kept.' },
      distinct: {
        ...strictObjectOf(['by', 'warn'], {
          by: oneOrMore({ type: 'string', description: 'A field of the list.' }),
          warn: {
            type: 'string',
            description: 'Warning if two items are equal in all of them.',
          },
        }),
        required: ['by', 'warn'],
      },
      blank: { enum: ['keep', 'clear'] },
      fields: fields.properties ? fields : { type: 'object', additionalProperties: { $ref: '#/$defs/rule' } },
    }),
    required: ['each', 'fields'],
  };
}

const SOURCE_PARTS: JsonObject = {
  from: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  join: {
    type: 'string',
    description: 'Text between several columns, or between the parts that split has cut.',
  },
  const: { description: 'Always this.' },
  template: { type: 'string', description: 'Text with names in braces.' },
  expression: { type: 'string', description: 'JSONata, over the cells of the row.' },
  when: { $ref: '#/$defs/condition' },
  else: { description: 'What an unknown word becomes, or the field where the condition does not hold.' },
  trim: { type: 'boolean' },
  default: { description: 'Used when the source is empty.' },
};

const VALUE_PARTS: JsonObject = {
  across: { enum: [...ACROSS], description: 'Which of several rows count.' },
  required: { type: 'boolean' },
  row: { description: 'The first row for which this holds, in place of the whole record.' },
  rows: { description: 'The rows for which this holds, in place of the whole record.' },
  blank: { enum: ['keep', 'clear'], description: 'What an empty source does to the field in an update.' },
  warn: { type: 'string', description: 'Warning at the end of the run if this value is used.' },
  'leave-out': {
    type: 'string',
    description: 'Makes no value. Warning at the end of the run for records whose cells are left out.',
  },
};

/** Schema of each step's arguments. `map` holds its words directly, and `else` is a key beside it. */
function steps(): JsonObject {
  const made = STEPS.map(({ name, doc, args }): [string, JsonObject] => {
    const { $schema: _, ...schema } = z.toJSONSchema(args, {
      io: 'input',
      unrepresentable: 'any',
    }) as JsonObject;
    const taken = name === 'map' ? ((schema.properties as JsonObject).words as JsonObject) : schema;
    return [name, { ...taken, description: doc }];
  });
  return Object.fromEntries(made);
}

/** Schema of an object with exactly these keys. Keys that are not in `known` accept any value. */
export function strictObjectOf(keys: readonly string[], known: JsonObject): JsonObject {
  const properties = Object.fromEntries(keys.map((key): [string, Json] => [key, known[key] ?? {}]));
  return { type: 'object', properties, additionalProperties: false };
}

export function oneOrMore(one: JsonObject): JsonObject {
  return { anyOf: [one, { type: 'array', items: one }] };
}

function escaped(path: string): string {
  return path.replaceAll('.', '\\.');
}
