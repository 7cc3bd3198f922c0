import * as z from 'zod';
import type { Json, JsonObject } from '../../model/index.ts';
import { exportable, type FieldType, fieldType, importable, type Resource } from '../../resources/index.ts';
import { STEPS } from '../steps/index.ts';
import { TESTS } from './conditions/conditions.ts';
import { JOINED_KEYS, MAPPING_KEYS } from './parse.ts';
import { EXPORT_KEYS, EXPORT_VALUE_KEYS } from './parse-export.ts';
import { GROUP_KEYS } from './parse-group.ts';
import { LIST_KEYS, VALUE_KEYS } from './parse-rule.ts';
import { ACROSS } from './parse-rule-keys.ts';

/**
 * Builds a JSON Schema of the mapping language for editors, from the tables that the parser uses, so that new steps and
 * fields are included automatically. It covers keys, names and forms. Dependencies between keys are checked only by
 * `mapping check`.
 */
export function mappingSchema(): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'storeport mapping',
    type: 'object',
    required: ['resource'],
    properties: { resource: { enum: [...new Set([...importable, ...exportable].map(({ name }) => name))] } },
    if: { required: ['export'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { $ref: '#/$defs/export' },
    else: { $ref: '#/$defs/import' },
    $defs: {
      import: importSchema(),
      export: exportSchema(),
      columns: oneOrMore({ type: 'string' }),
      condition: conditionSchema(),
      value: objectOf(VALUE_KEYS, { ...SOURCE_PARTS, ...VALUE_PARTS, ...steps() }),
      shown: objectOf(EXPORT_VALUE_KEYS, { ...SOURCE_PARTS, ...steps() }),
      all: {
        ...objectOf(['all'], {
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
    },
  };
}

function importSchema(): JsonObject {
  return {
    ...objectOf(MAPPING_KEYS, {
      resource: { enum: importable.map(({ name }) => name) },
      title: { type: 'string', description: 'What messages call files of this kind.' },
      recognise: {
        type: 'array',
        items: { $ref: '#/$defs/columns' },
        description: 'Columns by which the format is known.',
      },
      columns: {
        type: 'object',
        additionalProperties: { $ref: '#/$defs/columns' },
        description: 'Other names of a column.',
      },
      key: { type: 'string', description: 'Column that identifies a record.' },
      group: objectOf(GROUP_KEYS, {
        by: { type: 'string', description: 'Column in which the rows of a record have the same text.' },
        empty: { const: 'continues', description: 'A row with nothing in it belongs to the record above.' },
        order: { const: 'any', description: 'These rows may be anywhere in the files.' },
        shared: { type: 'boolean', description: 'A row may be part of several others.' },
      }),
      skip: { ...objectOf(['when'], { when: { $ref: '#/$defs/condition' } }), required: ['when'] },
      joined: {
        type: 'array',
        items: objectOf(JOINED_KEYS, {
          title: { type: 'string' },
          recognise: { type: 'array', items: { $ref: '#/$defs/columns' } },
        }),
        description: 'Files with other columns that are read together with this one.',
      },
      fields: { type: 'object', description: 'Field of the store: where it comes from.' },
    }),
    required: ['resource', 'fields'],
    allOf: importable.map((resource) =>
      whenResource(resource, { fields: fieldsSchema(fieldType(resource.schema)) }),
    ),
  };
}

function exportSchema(): JsonObject {
  const shown = { anyOf: [{ type: 'string' }, { $ref: '#/$defs/shown' }] };
  return {
    ...objectOf(EXPORT_KEYS, {
      resource: { enum: exportable.map(({ name }) => name) },
      title: { type: 'string' },
      export: {
        type: 'object',
        minProperties: 1,
        additionalProperties: { anyOf: [...shown.anyOf, { type: 'array', minItems: 1, items: shown }] },
        description: 'Column: what it shows of an item.',
      },
    }),
    required: ['resource', 'export'],
  };
}

function whenResource({ name }: Resource, properties: JsonObject): JsonObject {
  return {
    if: { properties: { resource: { const: name } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { properties },
  };
}

/** Schema of the fields of an object: the paths of all fields, including objects and lists as a whole. */
function fieldsSchema(type: FieldType): JsonObject {
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

/** Schema of a rule: a column, a value, a list, or several of them. */
function ruleSchema(type: FieldType): JsonObject {
  const one: JsonObject[] = [{ type: 'string' }];
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
    one.push({ type: 'object', if: { required: ['each'] }, then: list, else: words });
  } else one.push({ $ref: '#/$defs/value' });
  return { anyOf: [...one, { type: 'array', minItems: 1, items: { anyOf: one } }] };
}

function listSchema(fields: JsonObject): JsonObject {
  return {
    ...objectOf(LIST_KEYS, {
      each: {
        anyOf: [
          { enum: ['row', 'child'] },
          {
            type: 'object',
            minProperties: 1,
            maxProperties: 1,
            properties: { in: { type: 'string', description: 'Path of a list in JSON.' } },
            additionalProperties: { anyOf: [{ type: 'array' }, { $ref: '#/$defs/value' }] },
          },
        ],
        description: 'row, child, numbers of a family of columns, the parts of a cell, or a list in JSON.',
      },
      when: { $ref: '#/$defs/condition' },
      needs: { type: 'string', description: 'Items without a value in this field are left out.' },
      unique: { type: 'string', description: 'Of items that are equal in this field, the first is kept.' },
      distinct: {
        ...objectOf(['by', 'warn'], {
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

function conditionSchema(): JsonObject {
  const scalar = { type: ['string', 'number', 'boolean'] };
  return {
    anyOf: [
      { type: 'string' },
      {
        type: 'object',
        additionalProperties: {
          anyOf: [
            scalar,
            { type: 'array', items: scalar },
            objectOf([...TESTS.keys()], {
              is: oneOrMore(scalar),
              'is-not': oneOrMore(scalar),
              empty: { type: 'boolean' },
              matches: { type: 'string' },
              below: { type: ['number', 'string'] },
              above: { type: ['number', 'string'] },
              'at-least': { type: ['number', 'string'] },
              'at-most': { type: ['number', 'string'] },
              future: { type: 'boolean' },
            }),
          ],
        },
      },
    ],
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
function objectOf(keys: readonly string[], known: JsonObject): JsonObject {
  const properties = Object.fromEntries(keys.map((key): [string, Json] => [key, known[key] ?? {}]));
  return { type: 'object', properties, additionalProperties: false };
}

function oneOrMore(one: JsonObject): JsonObject {
  return { anyOf: [one, { type: 'array', items: one }] };
}

function escaped(path: string): string {
  return path.replaceAll('.', '\\.');
}
