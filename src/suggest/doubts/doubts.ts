import type { DraftField, LeftOut } from '../draft.ts';
import type { RoleMatch } from '../match/candidate.ts';
import { differsIn, groupRows } from '../structure/grouping.ts';

/** Says that products have the same name and differ in an option: nothing else shows that they are variants of one. */
export function sharedNames(
  matches: readonly RoleMatch[],
  options: readonly RoleMatch[],
  cellsOf: (match: RoleMatch) => readonly string[],
): string | undefined {
  const name = matches.find(({ role }) => role === 'name');
  if (!name) return undefined;
  const groups = groupRows(cellsOf(name));
  groups.delete('');
  for (const option of options) {
    const differing = [...groups.values()].filter((rows) => differsIn([rows], cellsOf(option)));
    const count = differing.reduce((sum, { length }) => sum + length, 0);
    if (count > 0)
      return `${count} records share their name with another and differ in ${option.candidate.name}; if they are variants of one product, add group: { by: ${name.candidate.name} }`;
  }
  return undefined;
}

/** Roles of columns that lists of categories, brands or pages do not have. */
const OF_PRODUCTS: ReadonlySet<string> = new Set(
  'sku code barcode price sale regular old cost net stock available'.split(' '),
);
/** Fields of the same kind, also if their column was left out. */
const PRODUCT_FIELD = /^(price|quantity|variants|sizes)\b/;

/** Says that nothing shows that the rows are products: names, descriptions and slugs have categories and brands too. */
export function noProducts(
  fields: readonly DraftField[],
  leftOut: readonly LeftOut[],
  found: readonly RoleMatch[],
): string | undefined {
  const named = [...fields, ...leftOut].some(({ field }) => field !== undefined && PRODUCT_FIELD.test(field));
  return named || found.some(({ role }) => OF_PRODUCTS.has(role))
    ? undefined
    : 'no column is a price, a stock or an article number, so the rows may be categories or brands and not products';
}
