import type { ColumnCandidate } from '../match/candidate.ts';
import { says } from '../names/read-name.ts';
import { listOfWords } from '../profile/lists.ts';
import { type GroupingGuess, variantRows } from '../structure/grouping.ts';
import type { MatchesByRole } from './by-role.ts';
import type { Notes } from './notes.ts';
import { priceRules } from './prices.ts';
import { measureRule, numberRule, type RuleText, textRule } from './rules.ts';

/** An option of products. */
interface Axis {
  /** Column of its name, or the same name for all. */
  readonly name: string | { readonly const: string };
  /** Column of its value. */
  readonly value: string;
}

/** Adds variants, and the options by which they differ. If each row is a product, it has options only. */
export function addVariants(notes: Notes, byRole: MatchesByRole, grouping: GroupingGuess): void {
  if (grouping.kind === 'rows') {
    addListedOptions(notes, byRole);
    return;
  }
  const axes = axesOf(byRole);
  const [name] = byRole('variantName');
  const [sku] = [...byRole('sku'), ...byRole('code')];
  const values = axes.map(({ value }) => value);
  const each = variantRows(grouping);
  const options = optionLists(byRole, axes, each);
  if (options) notes.add('options', options, { candidates: optionCandidates(byRole), score: 1 });
  if (axes.length === 0 && !name && !sku) return;
  const isKey = sku && grouping.kind === 'key' && sku.candidate.name === grouping.key.name;
  const fields = {
    ...(name
      ? { name: name.candidate.name }
      : axes.length > 0
        ? { name: { from: values, join: ' - ' } }
        : {}),
    ...(sku && !isKey ? { reference: textRule(sku.candidate) } : {}),
    ...Object.fromEntries(
      axes.flatMap(({ name: option, value }, index) => [
        [
          `option${index + 1}.name`,
          typeof option === 'string'
            ? { from: option, across: 'first', when: value }
            : { ...option, when: value },
        ],
        [`option${index + 1}.value1`, value],
      ]),
    ),
    ...ownFields(byRole),
  };
  const when = variantCondition(values, name?.candidate, isKey ? undefined : sku?.candidate);
  notes.add(
    'variants',
    { each, ...(when ? { when } : {}), fields },
    {
      candidates: [...(name ? [name.candidate] : []), ...(sku && !isKey ? [sku.candidate] : [])],
      score: sku?.score ?? name?.score ?? 1,
    },
  );
}

/** The column that a row fills if it is a variant: the first option; without options the name, or else the code. */
function variantCondition(
  [value]: readonly string[],
  name: ColumnCandidate | undefined,
  sku: ColumnCandidate | undefined,
): string | undefined {
  return value ?? name?.name ?? sku?.name;
}

/** Adds options whose values are all in one cell (`Black,Navy`), if each row is a product. */
function addListedOptions(notes: Notes, byRole: MatchesByRole): void {
  const [value] = byRole('optionValue');
  const [name] = byRole('optionName');
  const list = value && listOfWords(value.candidate.profile.filled);
  if (!value?.candidate.numbers || !list || 'json' in list) return;
  const { name: column, numbers } = value.candidate;
  const rule = {
    each: { n: numbers.map(Number) },
    when: column,
    fields: {
      name: name?.candidate.numbers
        ? { from: name.candidate.name, default: 'Option {n}' }
        : { const: 'Option {n}' },
      values: { each: { value: { from: column, split: list.by } }, fields: { value1: '{value}' } },
    },
  };
  notes.add('options', rule, { candidates: optionCandidates(byRole), score: value.score });
  // Lists of attributes may only describe; those of variations are what one can buy.
  if (says(value.candidate.reading, 'variant'))
    notes.add('variants', combinations(value.candidate, name?.candidate, list.by), {
      candidates: [value.candidate],
      score: value.score,
    });
}

/** A variant for each combination of the values in numbered columns. */
function combinations(values: ColumnCandidate, names: ColumnCandidate | undefined, by: string): RuleText {
  const numbers = values.numbers ?? [];
  const column = ({ name }: ColumnCandidate, number: string) => name.replace('{n}', number);
  const parts = numbers.map(
    (number) => [`option${number}`, { from: column(values, number), split: by }] as const,
  );
  const options = numbers.flatMap((number, index) => [
    ...(names?.numbers?.includes(number)
      ? [
          [
            `option${index + 1}.name`,
            { from: column(names, number), when: { [`{option${number}}`]: { empty: false } } },
          ] as const,
        ]
      : []),
    [`option${index + 1}.value1`, `{option${number}}`] as const,
  ]);
  return {
    each: Object.fromEntries(parts),
    fields: {
      name: { from: numbers.map((number) => `{option${number}}`), join: ' - ' },
      ...Object.fromEntries(options),
    },
  };
}

/** One list over a family of numbered columns, else one list for each option. */
function optionLists(
  byRole: MatchesByRole,
  axes: readonly Axis[],
  each: 'row' | 'child',
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
    each: 'row',
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
const NO_OPTION = /^default( title)?$/i;

function optionCondition({ name, profile }: ColumnCandidate): RuleText {
  const none = [...profile.distinct].filter((text) => NO_OPTION.test(text));
  return none.length === 0 ? name : { [name]: { 'is-not': [...none, ''] } };
}

function ownFields(byRole: MatchesByRole): Record<string, unknown> {
  const rows = priceRules(byRole, { kind: 'rows' });
  const [stock] = byRole('stock');
  const [weight] = byRole('weight');
  const entries = [
    ...rows.map(({ field, rule }) => [field, rule] as const),
    ...(stock ? [['quantity.instock', numberRule(stock.candidate)] as const] : []),
    ...(weight ? [['sizes.weight.value', measureRule(weight.candidate)] as const] : []),
  ];
  return Object.fromEntries(entries.filter(([, rule]) => rule !== undefined));
}

function optionCandidates(byRole: MatchesByRole): ColumnCandidate[] {
  return ['optionName', 'optionValue', 'axis'].flatMap((role) =>
    byRole(role).map(({ candidate }) => candidate),
  );
}

function axesOf(byRole: MatchesByRole): Axis[] {
  const [value] = byRole('optionValue');
  const [name] = byRole('optionName');
  if (value) {
    const numbers = value.candidate.numbers ?? [''];
    return numbers.map((number) => {
      const column = value.candidate.name.replace('{n}', number);
      const label = name?.candidate.name.replace('{n}', number);
      return {
        name: label === undefined ? { const: `Option ${number || 1}` } : label,
        value: column,
      };
    });
  }
  return byRole('axis').map(({ candidate }) => ({
    name: { const: titleCase(candidate.name) },
    value: candidate.name,
  }));
}

function titleCase(name: string): string {
  const words = name.replace(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
