import type { ColumnCandidate, RoleMatch } from '../../match/candidate.ts';
import type { Dictionary } from '../../names/dictionary.ts';
import { readName, says } from '../../names/read-name.ts';
import type { ObjectList } from '../../objects.ts';
import { type ReadColumn, readSampleColumns } from '../../sample.ts';
import { differsIn } from '../../structure/grouping.ts';
import { areFewAlike, missingOptions } from '../../structure/telling-apart.ts';
import type { MatchesByRole } from '../by-role.ts';
import type { RuleText } from '../rules.ts';
import { MAX_OPTIONS, titleCase } from './axes.ts';
import { optionCondition } from './variants.ts';

/** An option in the objects of variants. */
export interface ListedOption {
  /** Its name, as a rule inside of an item. */
  readonly name: RuleText;
  /** The field with its value. */
  readonly value: string;
  /** The words for all products, if the field is called as the option is. */
  readonly title: string | undefined;
  readonly candidates: readonly ColumnCandidate[];
}

export interface FoundOptions {
  readonly options: readonly ListedOption[];
  /** Rule of the options of the product; undefined if another list has them. */
  readonly rule: RuleText | undefined;
  readonly doubt: string | undefined;
  readonly left: readonly { readonly candidate: ColumnCandidate; readonly why: string }[];
}

interface VariantList {
  readonly list: ObjectList;
  readonly columns: readonly ReadColumn[];
  readonly matches: readonly RoleMatch[];
  readonly byRole: MatchesByRole;
  /** Path of the product's list of options, such as `options`; undefined if there is none. */
  readonly optionList: string | undefined;
  readonly dictionary: Dictionary;
}

/** Finds the options of variants in a list of objects: fields such as `size`, numbered ones such as `option1`, or lists of pairs. */
export function optionsOfObjects(variants: VariantList): FoundOptions {
  const numbered = numberedOptions(variants);
  if (numbered.length > 0)
    return { options: numbered, rule: optionRule(numbered, variants.list.path), doubt: undefined, left: [] };
  const pairs = pairedOptions(variants);
  if (pairs) return pairs;
  return namedOptions(variants);
}

/** `option1` has a value of the first option that the product lists; without such a list nobody knows its name. */
function numberedOptions({ columns, optionList }: VariantList): ListedOption[] {
  const isNumbered = ({ reading, profile }: ReadColumn) =>
    says(reading, 'option') &&
    reading.terms.every((term) =>
      ['option', 'value', 'variant'].some((each) => term.some((concept) => concept === each)),
    ) &&
    reading.unknown.length === 0 &&
    reading.numbers.length === 1 &&
    (reading.numbers[0] ?? 0) >= 1 &&
    profile.filled.length > 0;
  const found = columns
    .filter(isNumbered)
    .sort((a, b) => (a.reading.numbers[0] ?? 0) - (b.reading.numbers[0] ?? 0));
  return found.slice(0, MAX_OPTIONS).map((column) => {
    const [number = 1] = column.reading.numbers;
    const own = { value: column.name, candidates: [column] };
    return optionList === undefined
      ? { ...own, ...titled(`Option ${number}`, column.name) }
      : { ...own, name: { from: `$.${optionList}.${number - 1}.name`, when: column.name }, title: undefined };
  });
}

/** A name that is the same for all products. */
function titled(title: string, value: string) {
  return { name: { const: title, when: value }, title };
}

/** Each item lists pairs: `options: [{ name: Size, value: S }]`. */
function pairedOptions({ list, dictionary, optionList }: VariantList): FoundOptions | undefined {
  for (const inner of list.lists) {
    const last = readName(lastName(inner.path), dictionary);
    if (!says(last, 'option')) continue;
    const columns = readSampleColumns(inner.columns, dictionary);
    const name = columns.find(({ reading }) => says(reading, 'name') || says(reading, 'title'));
    const value = columns.find(
      (column) => column !== name && (says(column.reading, 'value') || says(column.reading, 'option')),
    );
    const most = Math.max(0, ...inner.records.map(({ length }) => length));
    if (!name || !value || most > MAX_OPTIONS) continue;
    const path = list.path.split('.').map(quoted).join('.');
    const pairs = `${path}.${inner.path.split('.').map(quoted).join('.')}`;
    const expression = `(
  $pairs := ${pairs};
  $distinct($pairs.${quoted(name.name)}).(
    $name := $;
    { "name": $name, "values": [$distinct($pairs[${quoted(name.name)} = $name].${quoted(value.name)})] }
  )
)`;
    return {
      options: Array.from({ length: most }, (_, index) => ({
        name: `${inner.path}.${index}.${name.name}`,
        value: `${inner.path}.${index}.${value.name}`,
        title: undefined,
        candidates: [],
      })),
      rule:
        optionList === undefined
          ? {
              each: { option: { expression } },
              fields: {
                name: '{option.name}',
                values: { each: { value: { expression: '$option.values' } }, fields: { value1: '{value}' } },
              },
            }
          : undefined,
      doubt: undefined,
      left: [],
    };
  }
  return undefined;
}

function quoted(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``;
}

/** Fields that are called as the option is, such as `size`, and the one without which variants are equal. */
function namedOptions({ list, columns, matches, byRole, optionList }: VariantList): FoundOptions {
  const own = byRole('axis').filter(({ candidate }) => differsIn(list.records, candidate.cells ?? []));
  const none = { options: [], rule: undefined, doubt: undefined, left: [] };
  // The names of a list of options beside them may be others.
  if (optionList !== undefined) return none;
  const codes = ['sku', 'code', 'barcode'].flatMap(byRole);
  const codeOf = (item: number) =>
    codes.map(({ candidate }) => (candidate.cells?.[item] ?? '').trim()).find((code) => code !== '') ?? '';
  const cells = own.map(({ candidate }) => candidate.cells ?? []);
  const used = new Set(matches.flatMap(({ candidate }) => candidate.positions));
  const { found, possible } = areFewAlike(list.records, cells, codeOf)
    ? { found: [], possible: [] }
    : missingOptions(list.records, cells, {
        codeOf,
        columns: columns.filter(({ positions }) => !positions.some((each) => used.has(each))),
        most: MAX_OPTIONS - own.length,
      });
  const candidates = [...own.map(({ candidate }) => candidate), ...found].slice(0, MAX_OPTIONS);
  if (found.length === 0 && !areFewAlike(list.records, cells, codeOf) && own.length > 0) {
    const others = possible.map(({ name }) => name).slice(0, MAX_OPTIONS);
    const perhaps = others.length === 0 ? '' : `, perhaps ${others.join(' or ')}`;
    const why = `variants of one product have the same value in it and different codes, so another option is missing${perhaps}`;
    return { ...none, left: own.map(({ candidate }) => ({ candidate, why })) };
  }
  const options = candidates.map((candidate) => ({
    ...titled(titleCase(lastName(candidate.name)), candidate.name),
    value: candidate.name,
    candidates: [candidate],
  }));
  return {
    options,
    rule: optionRule(options, list.path),
    doubt:
      found.length === 0
        ? undefined
        : `${found.map(({ name }) => name).join(' and ')} ${found.length === 1 ? 'is' : 'are'} used, since nothing else distinguishes the variants of one product`,
    left: [],
  };
}

/** Lists the values of options with known names; undefined if there are none. */
function optionRule(options: readonly ListedOption[], path: string): RuleText | undefined {
  const rules = options.flatMap(({ title, value, candidates: [candidate] }) =>
    title === undefined || !candidate
      ? []
      : [
          {
            each: 'row',
            needs: 'values',
            fields: {
              name: { const: title },
              values: {
                each: { in: path },
                when: optionCondition(candidate),
                unique: 'value1',
                fields: { value1: value },
              },
            },
          },
        ],
  );
  return rules.length > 1 ? rules : rules[0];
}

/** The last name of a path: `size` of `attributes.size`. */
function lastName(path: string): string {
  return path.split('.').at(-1) ?? path;
}
