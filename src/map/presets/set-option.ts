import { ConfigError, type Json } from '../../model/index.ts';
import { fieldType, leafPaths, type Resource, typeAt } from '../../resources/index.ts';
import { didYouMean } from '../did-you-mean.ts';
import type { Mapping } from '../mapping.ts';
import { NO_LOOKUPS } from '../steps/index.ts';
import { overlapsIn } from '../syntax/overlaps.ts';
import { stepsFor } from './native.ts';

/**
 * Adds fields that are the same for all records; they replace the rules for these fields. Values are text from the
 * command line and are parsed by the type of the field. Throws ConfigError if a field or value does not fit.
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
      names.includes(overlap.outer)
        ? `Set one of the two: ${overlap.outer}, as JSON, or fields inside it.`
        : `Set ${overlap.outer} instead, as JSON, or change the mapping ${mapping.name}.`,
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
  const refuse = (why: string, hint = ''): never => {
    const inside = type.kind === 'object' ? leafPaths(type, name).filter((leaf) => leaf !== name) : [];
    throw new ConfigError(
      `--set ${name}: ${why}.${hint}`,
      inside.length > 0 ? [`Name a field inside it, such as ${inside[0]}, or give it as JSON.`] : [],
    );
  };
  let value: Json | undefined = text;
  for (const step of stepsFor(type)) value = step(String(value), (_, message) => refuse(message), NO_LOOKUPS);
  if (type.kind === 'choice' && !type.values.includes(text))
    refuse(`it is one of ${type.values.join(', ')}, not "${text}"`, didYouMean(text, type.values));
  const misfit = misfitAt(resource, name, value ?? text);
  if (misfit !== undefined) refuse(`"${text}" does not fit there: ${misfit} is expected`);
  return value ?? text;
}

/** The type that the schema expects if it refuses the value at a path; undefined if it accepts the value. */
function misfitAt({ schema }: Resource, name: string, value: Json): string | undefined {
  const steps = name.split('.').map((step) => (/^\d+$/.test(step) ? 0 : step));
  const payload = steps.reduceRight<unknown>(
    (inner, step) => (step === 0 ? [inner] : { [step]: inner }),
    value,
  );
  const { error } = schema.partial().safeParse(payload);
  const issue = error?.issues.find(({ path }) =>
    path.every((step, index) => index >= steps.length || steps[index] === step),
  );
  if (issue === undefined) return undefined;
  if (issue.code === 'invalid_type')
    return issue.expected === 'array' ? 'a list' : `a value of type ${issue.expected}`;
  if (issue.code === 'invalid_format') return `something like ${FORMATS[issue.format] ?? issue.format}`;
  const { params } = issue as { params?: { expected?: string } };
  return params?.expected ?? issue.message;
}

const FORMATS: Readonly<Record<string, string>> = { datetime: '2026-01-31T09:30:00Z' };
