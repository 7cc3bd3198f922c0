import { type NumberArgs, numberSigns } from '../../../map/index.ts';
import { literalPattern } from '../../../model/index.ts';
import { isFew } from '../../evidence.ts';
import type { ColumnCandidate, RoleMatch } from '../../match/candidate.ts';
import { says } from '../../names/read-name.ts';
import { ofCurrency, severalCurrencies, signIn, usualSigns } from '../../profile/currencies.ts';
import type { AddedFrom } from '../notes.ts';
import { leaveOutRule, numberRule, type RuleText } from '../rules.ts';

/** A rule of a price, with the columns that it reads. */
export interface PriceRule {
  readonly field: string;
  readonly rule: RuleText | undefined;
  readonly matches: readonly RoleMatch[];
  readonly doubt?: string | undefined;
}

/** The rule of an amount; undefined if its cells can be read in two ways, or are of several currencies. */
export function amountRule(
  candidate: ColumnCandidate,
  more: Record<string, unknown> = {},
): AmountRule | undefined {
  const { profile } = candidate;
  const usual = usualSigns(profile.filled, profile.currency);
  if (usual === undefined) return undefined;
  // Cells of another currency are issues of their records.
  const filled = profile.filled.filter((cell) => usual.has(signIn(cell)));
  const rule = numberRule({ ...candidate, profile: { ...profile, filled } }, more) as AmountRule | undefined;
  const factor = factorOf(candidate);
  if (rule === undefined || factor === undefined) return undefined;
  const number = ofDecimals(ofCurrency(rule.number, filled) as NumberArgs, filled);
  return { ...rule, number, ...(factor === 1 ? {} : { multiply: factor * (rule.multiply ?? 1) }) };
}

export type AmountRule = Readonly<Record<string, unknown>> & {
  readonly number: NumberArgs;
  readonly multiply?: number;
};

/** Says why there is no rule for amounts if their currencies are the reason. */
export function whyNoAmount(candidates: readonly ColumnCandidate[]): Pick<AddedFrom, 'why'> {
  const [why] = candidates.flatMap(
    ({ profile }) => severalCurrencies(profile.filled, profile.currency) ?? [],
  );
  return why === undefined ? {} : { why };
}

/** Most cells with three decimals among those with fewer, 0 to 1, that are probably thousands: `1.200` beside `8.30`. */
const MAX_THOUSANDS = 0.2;

/** Makes cells issues that have three digits behind the decimal sign, if nearly all others have two: they may be thousands. */
function ofDecimals(args: NumberArgs, cells: readonly string[]): NumberArgs {
  const { decimal } = numberSigns(args);
  const parts = cells.flatMap((cell) => {
    const [whole = '', decimals] = cell.replace(/[^\d.,]+$/, '').split(decimal);
    return decimals === undefined ? [] : [{ whole, decimals: decimals.length }];
  });
  const thousands = parts.filter(
    ({ whole, decimals }) => decimals === 3 && /(?:^|\D)[1-9]\d{0,2}$/.test(whole),
  );
  const fewer = parts.filter(({ decimals }) => decimals < 3).length;
  const areOdd = thousands.length > 0 && thousands.length <= MAX_THOUSANDS * fewer;
  if (!areOdd || thousands.length + fewer < parts.length) return args;
  return { ...(args === true ? {} : typeof args === 'string' ? { format: args } : args), decimals: 2 };
}

/**
 * The factor of an amount in cents. Digits behind a point in more than a few cells show that the name is wrong about the unit; with a
 * few it is not known, so it is undefined.
 */
function factorOf({ reading, profile: { filled } }: ColumnCandidate): number | undefined {
  const broken = filled.filter((cell) => /\d[.,]\d/.test(cell)).length;
  if (!says(reading, 'minor') || !isFew(broken, filled.length)) return 1;
  return broken === 0 ? 0.01 : undefined;
}

/** The product of an amount and a count, for the rows where both cells are numbers; none without a rule for one of them. */
export function productOf(amount: ColumnCandidate, count: ColumnCandidate): readonly RuleText[] {
  const [left, right] = [count, amount].map(numberExpression);
  if (left === undefined || right === undefined) return [];
  const when = { [count.name]: isNumber(count), [amount.name]: isNumber(amount) };
  const why = `${JSON.stringify(count.name)} is no number that it can be multiplied by`;
  return [{ expression: `$round(${left} * ${right}, 4)`, when }, leaveOutRule(amount, {}, why)];
}

/** Matches a number in any format. */
const DIGITS = "[-+]?\\d[\\d.,'’ \u00a0\u202f]*";

/** The condition that a cell is a number, with a usual sign of the currency or without one. */
function isNumber({ profile }: ColumnCandidate): Readonly<Record<string, string>> {
  const signs = [...(usualSigns(profile.filled, profile.currency) ?? [])]
    .filter((sign) => sign !== '')
    .map(literalPattern);
  if (signs.length === 0) return { matches: `^${DIGITS}$` };
  const sign = `(?:${signs.join('|')})?`;
  return { matches: `^${sign}[. ]{0,2}${DIGITS}${sign}\\.?$` };
}

/** An expression for the number in a cell, as the rule of the column reads it. */
function numberExpression(candidate: ColumnCandidate): string | undefined {
  const rule = amountRule(candidate);
  if (rule === undefined || candidate.name.includes('`')) return undefined;
  const { decimal, thousands, hasCurrency } = numberSigns(rule.number);
  const cell = `\`${candidate.name}\``;
  const text = hasCurrency ? `$replace(${cell}, /^[^-+0-9]+|[^0-9]+$/, "")` : `$trim(${cell})`;
  const bare = thousands === '' ? text : `$replace(${text}, /[${thousands}]/, "")`;
  const number = `$number(${decimal === ',' ? `$replace(${bare}, ",", ".")` : bare})`;
  return rule.multiply === undefined ? number : `${number} * ${rule.multiply}`;
}
