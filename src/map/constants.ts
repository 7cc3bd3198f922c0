import { ConfigError, type Json } from '../model/index.ts';
import { fieldType, leafPaths, type Resource, typeAt } from '../resources/index.ts';
import type { Mapping } from './mapping.ts';
import { stepsFor } from './native.ts';
import { didYouMean } from './nearest.ts';
import { overlapsIn } from './overlaps.ts';
import { NOTHING_OUTSIDE } from './steps/index.ts';

/**
 * The mapping with fields that are the same for all records: what a field was mapped from before no longer counts.
 * Values are text as on the command line, read as the field's type asks. Throws ConfigError.
 */
export function withConstants(mapping: Mapping, constants: Readonly<Record<string, string>>): Mapping {
  const names = Object.keys(constants);
  if (names.length === 0) return mapping;
  const added = Object.entries(constants).map(([name, text]) => ({
    path: name.split('.'),
    rule: {
      kind: 'value' as const,
      source: { kind: 'constant' as const, value: readConstant(mapping.resource, name, text) },
      trim: false,
      steps: [],
      across: 'first' as const,
      required: false,
    },
  }));
  const kept = mapping.fields.filter(({ path }) => !names.some((name) => covers(name, path.join('.'))));
  const fields = [...kept, ...added];
  const [overlap] = overlapsIn(fields.map(({ path }) => path));
  if (overlap)
    throw new ConfigError(`--set ${overlap.inner}: "${overlap.outer}" is filled as a whole already.`, [
      `Set ${overlap.outer} instead, as JSON, or change the mapping ${mapping.name}.`,
    ]);
  return { ...mapping, fields };
}

function covers(name: string, path: string): boolean {
  return path === name || path.startsWith(`${name}.`);
}

function readConstant(resource: Resource, name: string, text: string): Json {
  const root = fieldType(resource.schema);
  const type = typeAt(root, name.split('.'));
  if (!type)
    throw new ConfigError(`${resource.singular} has no field "${name}".${didYouMean(name, leafPaths(root))}`);
  let value: Json | undefined = text;
  for (const step of stepsFor(type))
    value = step(
      String(value),
      (_code, message) => {
        throw new ConfigError(`--set ${name}: ${message}.`);
      },
      NOTHING_OUTSIDE,
    );
  if (type.kind === 'choice' && !type.values.includes(text))
    throw new ConfigError(`--set ${name}: it is one of ${type.values.join(', ')}, not "${text}".`);
  return value ?? text;
}
