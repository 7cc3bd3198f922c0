import type { DraftField, LeftOut, MappingDraft } from '../../draft.ts';
import { isFew } from '../../evidence.ts';
import { LIKELY } from '../../match/candidate.ts';
import { says } from '../../names/read-name.ts';
import { currencyIn, type SeveralCurrencies } from '../../profile/currencies.ts';
import type { ReadColumn } from '../../sample.ts';

/** A column with the currency of each row, if there are several. */
interface Currencies extends SeveralCurrencies {
  /** The currency of nearly all rows; undefined if there is none. */
  readonly usual: string | undefined;
  readonly why: string;
}

/**
 * Leaves out amounts in an unusual currency, which a column of its own names. If no currency is the usual one, all amounts are left
 * out, since the store has one currency.
 */
export function withOneCurrency(
  draft: MappingDraft,
  {
    columns,
    records,
  }: { readonly columns: readonly ReadColumn[]; readonly records: readonly (readonly number[])[] },
): MappingDraft {
  const found = currenciesIn(columns, records);
  if (found === undefined) return draft;
  const leftOut: LeftOut[] = [];
  const fields = draft.fields.flatMap((field): DraftField[] => {
    if (!isAmount(field.field)) return [withAmountsInside(field, found)];
    if (found.usual !== undefined) return [{ ...field, rule: guarded(field.rule, found, [found.usual]) }];
    const [column = found.column] = field.columns;
    leftOut.push({ column, field: field.field, why: found.why, sample: '' });
    return [];
  });
  // Orders without prices add up to no total.
  const { check, ...rest } = draft;
  const kept = found.usual === undefined ? rest : draft;
  const isAsked = found.usual === undefined && JSON.stringify(fields) !== JSON.stringify(draft.fields);
  return {
    ...kept,
    ...(isAsked ? { currencies: found } : {}),
    ...{ fields, leftOut: [...draft.leftOut, ...leftOut] },
  };
}

function currenciesIn(
  columns: readonly ReadColumn[],
  records: readonly (readonly number[])[],
): Currencies | undefined {
  const column = columns.find(
    ({ reading, profile: { filled } }) =>
      reading.unknown.length === 0 &&
      says(reading, 'currency') &&
      filled.length > 0 &&
      isFew(filled.filter((cell) => !isCurrency(cell.trim())).length, filled.length),
  );
  if (column === undefined) return undefined;
  const counts = new Map<string, number>();
  // Further rows of a record may have none, or be of another price list.
  for (const [first = -1] of records) {
    const code = column.cells[first]?.trim() ?? '';
    if (code !== '') counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const [[most, count] = ['', 0], ...others] = [...counts].sort(([, a], [, b]) => b - a);
  if (others.length === 0) return undefined;
  const total = others.reduce((sum, [, each]) => sum + each, count);
  const shown = [...counts].slice(0, 4).map(([code, each]) => `${each} × ${code}`);
  const { name, cells, profile } = column;
  const codes = [...counts].sort(([, a], [, b]) => b - a).map(([code]) => [code, code] as const);
  const chosen =
    profile.currency !== undefined && counts.has(profile.currency) ? profile.currency : undefined;
  return {
    ...{ column: name, cells, codes },
    usual: chosen ?? (isFew(total - count, total) ? most : undefined),
    why: `${column.name} has several currencies: ${shown.join(', ')}`,
  };
}

function isCurrency(text: string): boolean {
  return /^\p{Sc}$/u.test(text) || currencyIn(text) === text.toUpperCase();
}

function isAmount(field: string): boolean {
  return /(?:^|\.)price(?:\.|$)|^value$/.test(field);
}

/** The same for the amounts of items, such as variants and lines. */
function withAmountsInside(field: DraftField, found: Currencies): DraftField {
  // Products that differ in other options have several lists of variants.
  const lists = [field.rule].flat() as { readonly fields?: Readonly<Record<string, unknown>> }[];
  if (!lists.some(({ fields = {} }) => Object.keys(fields).some(isAmount))) return field;
  const rules = lists.map((list) => {
    const fields = Object.entries(list.fields ?? {}).flatMap(([name, inside]) => {
      if (!isAmount(name)) return [[name, inside] as const];
      return found.usual === undefined ? [] : [[name, guarded(inside, found, [found.usual, ''])] as const];
    });
    return { ...list, fields: Object.fromEntries(fields) };
  });
  return {
    ...field,
    rule: rules.length === 1 ? rules[0] : rules,
    ...(found.usual === undefined ? { score: LIKELY, doubt: `its amounts are left out: ${found.why}` } : {}),
  };
}

/** The rule for rows of the usual currency; each run counts the others. */
function guarded(rule: unknown, { column, usual }: Currencies, accepted: readonly string[]): unknown {
  const alternatives = [rule].flat() as (string | Alternative)[];
  const named = alternatives.map((each) => (typeof each === 'string' ? { from: each } : each));
  const from = named.find((each) => each.from !== undefined)?.from;
  const whenOf = ({ when }: Alternative) => (typeof when === 'string' ? { [when]: { empty: false } } : when);
  const left = {
    from,
    when: { [column]: { 'is-not': accepted } },
    'leave-out': `${JSON.stringify(from)} is left out: ${JSON.stringify(column)} is not ${usual}.`,
  };
  return [
    ...(from === undefined ? [] : [left]),
    ...named.map((each) => ({ ...each, when: { ...whenOf(each), [column]: accepted } })),
  ];
}

interface Alternative {
  readonly from?: unknown;
  readonly when?: string | Readonly<Record<string, unknown>>;
}
