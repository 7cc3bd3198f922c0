import type { Json } from '../../../model/index.ts';
import { didYouMean } from '../../did-you-mean.ts';
import type { ValueRule } from '../../mapping.ts';
import {
  COMMON_VALUE_KEYS,
  parseFlag,
  parseSource,
  parseSteps,
  parseWhen,
  refuseUnknownKeys,
} from '../parse-source.ts';
import type { ImportRulePlace, RulePlace } from '../places.ts';
import { blankFor, parseAcross, parseBlank, parseLeaveOut, parseOnly, parseWarn } from './rule-keys.ts';
import { impliedSteps } from './type-check.ts';

/** Keys of a value. */
export const VALUE_KEYS = [
  ...COMMON_VALUE_KEYS,
  ...['across', 'row', 'rows', 'required', 'blank', 'warn', 'leave-out'],
];

/** Parses a value with its source and steps. */
export function parseValue(place: ImportRulePlace, given: Record<string, unknown>): ValueRule {
  const { document, path, type, inRows } = place;
  refuseOtherKeys(place, given, VALUE_KEYS);
  const { makes, steps, ...split } = parseSteps(place, given);
  const parsed = parseSource(place, given, adviceOnFields(place, given));
  const source = parsed.kind === 'expression' ? { ...parsed, asList: type.kind === 'list' } : parsed;
  const leaveOut = parseLeaveOut(place, given);
  // A value that is left out need not fit the field.
  const implied = leaveOut.leaveOut === undefined ? impliedSteps(place, { source, makes, given }) : [];
  if (source.kind === 'expression' && given.across !== undefined)
    document.addError(
      [...path, 'across'],
      'an expression reads the rows itself, as $rows: leave across out.',
    );
  // If nothing is to be left out, nothing is wrong with the rule.
  const conditions: RulePlace = leaveOut.leaveOut === undefined ? place : { ...place, watched: undefined };
  const blank = parseBlank(place, given.blank, blankFor(type, makes.at(-1)));
  return {
    kind: 'value',
    source,
    trim: parseFlag(place, given, 'trim') ?? true,
    ...split,
    steps: [...steps, ...implied],
    across: parseAcross(place, given.across),
    ...(given.across === undefined ? { acrossIsImplied: true } : {}),
    ...parseOnly(conditions, given),
    ...parseWhen(conditions, given, inRows ? 'own' : 'first'),
    ...(given.default === undefined ? {} : { default: given.default as Json }),
    ...(blank === undefined ? {} : { blank }),
    ...parseWarn(place, given.warn),
    ...leaveOut,
    required: parseFlag(place, given, 'required') ?? false,
  };
}

/** Advice for an object without a source, which may be meant as fields inside the target. */
function adviceOnFields({ target, mayHaveFields }: ImportRulePlace, given: Record<string, unknown>): string {
  const [key] = Object.keys(given);
  return mayHaveFields && key !== undefined ? ` For a field inside ${target}, write ${target}.${key}.` : '';
}

/** Adds an error for each key that a rule does not have. A key that may be meant as a field gets advice. */
export function refuseOtherKeys(
  place: ImportRulePlace,
  given: Readonly<Record<string, unknown>>,
  known: readonly string[],
): void {
  const { document, path, target, type, mayHaveFields } = place;
  const isClosed = type.kind === 'object' && !type.open;
  const mayBeField = (key: string) =>
    mayHaveFields === true && !known.includes(key) && (!isClosed || type.fields.has(key));
  const fields = Object.keys(given).filter(mayBeField);
  for (const key of fields)
    document.addError(
      [...path, key],
      `"${key}" is not known here.${isClosed ? '' : didYouMean(key, known)} For a field inside ${target}, write ${target}.${key}.`,
    );
  refuseUnknownKeys(place, given, [...known, ...fields]);
}
