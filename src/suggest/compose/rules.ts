import type { ColumnCandidate } from '../match/candidate.ts';
import { dateFormat, isYesNo, numberFormat } from '../profile/formats.ts';

/** A rule of a mapping, as it is written in the file. */
export type RuleText = string | Readonly<Record<string, unknown>> | readonly unknown[];

/** Steps that clean the cells of a column: words for nothing that other programs wrote. */
export function cleaning(
  { profile: { filled } }: ColumnCandidate,
  raw: readonly string[] = filled,
): Record<string, unknown> {
  return raw.some((cell) => /^null$/i.test(cell.trim())) ? { replace: { match: '^(NULL|null)$' } } : {};
}

/** Text of a column. */
export function textRule(candidate: ColumnCandidate, more: Record<string, unknown> = {}): RuleText {
  const rule = { from: candidate.name, ...cleaning(candidate), ...more };
  return Object.keys(rule).length === 1 ? candidate.name : rule;
}

/** A number; undefined if the cells can be read in two ways. */
export function numberRule(
  candidate: ColumnCandidate,
  more: Record<string, unknown> = {},
): RuleText | undefined {
  const format = numberFormat(candidate.profile.filled);
  return format === undefined
    ? undefined
    : { from: candidate.name, ...cleaning(candidate), number: format, ...more };
}

/** The number at the beginning of a measure such as `0.5 kg`. */
export function measureRule(
  candidate: ColumnCandidate,
  more: Record<string, unknown> = {},
): RuleText | undefined {
  const { filled } = candidate.profile;
  if (filled.every((cell) => /^[+-]?[\d.,\s]+$/.test(cell))) return numberRule(candidate, more);
  const format = numberFormat(filled.map((cell) => cell.replace(/\s?\p{L}+\.?$/u, '')));
  return format === undefined
    ? undefined
    : { from: candidate.name, replace: { match: '\\s?\\p{L}+\\.?$' }, number: format, ...more };
}

/** A date or a time; undefined if day and month could be exchanged. */
export function dateRule(candidate: ColumnCandidate): RuleText | undefined {
  const format = dateFormat(candidate.profile.filled);
  return format === undefined ? undefined : { from: candidate.name, date: format };
}

/** Yes or no; undefined if a cell is neither. */
export function flagRule(candidate: ColumnCandidate): RuleText | undefined {
  return isYesNo(candidate.profile.filled) ? { from: candidate.name, boolean: true } : undefined;
}

/** The first unit in texts such as `Weight (kg)` or `0.5 kg`. */
export function unitIn(texts: readonly string[], units: ReadonlyMap<string, string>): string | undefined {
  for (const text of texts)
    for (const word of text.toLowerCase().split(/[^\p{L}]+/u)) {
      const unit = units.get(word);
      if (unit !== undefined) return unit;
    }
  return undefined;
}

/** Units of weight as names write them. */
export const WEIGHT_UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    kg: 'kg',
    kgs: 'kg',
    kilo: 'kg',
    g: 'g',
    gr: 'g',
    gram: 'g',
    grams: 'g',
    gramm: 'g',
    lb: 'lbs',
    lbs: 'lbs',
    oz: 'oz',
    mg: 'mg',
    кг: 'kg',
    г: 'g',
  }),
);

/** Units of length as names write them. */
export const LENGTH_UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cm: 'cm',
    mm: 'mm',
    m: 'm',
    in: 'in',
    inch: 'in',
    inches: 'in',
    ft: 'ft',
    см: 'cm',
    мм: 'mm',
  }),
);
