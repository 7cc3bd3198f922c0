import type { Json } from '../../model/index.ts';
import type { FieldType } from '../../resources/index.ts';
import { didYouMean } from '../did-you-mean.ts';
import type { Across, ListRule, ValueRule } from '../mapping.ts';
import type { ResultKind } from '../steps/index.ts';
import { parseCondition } from './conditions.ts';
import type { RuleContext } from './context.ts';
import { asObject, type Path } from './document.ts';
import { refuseUnknownKeys } from './parse-parts.ts';

export const ACROSS: readonly Across[] = ['lead', 'first', 'last', 'sum', 'min', 'max', 'join'];

export function parseWarn({ document }: RuleContext, value: unknown, path: Path): Pick<ValueRule, 'warn'> {
  if (value === undefined) return {};
  if (typeof value === 'string' && value.trim() !== '') return { warn: value.trim() };
  document.addError([...path, 'warn'], 'warn takes a sentence, which is said where this value is taken.');
  return {};
}

export function parseAcross(context: RuleContext, value: unknown, path: Path): Across {
  if (value === undefined) return context.inRows ? 'own' : 'first';
  if (ACROSS.includes(value as Across)) return value as Across;
  const hint = didYouMean(String(value), ACROSS);
  context.document.addError([...path, 'across'], `across takes one of ${ACROSS.join(', ')}.${hint}`);
  return 'first';
}

/** Parses `row: Condition` or `rows: Condition`, or a list of conditions that are tried in turn. */
export function parseOnly(
  context: RuleContext,
  given: Record<string, unknown>,
  path: Path,
): Pick<ValueRule, 'only'> {
  const { row, rows } = given;
  if (row === undefined && rows === undefined) return {};
  if (row !== undefined && rows !== undefined)
    context.document.addError([...path, 'rows'], 'row and rows both say which rows count: keep one.');
  const first = row !== undefined;
  const value = row ?? rows;
  const at = [...path, first ? 'row' : 'rows'];
  const tried = {};
  const conditions = Array.isArray(value)
    ? value.map((each, index) =>
        parseCondition({ ...context, alternatives: tried }, each, [...at, index], true),
      )
    : [parseCondition(context, value, at, true)];
  return { only: { conditions, first } };
}

/** Parses `distinct: { by: [size, colour], warn: "…" }`; fields may be objects in the item. */
export function parseDistinct(
  context: RuleContext,
  given: unknown,
  path: Path,
  names: readonly string[],
): ListRule['distinct'] {
  if (given === undefined) return undefined;
  const { document } = context;
  const at = [...path, 'distinct'];
  const expected =
    'distinct takes { by: [field, …], warn: a sentence for items that are equal in all of them }.';
  const { by, ...others } = asObject(document, given, at, expected);
  refuseUnknownKeys(document, others, at, ['by', 'warn']);
  const fields = [by ?? []].flat().map(String);
  const { warn } = parseWarn(context, others.warn, at);
  if (fields.length === 0 || warn === undefined) {
    document.addError(at, expected);
    return undefined;
  }
  for (const field of fields)
    if (!names.some((name) => name === field || name.startsWith(`${field}.`)))
      document.addError(
        [...at, 'by'],
        `distinct names no field of this list: "${field}".${didYouMean(field, names)}`,
      );
  return { by: fields, warn };
}

/** The value that clears a field in the store; undefined if the field cannot be cleared. */
export function blankFor(type: FieldType, made: ResultKind | undefined): Json | undefined {
  switch (type.kind) {
    case 'number':
    case 'object':
      return null;
    case 'text':
      return '';
    case 'list':
      return [];
    case 'anything':
      return made === 'list' ? [] : made === undefined || made === 'text' ? '' : null;
    default:
      return undefined;
  }
}

/** The value with which an update clears the field if the source is empty; undefined if it does not clear it. */
export function parseBlank(
  { document, resource, target, inList }: RuleContext,
  given: unknown,
  path: Path,
  value: Json | undefined,
): Json | undefined {
  if (given === undefined || given === 'keep') return undefined;
  const at = [...path, 'blank'];
  const complain = (what: string): undefined => {
    document.addError(at, what);
    return undefined;
  };
  if (given !== 'clear')
    return complain(`blank takes keep or clear.${didYouMean(String(given), ['keep', 'clear'])}`);
  if (!resource.update)
    return complain(`the store's API cannot update ${resource.name}, so nothing can be cleared.`);
  if (inList)
    return complain(
      'a list is replaced as a whole: what is blank in it is left out. Say blank for the list.',
    );
  if (value === undefined)
    return complain(`${target} cannot be cleared: it is one of a few words, or yes or no.`);
  const update = (resource.updateSchema ?? resource.schema).partial();
  const cleared = target.split('.').reduceRight<Json>((inner, name) => ({ [name]: inner }), value);
  if (!update.safeParse(cleared).success)
    return complain(`${target} cannot be cleared: the store takes no ${JSON.stringify(value)} there.`);
  return value;
}
