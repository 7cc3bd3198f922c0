import type { ColumnCandidate } from '../../match/candidate.ts';
import { isBlankCell } from '../../profile/profile.ts';
import { alikeVariants, type VariantRows } from '../../structure/telling-apart.ts';
import type { RuleText } from '../rules.ts';
import { MAX_OPTIONS } from './axes.ts';

/** Options in the names of variants: `S / Red`, or with their own names `Size: S, Color: Red`. */
export interface SplitName {
  readonly candidate: ColumnCandidate;
  readonly options: readonly SplitOption[];
}

interface SplitOption {
  readonly name: RuleText;
  readonly value: Readonly<Record<string, unknown>>;
  /** Holds for names with all parts. */
  readonly when: Readonly<Record<string, unknown>>;
}

/** Marks between the parts of a name; those that are rare in plain text first. */
const BETWEEN = ['|', ';', ' / ', '/', ' - ', ', '];
const MAX_LENGTH = 40;

/**
 * Splits the names of variants. All names must have the same number of parts, no text may be in two places of them, and the parts of one
 * place must repeat: otherwise a mark is a part of the name.
 */
export function splitNames(candidate: ColumnCandidate, products: VariantRows): SplitName | undefined {
  const { name, cells = [] } = candidate;
  const rows = products.flat().filter((row) => !isBlankCell(cells[row] ?? ''));
  for (const mark of BETWEEN) {
    const parts = new Map(
      rows.map((row) => [row, (cells[row] ?? '').split(mark).map((part) => part.trim())]),
    );
    const count = parts.get(rows[0] ?? -1)?.length ?? 0;
    const isSame = [...parts.values()].every(
      (all) => all.length === count && all.every((part) => part !== '' && part.length <= MAX_LENGTH),
    );
    if (!isSame || count < 2 || count > MAX_OPTIONS) continue;
    const pairs = [...parts.values()].map((all) => all.map((part) => /^([^:=]+)[:=]\s*(\S.*)$/.exec(part)));
    const isNamed = pairs.every((all) => all.every((pair) => pair !== null));
    const places = Array.from({ length: count }, (_, at) =>
      rows.map((row) => {
        const part = parts.get(row)?.[at] ?? '';
        return isNamed ? part.replace(/^[^:=]+[:=]\s*/, '') : part;
      }),
    );
    const isUnclear =
      !isNamed && (haveCommon(places) || !places.some((texts) => new Set(texts).size < texts.length));
    const values = places.map((texts) =>
      rows.reduce<string[]>((all, row, n) => {
        all[row] = texts[n] ?? '';
        return all;
      }, []),
    );
    if (isUnclear || alikeVariants(products, values, String).length > 0) return undefined;
    return { candidate, options: optionRules(name, { mark, count, isNamed }) };
  }
  return undefined;
}

/** True if a text is in two of the lists. */
function haveCommon(places: readonly (readonly string[])[]): boolean {
  const sets = places.map((texts) => new Set(texts));
  return new Set(sets.flatMap((set) => [...set])).size < sets.reduce((sum, { size }) => sum + size, 0);
}

/** Rules for each part. A name with another number of parts has no options. */
function optionRules(
  column: string,
  { mark, count, isNamed }: { readonly mark: string; readonly count: number; readonly isNamed: boolean },
): SplitOption[] {
  const { joint, part } = patternsOf(mark);
  const value = isNamed ? `([^:=]+?)\\s*[:=]\\s*(${part})` : `(${part})`;
  const match = `^\\s*${Array.from({ length: count }, () => value).join(joint)}\\s*$`;
  const when = { [column]: { matches: match } };
  const group = (number: number) => ({ from: column, replace: { match, with: `$${number}` } });
  return Array.from({ length: count }, (_, at) =>
    isNamed
      ? { name: { ...group(2 * at + 1), when }, value: group(2 * at + 2), when }
      : { name: { const: `Option ${at + 1}`, when }, value: group(at + 1), when },
  );
}

/** Patterns of a mark and of the text between marks: a hyphen or a comma inside of words is part of the text. */
function patternsOf(mark: string): { readonly joint: string; readonly part: string } {
  const own = mark.trim();
  if (mark === ', ') return { joint: ',\\s+', part: '(?:[^,]|,[^ ])+?' };
  if (mark === own) return { joint: `\\s*[${own}]\\s*`, part: `[^${own}]+?` };
  return { joint: `\\s+${own}\\s+`, part: `(?:[^ ]| [^ ${own}])+?` };
}

/** Rules of the options of a product, one list for each. */
export function splitOptionLists({ options }: SplitName, each: 'row' | 'child'): RuleText {
  return options.map(({ name, value, when }) => ({
    each: 'row',
    when,
    unique: 'name',
    fields: { name, values: { each, when, unique: 'value1', fields: { value1: value } } },
  }));
}

/** Fields of a variant. */
export function splitOptionFields({ options }: SplitName): Record<string, RuleText> {
  return Object.fromEntries(
    options.flatMap(({ name, value, when }, index) => [
      [`option${index + 1}.name`, name],
      [`option${index + 1}.value1`, { ...value, when }],
    ]),
  );
}
