import type { Json } from '../model/index.ts';
import { type FieldType, leafPaths, type Resource, typeAt } from '../resources/index.ts';
import { parseCondition } from './conditions.ts';
import { conform } from './conform.ts';
import type { Context } from './context.ts';
import { asObject, type MappingDocument, type Path } from './document.ts';
import type { Across, FieldRule, ListRule, Numbered, Rule, Source, ValueRule } from './mapping.ts';
import { didYouMean } from './nearest.ts';
import { overlapsIn } from './overlaps.ts';
import { type Apply, STEPS, type Step } from './steps/index.ts';

const ACROSS: readonly Across[] = ['lead', 'first', 'last', 'sum', 'min', 'max', 'join'];
const STEP_NAMES = STEPS.map((step) => step.name);
const VALUE_KEYS = [
  'from',
  'join',
  'const',
  'template',
  'when',
  'else',
  'across',
  'trim',
  'default',
  'required',
  ...STEP_NAMES,
];
const LIST_KEYS = ['each', 'when', 'unique', 'fields'];

/** Target paths with their rules; `type` is what the paths are looked up in, absent below lists of anything. */
export function parseFields(
  document: MappingDocument,
  value: unknown,
  path: Path,
  type: FieldType,
  resource: Resource,
  inRows = false,
): FieldRule[] {
  const given = asObject(
    document,
    value,
    path,
    'fields takes a list of targets, each with where it comes from.',
  );
  const fields = Object.entries(given).flatMap(([target, source]) => {
    const at = [...path, target];
    const segments = target.split('.');
    const targetType = typeAt(type, segments);
    if (!targetType) {
      document.complain(
        at,
        `${resource.singular} has no field "${target}".${didYouMean(target, leafPaths(type))}`,
      );
      return [];
    }
    const rule = parseRule({ document, resource, target, inRows }, source, at, targetType);
    return rule ? [{ path: segments, rule }] : [];
  });
  for (const { outer, inner } of overlapsIn(fields.map((field) => field.path)))
    document.complain([...path, inner], `"${inner}" lies inside "${outer}", which is mapped as a whole.`);
  return fields;
}

/** Reads what stands behind a target: a column's name, a value with steps, a list, or several of a kind. */
export function parseRule(context: Context, value: unknown, path: Path, type: FieldType): Rule | undefined {
  const { document } = context;
  if (typeof value === 'string') return parseValue(context, { from: value }, path, type);
  if (Array.isArray(value)) {
    const rules = value.map((each, index) => parseRule(context, each, [...path, index], type));
    // What is missing was complained of where it stands.
    if (rules.includes(undefined)) return undefined;
    if (rules.length > 0 && rules.every((rule) => rule?.kind === 'list'))
      return { kind: 'joined', lists: rules };
    if (rules.length > 0 && rules.every((rule) => rule?.kind === 'value'))
      return { kind: 'first', values: rules };
    document.complain(path, 'several entries for one field must all be values, or all be lists with each.');
    return undefined;
  }
  if (typeof value === 'object' && value !== null) {
    const given = value as Record<string, unknown>;
    return 'each' in given ? parseList(context, given, path, type) : parseValue(context, given, path, type);
  }
  document.complain(
    path,
    `${context.target} needs a column, or { const: ${JSON.stringify(value)} } for a constant.`,
  );
  return undefined;
}

function parseValue(
  context: Context,
  given: Record<string, unknown>,
  path: Path,
  type: FieldType,
): ValueRule {
  const { document } = context;
  refuseUnknownKeys(document, given, path, VALUE_KEYS);
  const steps = STEPS.filter((step) => given[step.name] !== undefined);
  const applied = steps.map((step) => ({ step, apply: makeStep(context, step, given, path) }));
  const source = parseSource(context, given, path);
  const splitter = applied.find(({ step }) => step.makes === 'list');
  const implied = conform(context, { source, steps, given }, path, type);
  const when =
    given.when === undefined
      ? undefined
      : parseCondition(document, given.when, [...path, 'when'], context.inRows);
  if (given.else !== undefined && (given.when === undefined) === (given.map === undefined))
    document.complain(
      [...path, 'else'],
      given.map === undefined
        ? 'else needs when (it does not hold) or map (an unknown word) beside it.'
        : 'with both when and map, else could mean either: leave one of them out.',
    );

  return {
    kind: 'value',
    source,
    trim: parseFlag(document, given, 'trim', path) ?? true,
    ...(splitter ? { split: splitter.apply } : {}),
    steps: [...applied.filter((each) => each !== splitter).map(({ apply }) => apply), ...implied],
    across: parseAcross(context, given.across, path),
    ...(when ? { when } : {}),
    ...(when && given.else !== undefined ? { otherwise: given.else as Json } : {}),
    ...(given.default === undefined ? {} : { default: given.default as Json }),
    required: parseFlag(document, given, 'required', path) ?? false,
  };
}

function parseFlag(
  document: MappingDocument,
  given: Record<string, unknown>,
  key: string,
  path: Path,
): boolean | undefined {
  const value = given[key];
  if (value === undefined || typeof value === 'boolean') return value;
  document.complain([...path, key], `${key} takes true or false.`);
  return undefined;
}

function makeStep(context: Context, step: Step, given: Record<string, unknown>, path: Path): Apply {
  const { document } = context;
  const raw = given[step.name];
  const args =
    step.name === 'map' ? { words: raw, ...(given.when === undefined ? { else: given.else } : {}) } : raw;
  const parsed = step.args.safeParse(args);
  if (parsed.success) return step.make(parsed.data);
  const example = step.examples[0]?.args;
  const shown = JSON.stringify(step.name === 'map' ? (example as { words: unknown }).words : example);
  document.complain(
    [...path, step.name],
    `${step.name} does not take ${JSON.stringify(raw)}; for example ${step.name}: ${shown}.`,
  );
  return () => undefined;
}

function parseSource(context: Context, given: Record<string, unknown>, path: Path): Source {
  const { document, target } = context;
  const named = ['from', 'const', 'template'].filter((key) => given[key] !== undefined);
  if (named.length !== 1)
    document.complain(
      path,
      `${target} needs one of from, const, template; it has ${named.join(' and ') || 'none'}.`,
    );
  if (given.const !== undefined) return { kind: 'constant', value: given.const as Json };
  if (typeof given.template === 'string') return { kind: 'template', parts: templateParts(given.template) };
  if (given.template !== undefined)
    document.complain(
      [...path, 'template'],
      'template takes text with columns, such as "{Title} by {Vendor}".',
    );
  const names = [given.from ?? []].flat();
  if (names.some((name) => typeof name !== 'string'))
    document.complain(
      [...path, 'from'],
      'from takes a column, or a list of columns of which the first filled one counts.',
    );
  if (given.join !== undefined && typeof given.join !== 'string')
    document.complain(
      [...path, 'join'],
      'join takes the text that stands between the columns, such as " - ".',
    );
  return {
    kind: 'columns',
    names: names.map(String),
    ...(given.join === undefined ? {} : { join: String(given.join) }),
  };
}

/** `"{Title} by {Vendor}"` → a column, text, a column. The name of a column may hold a number: `{Option{n} Name}`. */
function templateParts(template: string): (string | { column: string })[] {
  return template
    .split(/(\{(?:[^{}]|\{[^{}]*\})+\})/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{') && part.endsWith('}') ? { column: part.slice(1, -1) } : part));
}

function parseAcross(context: Context, value: unknown, path: Path): Across {
  if (value === undefined) return context.inRows ? 'own' : 'first';
  if (ACROSS.includes(value as Across)) return value as Across;
  const hint = didYouMean(String(value), ACROSS);
  context.document.complain([...path, 'across'], `across takes one of ${ACROSS.join(', ')}.${hint}`);
  return 'first';
}

function parseList(
  context: Context,
  given: Record<string, unknown>,
  path: Path,
  type: FieldType,
): ListRule | undefined {
  const { document, target } = context;
  refuseUnknownKeys(document, given, path, LIST_KEYS);
  if (type.kind !== 'list' && type.kind !== 'anything') {
    document.complain(path, `${target} is not a list, so it cannot take each.`);
    return undefined;
  }
  const each = parseEach(document, given.each, path);
  const itemType: FieldType = type.kind === 'list' ? type.item : type;
  if (itemType.kind !== 'object' && itemType.kind !== 'anything') {
    document.complain(path, `${target} is a list of plain values: use split on a column instead of each.`);
    return undefined;
  }
  const inRows = context.inRows || each.over === 'rows';
  const item = parseFields(document, given.fields, [...path, 'fields'], itemType, context.resource, inRows);
  const unique = given.unique === undefined ? undefined : String(given.unique);
  const names = item.map((field) => field.path.join('.'));
  if (unique !== undefined && !names.includes(unique))
    document.complain(
      [...path, 'unique'],
      `unique names no field of this list: "${unique}".${didYouMean(unique, names)}`,
    );
  return {
    kind: 'list',
    each,
    ...(given.when === undefined
      ? {}
      : { when: parseCondition(document, given.when, [...path, 'when'], inRows) }),
    ...(unique === undefined ? {} : { unique }),
    item,
  };
}

function parseEach(document: MappingDocument, value: unknown, path: Path): { over: 'rows' } | Numbered {
  if (value === 'row') return { over: 'rows' };
  const families = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const [family] = families;
  if (family && families.length === 1 && Array.isArray(family[1]))
    return { over: 'numbers', name: family[0], values: family[1].map(String) };
  document.complain(
    [...path, 'each'],
    'each takes row, or numbers for columns such as Option{n} Name: { n: [1, 2, 3] }.',
  );
  return { over: 'rows' };
}

function refuseUnknownKeys(
  document: MappingDocument,
  given: object,
  path: Path,
  known: readonly string[],
): void {
  for (const key of Object.keys(given))
    if (!known.includes(key)) document.complain([...path, key], unknownKey(key, known));
}

/** The nearest name where there is one; else all of them. */
function unknownKey(key: string, known: readonly string[]): string {
  return `"${key}" is not known here.${didYouMean(key, known) || ` There are ${known.join(', ')}.`}`;
}
