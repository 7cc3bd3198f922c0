import { shownWord } from '../../../model/index.ts';
import type { ColumnCandidate } from '../../match/candidate.ts';
import { isBlankCell } from '../../profile/profile.ts';
import { type GroupingGuess, type ListedParts, rowsBelow, variantRows } from '../../structure/grouping.ts';
import type { MatchesByRole } from '../by-role.ts';
import type { Notes } from '../notes.ts';
import type { PriceRule } from '../prices/amounts.ts';
import { priceRules } from '../prices/prices.ts';
import { weightEntries } from '../products/measures.ts';
import { stockRule } from '../products/stock.ts';
import { type RuleText, textRule } from '../rules.ts';
import { areAlike } from './alike-rows.ts';
import { type Axis, axesOf, optionCandidates } from './axes.ts';
import { addListedOptions, listedOptions, optionsOfPart } from './listed-options.ts';
import type { SettledOptions } from './settle-options.ts';
import { splitOptionFields, splitOptionLists } from './split-names.ts';

/** Adds variants, and the options by which they differ. If each row is a product, it has options only. */
export function addVariants(
  notes: Notes,
  byRole: MatchesByRole,
  {
    columns,
    grouping,
    settled: { doubt, split, ownNames },
  }: {
    readonly columns: readonly ColumnCandidate[];
    readonly grouping: GroupingGuess;
    readonly settled: Pick<SettledOptions, 'doubt' | 'split' | 'ownNames'>;
  },
): void {
  if (grouping.kind === 'rows') {
    addListedOptions(notes, byRole);
    return;
  }
  if (grouping.kind === 'key' && grouping.hasValuesBelow) {
    for (const candidate of optionCandidates(byRole))
      notes.leave(candidate, 'its rows have no code, price or stock, so they are no variants');
    return;
  }
  if (grouping.kind === 'parts' && grouping.parts.pair !== undefined && canBeNamed(grouping)) {
    addListedVariants(notes, byRole, { grouping, parts: { ...grouping.parts, pair: grouping.parts.pair } });
    return;
  }
  const axes = axesOf(byRole);
  const isListed = grouping.kind === 'parts' && axes.length === 0;
  const names = byRole('variantName').filter(({ candidate }) => !isOfParts(candidate, grouping));
  const [name] = isListed ? [...names, ...byRole('name')] : names;
  const [sku] = [...byRole('sku'), ...byRole('code')];
  const values = axes.map(({ value }) => value);
  const each = variantRows(grouping);
  const options = split ? splitOptionLists(split, each) : optionLists(byRole, axes, { each, ownNames });
  if (split) notes.add('options', options, { candidates: [split.candidate], score: 1 });
  else if (options) notes.add('options', options, { candidates: optionCandidates(byRole), score: 1, doubt });
  if (axes.length === 0 && !name && !sku) return;
  if (axes.length === 0 && !isListed && areAlike(byRole, grouping)) {
    const [figure] = ['price', 'regular', 'sale', 'net', 'stock'].flatMap(byRole);
    const why = 'the rows of a product have no option and no code of their own, so only the first is used';
    if (figure) notes.leave(figure.candidate, why, 'variants');
    return;
  }
  const isKey = sku && grouping.kind === 'key' && sku.candidate.name === grouping.key.name;
  const own = {
    ...(sku && !isKey ? { reference: textRule(sku.candidate) } : {}),
    ...ownFields(byRole, grouping),
  };
  const listOf = (some: readonly Axis[], when: RuleText | undefined) => ({
    each,
    ...(when ? { when } : {}),
    fields: {
      ...variantName(name?.candidate, some),
      ...(split ? splitOptionFields(split) : optionsOf(some, ownNames)),
      ...own,
    },
  });
  // Products of one file may differ in other options: a row without the first is a variant by the next.
  const firsts = axes.flatMap((_, first) => (first === 0 || begins(axes, first, columns) ? [first] : []));
  const used =
    axes.length === 0
      ? [listOf([], variantCondition(name?.candidate, isKey ? undefined : sku?.candidate))]
      : firsts.map((first) => listOf(axes.slice(first), filledFrom(values, first, byRole)));
  if (isListed) addListedType(notes, grouping.parts);
  if (split) notes.add('type', typeRule([split.candidate.name]), { candidates: [], score: 1 });
  if (axes.length > 0)
    notes.add('type', typeRule(firsts.map((first) => hasOption(byRole, axes[first]?.value ?? ''))), {
      candidates: [],
      score: 1,
    });
  notes.add('variants', used.length === 1 ? used[0] : used, {
    candidates: [...(name ? [name.candidate] : []), ...(sku && !isKey ? [sku.candidate] : [])],
    score: sku?.score ?? name?.score ?? 1,
    doubt:
      axes.length === 0 && !name && !split && sku
        ? `no column says in which option they differ, so only ${shownWord(sku.candidate.name)} tells them apart`
        : undefined,
  });
}

/** True for the column that lists the variants. */
function isOfParts({ name }: ColumnCandidate, grouping: GroupingGuess): boolean {
  return grouping.kind === 'parts' && grouping.parts.column.name === name;
}

/** True if an expression can name the columns. */
function canBeNamed({ name, parts }: Extract<GroupingGuess, { kind: 'parts' }>): boolean {
  return !name.name.includes('`') && !parts.column.name.includes('`');
}

/** Adds variants whose options are in the row that lists them. */
function addListedVariants(
  notes: Notes,
  byRole: MatchesByRole,
  {
    grouping,
    parts,
  }: {
    readonly grouping: Extract<GroupingGuess, { kind: 'parts' }>;
    readonly parts: ListedParts & { readonly pair: string };
  },
): void {
  const { name } = grouping;
  const [own] = byRole('variantName').filter(({ candidate }) => !isOfParts(candidate, grouping));
  const fields = {
    ...variantName(own?.candidate ?? byRole('name')[0]?.candidate, []),
    reference: textRule(name),
    ...optionsOfPart(parts, name.name),
    ...ownFields(byRole, grouping),
  };
  const score = 1;
  addListedType(notes, parts);
  notes.add('options', listedOptions(parts), { candidates: [parts.column], score });
  notes.add('variants', { each: 'child', fields }, { candidates: [parts.column], score });
}

/** A product that lists variants is variable. */
function addListedType(notes: Notes, { column }: ListedParts): void {
  const rule = { const: 'variable', when: column.name, else: 'simple' };
  notes.add('type', rule, { candidates: [], score: 1 });
}

/** A product with a value of an option is variable. */
export function typeRule(conditions: readonly RuleText[]): RuleText {
  const [only, ...others] = conditions;
  if (only !== undefined && others.length === 0) return { const: 'variable', when: only, else: 'simple' };
  return [...conditions.map((when) => ({ const: 'variable', when })), { const: 'simple' }];
}

/** Holds for rows with a value of the option in this column. */
function hasOption(byRole: MatchesByRole, column: string): RuleText {
  const [value] = byRole('optionValue');
  const own = value?.candidate.numbers
    ? { ...value.candidate, name: column }
    : optionCandidates(byRole).find(({ name }) => name === column);
  return own ? optionCondition(own) : column;
}

function variantName(name: ColumnCandidate | undefined, axes: readonly Axis[]): Record<string, RuleText> {
  if (name) return { name: name.name };
  return axes.length === 0 ? {} : { name: { from: axes.map(({ value }) => value), join: ' - ' } };
}

function optionsOf(axes: readonly Axis[], ownNames: readonly string[]): Record<string, RuleText> {
  return Object.fromEntries(
    axes.flatMap(({ name: option, value }, index) => [
      [
        `option${index + 1}.name`,
        typeof option === 'string'
          ? { from: option, ...(ownNames.includes(option) ? {} : { across: 'first' }), when: value }
          : { ...option, when: value },
      ],
      [`option${index + 1}.value1`, value],
    ]),
  );
}

/** Holds for rows whose first filled option is this one. */
function filledFrom(values: readonly string[], first: number, byRole: MatchesByRole): RuleText {
  const [value = '', before] = [values[first], values.slice(0, first)];
  return before.length === 0
    ? hasOption(byRole, value)
    : { ...Object.fromEntries(before.map((each) => [each, ''])), [value]: { empty: false } };
}

/** True if this option is the first that a row of the sample has. */
function begins(axes: readonly Axis[], first: number, columns: readonly ColumnCandidate[]): boolean {
  const cellsOf = ({ value }: Axis) => columns.find(({ name }) => name === value)?.cells ?? [];
  const before = axes.slice(0, first).map(cellsOf);
  const own = axes.slice(first, first + 1).flatMap(cellsOf);
  return own.some(
    (cell, row) => !isBlankCell(cell) && before.every((cells) => isBlankCell(cells[row] ?? '')),
  );
}

/** The column that a row fills if it is a variant without options: the name, or else the code. */
function variantCondition(
  name: ColumnCandidate | undefined,
  sku: ColumnCandidate | undefined,
): string | undefined {
  return name?.name ?? sku?.name;
}

/** One list over a family of numbered columns, else one list for each option. */
function optionLists(
  byRole: MatchesByRole,
  axes: readonly Axis[],
  { each, ownNames }: { readonly each: 'row' | 'child'; readonly ownNames: readonly string[] },
): RuleText | undefined {
  const [value] = byRole('optionValue');
  const [name] = byRole('optionName');
  if (value?.candidate.numbers) {
    const { name: column, numbers } = value.candidate;
    const when = optionCondition(value.candidate);
    return {
      each: { n: numbers.map(Number) },
      when,
      fields: {
        name: name?.candidate.numbers
          ? { from: name.candidate.name, default: 'Option {n}' }
          : { const: 'Option {n}' },
        values: { each, when, unique: 'value1', fields: { value1: column } },
      },
    };
  }
  if (axes.length === 0) return undefined;
  const lists = axes.map(({ name: option, value: column }) => ({
    // Each name of a product with several has its own values.
    ...(each === 'row' && typeof option === 'string' && ownNames.includes(option)
      ? { each: { by: [option] } }
      : { each: 'row' }),
    when: column,
    unique: 'name',
    fields: {
      name: option,
      values: { each, when: column, unique: 'value1', fields: { value1: column } },
    },
  }));
  return lists.length === 1 ? lists[0] : lists;
}

/** The words with which platforms say that a product has no options. */
export const NO_OPTION = ['Default Title', 'Default'];

/** Holds for a value, but not for the words that say there is none. */
export function optionCondition({ name, profile }: ColumnCandidate): RuleText {
  const none = [...profile.distinct].filter((text) =>
    NO_OPTION.some((word) => word.toLowerCase() === text.toLowerCase()),
  );
  return none.length === 0 ? name : { [name]: { 'is-not': [...none, ''] } };
}

function ownFields(byRole: MatchesByRole, grouping: GroupingGuess): Record<string, unknown> {
  const rows = priceRules(byRole, { kind: 'rows' }).map((price) =>
    hasPriceOfLead(price, grouping)
      ? { ...price, rule: [price.rule].flat().map((each) => ({ ...(each as object), across: 'lead' })) }
      : price,
  );
  const [weight] = byRole('weight');
  const entries = [
    ...rows.map(({ field, rule }) => [field, rule] as const),
    ['quantity.instock', stockRule(byRole, 'row').rule] as const,
    ...(weight ? weightEntries(weight.candidate, byRole('weightUnit')[0]?.candidate) : []),
  ];
  return Object.fromEntries(entries.filter(([, rule]) => rule !== undefined));
}

/** True if rows without the key are part of the row above. */
function isContinued(grouping: GroupingGuess): boolean {
  return grouping.kind === 'key' && grouping.continues;
}

/** True if the rows of variants have no price, and the row of the product one: it is the price of each variant. */
function hasPriceOfLead({ field, rule, matches }: PriceRule, grouping: GroupingGuess): boolean {
  const [only, ...others] = matches;
  if (field !== 'price.salePrice' || rule === undefined || !only || others.length > 0) return false;
  const below = variantRows(grouping) === 'child' || isContinued(grouping) ? rowsBelow(grouping) : [];
  return below.length > 0 && below.every((row) => isBlankCell(only.candidate.cells?.[row] ?? ''));
}
