import type { ColumnCandidate } from '../../match/candidate.ts';
import { says } from '../../names/read-name.ts';
import { listOfWords } from '../../profile/lists.ts';
import { valueListMark } from '../../profile/sizes.ts';
import type { ListedParts } from '../../structure/grouping.ts';
import type { MatchesByRole } from '../by-role.ts';
import type { Notes } from '../notes.ts';
import type { RuleText } from '../rules.ts';
import { axesOf, MAX_OPTIONS, optionCandidates } from './axes.ts';

/** Adds options whose values are all in one cell (`Black,Navy`), if each row is a product. */
export function addListedOptions(notes: Notes, byRole: MatchesByRole): void {
  if (byRole('axis').length > 0) addValueLists(notes, byRole);
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
  // Attributes may only describe a product. Variations can be bought.
  if (says(value.candidate.reading, 'variant'))
    notes.add('variants', combinations(value.candidate, name?.candidate, list.by), {
      candidates: [value.candidate],
      score: value.score,
    });
}

/** Adds an option for each column that lists values in the row of a product. Which of them can be bought is not known. */
function addValueLists(notes: Notes, byRole: MatchesByRole): void {
  const axes = axesOf(byRole);
  const lists = axes.flatMap(({ name, value: column }) => {
    const candidate = byRole('axis').find((match) => match.candidate.name === column)?.candidate;
    const by = candidate && valueListMark(candidate.profile.filled);
    if (by === undefined) return [];
    const values = { each: { value: { from: column, split: by } }, fields: { value1: '{value}' } };
    return [{ each: 'row', when: column, fields: { name, values } }];
  });
  const rule = lists.length > 1 ? lists : lists[0];
  if (rule) notes.add('options', rule, { candidates: optionCandidates(byRole), score: 1 });
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

/** The options of a product that lists its variants as `sku=A-S,size=S|sku=A-M,size=M`. */
export function listedOptions(parts: ListedParts & { readonly pair: string }): RuleText {
  const expression = `(
  $pairs := $split(\`${parts.column.name}\`, ${JSON.stringify(parts.between)}).$split($, ",").$trim($)[${isOption(parts.pair)}];
  $distinct($pairs.$substringBefore($, "=")).(
    $name := $;
    { "name": $trim($name), "values": [$distinct($pairs[$substringBefore($, "=") = $name].$trim($substringAfter($, "=")))] }
  )
)`;
  return {
    each: { option: { expression, when: parts.column.name } },
    fields: {
      name: '{option.name}',
      values: { each: { value: { expression: '$option.values' } }, fields: { value1: '{value}' } },
    },
  };
}

/** The options of one variant: the pairs beside its code, in the row that lists it. `key`: the column of its code. */
export function optionsOfPart(
  { column, between, pair, options }: ListedParts & { readonly pair: string },
  key: string,
): Record<string, RuleText> {
  return Object.fromEntries(
    Array.from({ length: Math.min(options, MAX_OPTIONS) }, (_, index) => {
      const expression = `(
  $code := $trim(\`${key}\`);
  $own := $split($rows[0].\`${column.name}\`, ${JSON.stringify(between)})[$code in $split($, ",")[$not(${isOption(pair)})].$trim($substringAfter($, "="))];
  $pair := ($split($own[0], ",").$trim($)[${isOption(pair)}])[${index}];
  $pair ? { "name": $trim($substringBefore($pair, "=")), "value1": $trim($substringAfter($pair, "=")) }
)`;
      return [`option${index + 1}`, { expression }];
    }),
  );
}

/** An expression that holds for a pair that is an option, not the code. */
function isOption(pair: string): string {
  return `$trim($substringBefore($, "=")) != ${JSON.stringify(pair)}`;
}
