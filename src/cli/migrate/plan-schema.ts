import type { Option } from '../../options/index.ts';
import { IMPORTABLE_NAMES } from '../../resources/names.ts';
import { STEP_OPTIONS } from './plan-options.ts';

/** A JSON Schema of plans, for editors. */
export function planSchema(): object {
  const options = Object.entries<Option>(STEP_OPTIONS).map(([name, option]) => [name, schemaOf(option)]);
  const text = { minLength: 1 };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Plan of storeport migrate',
    type: 'object',
    additionalProperties: false,
    required: ['steps'],
    properties: {
      title: text,
      steps: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['import', 'files'],
          properties: {
            import: { enum: [...IMPORTABLE_NAMES] },
            files: { anyOf: [text, { type: 'array', minItems: 1, items: text }] },
            mapping: { ...text, description: 'Preset, or a file relative to the plan' },
            options: {
              type: 'object',
              additionalProperties: false,
              properties: Object.fromEntries(options),
            },
          },
        },
      },
    },
  };
}

function schemaOf({ choices, type, array, describe: description }: Option): object {
  const one = choices ? { enum: choices } : { type: type ?? ['string', 'number'] };
  return { description, ...(array ? { anyOf: [one, { type: 'array', items: one }] } : one) };
}
