import type { LeftOut, MappingDraft } from '../draft.ts';
import { says } from '../names/read-name.ts';
import { wordsOfState } from '../profile/status-words.ts';
import type { ReadColumn } from '../sample.ts';
import type { Concept } from '../words/concepts.ts';

/** Concepts of columns that restrict no discount: texts about it, its numbers, and the days on which it was made or used. */
const HARMLESS: readonly (readonly Concept[])[] = [
  ...([['name'], ['title'], ['description'], ['note'], ['text'], ['html'], ['url'], ['image']] as const),
  ...([
    ['id'],
    ['number'],
    ['code'],
    ['reference'],
    ['created'],
    ['updated'],
    ['used'],
    ['currency'],
  ] as const),
  ...([
    ['type'],
    ['status'],
    ['active'],
    ['position'],
    ['language'],
    ['percent'],
    ['amount'],
    ['tag'],
  ] as const),
];

/** Concepts that make a restriction of such a column too: `product_ids`, `maximum_amount`. */
const RESTRICTING: ReadonlySet<Concept> = new Set<Concept>([
  ...([
    'product',
    'category',
    'brand',
    'customer',
    'group',
    'country',
    'region',
    'shipping',
    'payment',
  ] as const),
  ...(['minimum', 'maximum', 'limit', 'once', 'sale', 'first', 'email', 'store', 'variant', 'sku'] as const),
]);

/** Cells that restrict nothing, in lower case. */
const ANY = new Set(
  'all any everything everyone [] {} alle todos tous tutti toutes todas wszyscy всі все'.split(' '),
);

/** The columns that are left out, with those that may restrict a discount and are not read, since it would be sent without them. */
export function withUnreadRestrictions(
  columns: readonly ReadColumn[],
  draft: MappingDraft,
  leftOut: readonly LeftOut[],
): LeftOut[] {
  const used = new Set(draft.fields.flatMap(({ columns: own }) => own));
  const restricting = columns.filter((column) => !used.has(column.name) && mayRestrict(column));
  const names = new Set(restricting.map(({ name }) => name));
  const listed = new Set(leftOut.map(({ column }) => column));
  return [
    // A column that is left out for a field is named for that field.
    ...leftOut.map((each) =>
      names.has(each.column) && (each.field === undefined || each.risk !== undefined)
        ? { ...each, risk: RISK }
        : each,
    ),
    ...restricting
      .filter(({ name }) => !listed.has(name))
      .map(({ name, profile }) => ({
        column: name,
        why: 'no field is called so',
        sample: profile.filled[0] ?? '',
        risk: RISK,
      })),
  ];
}

const RISK = 'it may restrict discounts, which are then sent without it';

function mayRestrict({ reading, profile }: ReadColumn): boolean {
  const no = new Set(wordsOfState(profile.distinct, 'DRAFT'));
  const isAny = (cell: string) =>
    ANY.has(cell.toLowerCase()) || no.has(cell.toLowerCase()) || !/[^0.,]/.test(cell);
  if (profile.filled.every(isAny)) return false;
  const isOfOthers = [...RESTRICTING].some((concept) => says(reading, concept));
  const isHarmless = HARMLESS.some((all) => all.every((concept) => says(reading, concept)));
  return isOfOthers || !isHarmless;
}
