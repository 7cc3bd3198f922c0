import type { JsonObject } from '../../model/index.ts';
import { exportable, fieldType, importable, type Resource } from '../../resources/index.ts';
import { TESTS } from './conditions/conditions.ts';
import { JOINED_KEYS, MAPPING_KEYS } from './parse.ts';
import { CHECK_KEYS } from './parse-check.ts';
import { CHECKS_KEYS } from './parse-checks.ts';
import { EXPORT_KEYS, EXPORT_VALUE_KEYS } from './parse-export.ts';
import { GROUP_KEYS, SKIP_KEYS } from './parse-group.ts';
import { READING_KEYS, readingSchema } from './parse-reading.ts';
import {
  fieldsSchema,
  oneOrMore,
  ruleDefinitions,
  strictObjectOf,
  valueSchema,
} from './rules/rule-schema.ts';

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
      shown: valueSchema(EXPORT_VALUE_KEYS),
      ...ruleDefinitions(),
    },
  };
}

function importSchema(): JsonObject {
  return {
    ...strictObjectOf(MAPPING_KEYS, {
      resource: { enum: importable.map(({ name }) => name) },
      title: { type: 'string', description: 'What messages call files of this kind.' },
      source: {
        ...strictObjectOf(READING_KEYS, readingSchema()),
        description: 'How the files are read. Options of the command line win over it.',
      },
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
      group: strictObjectOf(GROUP_KEYS, {
        by: oneOrMore({
          type: 'string',
          description: 'Column in which the rows of a record have the same text.',
        }),
        empty: { const: 'continues', description: 'A row with nothing in it belongs to the record above.' },
        order: { const: 'any', description: 'These rows may be anywhere in the files.' },
        shared: { type: 'boolean', description: 'A row may be part of several others.' },
      }),
      carry: oneOrMore({
        type: 'string',
        description: 'Column whose empty cells take the value above them.',
      }),
      skip: oneOrMore({
        ...strictObjectOf(SKIP_KEYS, {
          when: { $ref: '#/$defs/condition' },
          alone: {
            type: 'boolean',
            description: 'Rows that continue the one above do so as if it were not there.',
          },
        }),
        required: ['when'],
      }),
      joined: {
        type: 'array',
        items: strictObjectOf(JOINED_KEYS, {
          title: { type: 'string' },
          recognise: { type: 'array', items: { $ref: '#/$defs/columns' } },
        }),
        description: 'Files with other columns that are read together with this one.',
      },
      fields: { type: 'object', description: 'Field of the store: where it comes from.' },
      words: {
        type: 'object',
        description: 'Column: the words that it may have. With others a record is not published.',
      },
      check: {
        ...strictObjectOf(CHECK_KEYS, { total: { $ref: '#/$defs/rule' }, tax: { $ref: '#/$defs/rule' } }),
        required: ['total'],
        description: 'Amounts of the file that each order is compared with.',
      },
      checks: {
        type: 'array',
        minItems: 1,
        items: {
          ...strictObjectOf(CHECKS_KEYS, {
            that: { type: 'string', description: 'JSONata, over the fields of the record. It must be true.' },
            each: { type: 'string', description: 'List whose items are checked one by one.' },
            message: { type: 'string', description: 'What is wrong with a record that is not sent.' },
            warn: { type: 'string', description: 'Warning for records that are sent all the same.' },
          }),
          required: ['that'],
        },
        description: 'Rules that each record must meet.',
      },
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
    ...strictObjectOf(EXPORT_KEYS, {
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
            strictObjectOf([...TESTS.keys()], {
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
