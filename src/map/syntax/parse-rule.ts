import type { Json } from '../../model/index.ts';
import { type FieldType, leafPaths, typeAt } from '../../resources/index.ts';
import { didYouMean } from '../did-you-mean.ts';
import type { FieldRule, ListRule, Rule, ValueRule } from '../mapping.ts';
import { meansPart } from '../references.ts';
import { overlapsIn } from '../rows/paths.ts';
import { parseCondition } from './conditions.ts';
import type { RuleContext } from './context.ts';
import { asObject, type Path } from './document.ts';
import {
  PART_KEYS,
  parseFlag,
  parseSource,
  parseSteps,
  parseWhen,
  refuseBare,
  refuseUnknownKeys,
  VARIABLES,
} from './parse-parts.ts';
import {
  blankFor,
  parseAcross,
  parseBlank,
  parseDistinct,
  parseOnly,
  parseWarn,
} from './parse-rule-parts.ts';
import { conform } from './type-check.ts';

/** Keys of a value, and of a list. */
export const VALUE_KEYS = [...PART_KEYS, 'across', 'row', 'rows', 'required', 'blank', 'warn'];
export const LIST_KEYS = ['each', 'when', 'needs', 'unique', 'distinct', 'blank', 'fields'];

/** Context of a rule, without its target. */
export type Surroundings = Pick<
  RuleContext,
  'document' | 'resource' | 'inRows' | 'inList' | 'refers' | 'parts' | 'lookups' | 'watched'
>;

/** Parses target paths with their rules. `type` is used to look up paths; it is absent below lists of anything. */
export function parseFields(around: Surroundings, value: unknown, path: Path, type: FieldType): FieldRule[] {
  const { document, resource } = around;
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
      document.addError(
        at,
        `${resource.singular} has no field "${target}".${didYouMean(target, leafPaths(type))}`,
      );
      return [];
    }
    const rule = parseRule(
      { ...around, target, names: 'column', alternatives: undefined },
      source,
      at,
      targetType,
    );
    return rule ? [{ path: segments, rule }] : [];
  });
  for (const { outer, inner } of overlapsIn(fields.map((field) => field.path)))
    document.addError([...path, inner], `"${inner}" lies inside "${outer}", which is mapped as a whole.`);
  return fields;
}

/** Parses the rule of a target: a column's name, a value with steps, a list, or several of one kind. */
export function parseRule(
  context: RuleContext,
  value: unknown,
  path: Path,
  type: FieldType,
): Rule | undefined {
  const { document } = context;
  if (typeof value === 'string') return parseValue(context, { from: value }, path, type);
  if (Array.isArray(value)) {
    const several = { ...context, alternatives: {} };
    const rules = value.map((each, index) => parseRule(several, each, [...path, index], type));
    // The missing rule was already reported at its place.
    if (rules.includes(undefined)) return undefined;
    if (rules.length > 0 && rules.every((rule) => rule?.kind === 'list'))
      return { kind: 'joined', lists: rules };
    if (rules.length > 0 && rules.every((rule) => rule?.kind === 'value'))
      return { kind: 'first', values: rules };
    document.addError(path, 'several entries for one field must all be values, or all be lists with each.');
    return undefined;
  }
  if (typeof value === 'object' && value !== null) {
    const given = value as Record<string, unknown>;
    if ('all' in given) return parseAll(context, given, path, type);
    return 'each' in given ? parseList(context, given, path, type) : parseValue(context, given, path, type);
  }
  refuseBare(context, value, path);
  return undefined;
}

/** Parses `{ all: [{ from: Tags, split: "," }, Season] }`: words of several sources, each with its own steps. */
function parseAll(
  context: RuleContext,
  given: Record<string, unknown>,
  path: Path,
  type: FieldType,
): Rule | undefined {
  const { document, target } = context;
  refuseUnknownKeys(document, given, path, ['all']);
  const at = [...path, 'all'];
  const isOfWords = type.kind === 'anything' || (type.kind === 'list' && type.item.kind !== 'object');
  if (!isOfWords) {
    document.addError(at, `${target} is not a list of words, so it cannot take all.`);
    return undefined;
  }
  if (!Array.isArray(given.all) || given.all.length === 0) {
    document.addError(at, 'all takes a list of sources, such as [{ from: Tags, split: "," }, Season].');
    return undefined;
  }
  const item: FieldType = type.kind === 'list' ? type.item : type;
  const values = given.all.map((each: unknown, index) => {
    const cuts = typeof each === 'object' && each !== null && 'split' in each;
    return parseRule(context, each, [...at, index], cuts ? type : item);
  });
  if (!values.every((value) => value?.kind === 'value')) return undefined;
  return { kind: 'first', values, all: true };
}

function parseValue(
  context: RuleContext,
  given: Record<string, unknown>,
  path: Path,
  type: FieldType,
): ValueRule {
  refuseUnknownKeys(context.document, given, path, VALUE_KEYS);
  const { makes, steps, ...split } = parseSteps(context, given, path);
  const parsed = parseSource(context, given, path);
  const source = parsed.kind === 'expression' ? { ...parsed, asList: type.kind === 'list' } : parsed;
  const implied = conform(context, { source, makes, given }, path, type);
  if (source.kind === 'expression' && given.across !== undefined)
    context.document.addError(
      [...path, 'across'],
      'an expression looks at the rows itself, as $rows: leave across out.',
    );
  const blank = parseBlank(context, given.blank, path, blankFor(type, makes.at(-1)));
  return {
    kind: 'value',
    source,
    trim: parseFlag(context, given, 'trim', path) ?? true,
    ...split,
    steps: [...steps, ...implied],
    across: parseAcross(context, given.across, path),
    ...(given.across === undefined ? { acrossIsImplied: true } : {}),
    ...parseOnly(context, given, path),
    ...parseWhen(context, given, path, context.inRows),
    ...(given.default === undefined ? {} : { default: given.default as Json }),
    ...(blank === undefined ? {} : { blank }),
    ...parseWarn(context, given.warn, path),
    required: parseFlag(context, given, 'required', path) ?? false,
  };
}

function parseList(
  context: RuleContext,
  given: Record<string, unknown>,
  path: Path,
  type: FieldType,
): ListRule | undefined {
  const { document, target } = context;
  refuseUnknownKeys(document, given, path, LIST_KEYS);
  if (type.kind !== 'list' && type.kind !== 'anything') {
    document.addError(path, `${target} is not a list, so it cannot take each.`);
    return undefined;
  }
  const each = parseEach(context, given.each, path);
  const itemType: FieldType = type.kind === 'list' ? type.item : type;
  if (itemType.kind !== 'object' && itemType.kind !== 'anything') {
    document.addError(path, `${target} is a list of plain values: use split on a column instead of each.`);
    return undefined;
  }
  const inside: RuleContext = {
    ...context,
    inRows: context.inRows || each.over === 'rows' || each.over === 'items',
    inList: true,
    ...(each.over === 'parts' ? { parts: [...(context.parts ?? []), each.name] } : {}),
    refers: (inner) =>
      (each.over === 'parts' && meansPart(inner, each.name)) ||
      (each.over === 'numbers' && inner === each.name) ||
      context.refers(inner),
  };
  const item = parseFields(inside, given.fields, [...path, 'fields'], itemType);
  const names = item.map((field) => field.path.join('.'));
  const fieldNamed = (key: 'needs' | 'unique'): Partial<Record<typeof key, string>> => {
    if (given[key] === undefined) return {};
    const name = String(given[key]);
    if (!names.includes(name))
      document.addError(
        [...path, key],
        `${key} names no field of this list: "${name}".${didYouMean(name, names)}`,
      );
    return { [key]: name };
  };
  const distinct = parseDistinct(context, given.distinct, path, names);
  const blank = parseBlank(context, given.blank, path, []);
  return {
    kind: 'list',
    each,
    ...(given.when === undefined
      ? {}
      : { when: parseCondition(inside, given.when, [...path, 'when'], inside.inRows) }),
    ...fieldNamed('needs'),
    ...fieldNamed('unique'),
    ...(distinct ? { distinct } : {}),
    ...(blank === undefined ? {} : { blank }),
    item,
  };
}

/** Parses what a list iterates over: rows, numbers, or the parts of a value with its own sources and steps. */
function parseEach(context: RuleContext, value: unknown, path: Path): ListRule['each'] {
  const { document } = context;
  if (value === 'row') return { over: 'rows' };
  if (value === 'child') return { over: 'rows', exceptLead: true };
  const families = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const [family] = families;
  if (family && families.length === 1) {
    const [name, given] = family;
    if (name === 'in' && typeof given === 'string') return { over: 'items', path: given };
    if (Array.isArray(given)) return { over: 'numbers', name, values: given.map(String) };
    if (!isPartName(name)) {
      document.addError(
        [...path, 'each', name],
        `a part has a name of letters and digits, such as part, and not row, rows or file; found "${name}".`,
      );
      return { over: 'rows' };
    }
    if (typeof given === 'object' && given !== null) {
      const at = [...path, 'each', name];
      const rule = parseValue({ ...context, inList: true }, given as Record<string, unknown>, at, {
        kind: 'anything',
      });
      return { over: 'parts', name, value: rule };
    }
  }
  document.addError(
    [...path, 'each'],
    'each takes row, child, numbers for columns such as Option{n} Name: { n: [1, 2, 3] }, parts of a cell: { part: { from: Column, split: "," } }, or a list in JSON: { in: variants }.',
  );
  return { over: 'rows' };
}

/** True for a valid name of a part: letters and digits, and not a variable that every expression has. */
function isPartName(name: string): boolean {
  return /^\p{L}[\p{L}\p{N}_]*$/u.test(name) && !VARIABLES.includes(name);
}
