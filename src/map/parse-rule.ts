import type { Json } from '../model/index.ts';
import { type FieldType, leafPaths, type Resource, typeAt } from '../resources/index.ts';
import { parseCondition } from './conditions.ts';
import { conform } from './conform.ts';
import type { Context } from './context.ts';
import { asObject, type MappingDocument, type Path } from './document.ts';
import type { Across, FieldRule, ListRule, Rule, ValueRule } from './mapping.ts';
import { didYouMean } from './nearest.ts';
import { overlapsIn } from './overlaps.ts';
import {
  PART_KEYS,
  parseFlag,
  parseSource,
  parseSteps,
  parseWhen,
  refuseBare,
  refuseUnknownKeys,
} from './parse-parts.ts';

const ACROSS: readonly Across[] = ['lead', 'first', 'last', 'sum', 'min', 'max', 'join'];
const VALUE_KEYS = [...PART_KEYS, 'across', 'row', 'rows', 'required'];
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
    const rule = parseRule({ document, resource, target, names: 'column', inRows }, source, at, targetType);
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
  refuseBare(context, value, path);
  return undefined;
}

function parseValue(
  context: Context,
  given: Record<string, unknown>,
  path: Path,
  type: FieldType,
): ValueRule {
  refuseUnknownKeys(context.document, given, path, VALUE_KEYS);
  const { chosen, steps, ...split } = parseSteps(context, given, path);
  const source = parseSource(context, given, path);
  const implied = conform(context, { source, steps: chosen, given }, path, type);
  return {
    kind: 'value',
    source,
    trim: parseFlag(context, given, 'trim', path) ?? true,
    ...split,
    steps: [...steps, ...implied],
    across: parseAcross(context, given.across, path),
    ...parseOnly(context, given, path),
    ...parseWhen(context, given, path, context.inRows),
    ...(given.default === undefined ? {} : { default: given.default as Json }),
    required: parseFlag(context, given, 'required', path) ?? false,
  };
}

function parseAcross(context: Context, value: unknown, path: Path): Across {
  if (value === undefined) return context.inRows ? 'own' : 'first';
  if (ACROSS.includes(value as Across)) return value as Across;
  const hint = didYouMean(String(value), ACROSS);
  context.document.complain([...path, 'across'], `across takes one of ${ACROSS.join(', ')}.${hint}`);
  return 'first';
}

/** `row: Condition` or `rows: Condition`, or a list of conditions that are tried in turn. */
function parseOnly(context: Context, given: Record<string, unknown>, path: Path): Pick<ValueRule, 'only'> {
  const { row, rows } = given;
  if (row === undefined && rows === undefined) return {};
  if (row !== undefined && rows !== undefined)
    context.document.complain([...path, 'rows'], 'row and rows both say which rows count: keep one.');
  const first = row !== undefined;
  const value = row ?? rows;
  const at = [...path, first ? 'row' : 'rows'];
  const conditions = Array.isArray(value)
    ? value.map((each, index) => parseCondition(context, each, [...at, index], true))
    : [parseCondition(context, value, at, true)];
  return { only: { conditions, first } };
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
  const inRows = context.inRows || each.over !== 'numbers';
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
      : { when: parseCondition(context, given.when, [...path, 'when'], inRows) }),
    ...(unique === undefined ? {} : { unique }),
    item,
  };
}

function parseEach(document: MappingDocument, value: unknown, path: Path): ListRule['each'] {
  if (value === 'row') return { over: 'rows' };
  if (value === 'child') return { over: 'rows', exceptLead: true };
  const families = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const [family] = families;
  if (family && families.length === 1 && family[0] === 'in' && typeof family[1] === 'string')
    return { over: 'items', path: family[1] };
  if (family && families.length === 1 && Array.isArray(family[1]))
    return { over: 'numbers', name: family[0], values: family[1].map(String) };
  document.complain(
    [...path, 'each'],
    'each takes row, child, numbers for columns such as Option{n} Name: { n: [1, 2, 3] }, or a list in JSON: { in: variants }.',
  );
  return { over: 'rows' };
}
