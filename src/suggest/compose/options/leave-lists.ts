import type { RoleMatch } from '../../match/candidate.ts';
import { says } from '../../names/read-name.ts';
import { areFigureLists, areSizeNames, valueListMark } from '../../profile/sizes.ts';
import type { ReadColumn } from '../../sample.ts';
import type { Notes } from '../notes.ts';

/** Fewer columns may be called like sizes by chance. */
const MIN_SIZES = 3;
const SEVERAL = /[|;/,\n]/;

/**
 * Names columns whose cells hold several variants, and that no rule can read for certain: lists with a figure for each value, a column for
 * each size, and lists of values that may all be of one product.
 */
export function leaveLists(
  notes: Notes,
  { columns, matches }: { readonly columns: readonly ReadColumn[]; readonly matches: readonly RoleMatch[] },
): void {
  const read = new Set(matches.flatMap(({ candidate }) => candidate.positions));
  const free = columns.filter(
    ({ positions, profile }) => profile.filled.length > 0 && !positions.some((each) => read.has(each)),
  );
  const sizes = free.filter(({ name, profile }) => areSizeNames([name]) && profile.share('number') > 0.9);
  const isMatrix = sizes.length >= MIN_SIZES && areSizeNames(sizes.map(({ name }) => name));
  for (const column of free) {
    const { filled } = column.profile;
    if (areFigureLists(filled))
      notes.leave(
        column,
        'its cells list several values with a figure for each, so they are of several variants',
        'variants',
      );
    else if (isMatrix && sizes.includes(column))
      notes.leave(
        column,
        'its name is a size, so its cells may be the stock or the price of one variant',
        'variants',
      );
    else if (isOption(column) && filled.filter((cell) => SEVERAL.test(cell)).length > 0.5 * filled.length)
      notes.leave(column, 'its cells list several values, which may all be of one product', 'options');
  }
}

function isOption({ reading }: ReadColumn): boolean {
  return (['option', 'color', 'size', 'material'] as const).some((concept) => says(reading, concept));
}

/** True if the cells of an option list its values: `S|M|L` in a column of sizes. A list of colours may be of one product. */
export function listsValues({ role, candidate: { reading, profile } }: RoleMatch): boolean {
  return (
    role === 'axis' &&
    says(reading, 'size') &&
    !says(reading, 'unit') &&
    valueListMark(profile.filled) !== undefined
  );
}
