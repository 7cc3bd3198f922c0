import type { ColumnCandidate } from '../match/candidate.ts';
import { dateFormat, isYesNo, numberFormat, numberFormatOf } from '../profile/formats.ts';

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

/** A rule that makes no value, and counts the records whose cells are left out. */
export function leaveOutRule(
  { name }: ColumnCandidate,
  conditions: Record<string, unknown>,
  why: string,
): RuleText {
  return { from: name, ...conditions, 'leave-out': `${JSON.stringify(name)} is left out: ${why}.` };
}

/** A number; undefined if the cells can be read in two ways. */
export function numberRule(
  candidate: ColumnCandidate,
  more: Record<string, unknown> = {},
): RuleText | undefined {
  const { filled, numberFormat: ofFile } = candidate.profile;
  const format = numberFormat(filled) ?? (ofFile === undefined ? undefined : numberFormatOf(ofFile, filled));
  return format === undefined
    ? undefined
    : { from: candidate.name, ...cleaning(candidate), number: format, ...more };
}

/** A date or a time, also in seconds or milliseconds since 1970; undefined if day and month could be exchanged. */
export function dateRule(candidate: ColumnCandidate): RuleText | undefined {
  const { name, profile } = candidate;
  const format = dateFormat(profile.filled);
  if (format !== undefined) return { from: name, date: format };
  const [digits, factor] = profile.filled.every((cell) => /^\d{10}$/.test(cell)) ? [10, ' * 1000'] : [13, ''];
  const isEpoch = profile.filled.every((cell) => /^\d+$/.test(cell) && cell.length === digits);
  if (!isEpoch || name.includes('`')) return undefined;
  const when = { [name]: { matches: `^\\d{${digits}}$` } };
  return { expression: `$fromMillis($number(\`${name}\`)${factor})`, when };
}

/** Yes or no; undefined if a cell is neither. */
export function flagRule(candidate: ColumnCandidate): RuleText | undefined {
  return isYesNo(candidate.profile.filled) ? { from: candidate.name, boolean: true } : undefined;
}
