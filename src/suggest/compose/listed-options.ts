import type { ListedParts } from '../structure/grouping.ts';
import type { RuleText } from './rules.ts';

/** The store has three options at most. */
const MAX_OPTIONS = 3;

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
