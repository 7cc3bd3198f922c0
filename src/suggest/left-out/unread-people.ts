import type { LeftOut, MappingDraft } from '../draft.ts';
import { hasWholeNames, isAddress } from '../match/fits.ts';
import type { Dictionary } from '../names/dictionary.ts';
import { says } from '../names/read-name.ts';
import type { ObjectList } from '../objects.ts';
import { type ReadColumn, readSampleColumns } from '../sample.ts';

/** A part of a person that records should not lack. */
interface Wanted {
  /** Paths of its fields: one of them is enough. */
  readonly fields: readonly string[];
  readonly what: string;
  /** True for a column that may have it. */
  readonly isLike: (column: ReadColumn) => boolean;
}

const isName = (column: ReadColumn) =>
  hasWholeNames(column) && column.profile.share('text') >= 0.9 && !/\d/.test(column.profile.filled.join(''));
const isStreet = (column: ReadColumn) => isAddress(column);
const isPhone = ({ profile }: ReadColumn) =>
  profile.share('phone') >= 0.9 && profile.filled.some((cell) => /^[+(]|\d[ /-]\d/.test(cell));

const ofAddress = (field: string) => ({ fields: [field], what: 'an address', isLike: isStreet });

const WANTED: Readonly<Record<string, readonly Wanted[]>> = {
  orders: [
    { fields: ['customer.firstname', 'customer.lastname'], what: "a customer's name", isLike: isName },
    ofAddress('shipping.address.address1'),
  ],
  customers: [ofAddress('address.address1'), { fields: ['phone'], what: 'a phone number', isLike: isPhone }],
  suppliers: [{ fields: ['phone'], what: 'a phone number', isLike: isPhone }],
};

interface PeopleSample {
  readonly columns: readonly ReadColumn[];
  readonly lists: readonly ObjectList[];
  readonly dictionary: Dictionary;
}

/**
 * The columns that are left out, with those whose cells look like a name, an address or a phone number that no field has. A column
 * about products has other things.
 */
export function withUnreadPeople(
  resource: string,
  { columns, lists, dictionary }: PeopleSample,
  draft: MappingDraft,
  leftOut: readonly LeftOut[],
): LeftOut[] {
  const has = (field: string) => [...draft.fields, ...leftOut].some((each) => each.field === field);
  const known = new Set([
    ...draft.fields.flatMap(({ columns: own }) => own),
    ...leftOut.map(({ column }) => column),
  ]);
  const open = (WANTED[resource] ?? []).filter(({ fields }) => !fields.some(has));
  const found = open.flatMap(({ what, isLike }) =>
    columns
      .filter((column) => !known.has(column.name) && mayBeOfPerson(column) && isLike(column))
      .map(({ name, profile }) => left(name, profile.filled[0] ?? '', what)),
  );
  const ofLists = open.flatMap(({ what, isLike }) =>
    lists
      .filter((list) => readSampleColumns(list.columns, dictionary).some((column) => isLike(column)))
      .map(({ path }) => left(path, '', what, 'its items are not read')),
  );
  return [...leftOut, ...found, ...ofLists];
}

function left(column: string, sample: string, what: string, why = 'no field is called so'): LeftOut {
  return { column, why, sample, risk: `it may have ${what}, which no field has` };
}

function mayBeOfPerson({ reading, profile }: ReadColumn): boolean {
  const isOther = OF_OTHERS.some((concept) => says(reading, concept));
  return !isOther && profile.filled.length > 0 && profile.distinctRate > 0.5;
}

const OF_OTHERS = [
  'product',
  'line',
  'variant',
  'note',
  'description',
  'payment',
  'date',
  'shipping',
  'category',
] as const;
