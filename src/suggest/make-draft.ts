import { composeDiscounts } from './compose/discounts/discounts.ts';
import { listsValues } from './compose/options/leave-lists.ts';
import { composeOrders } from './compose/orders/orders.ts';
import { composeCustomers, composeSuppliers } from './compose/people/people.ts';
import { withOneCurrency } from './compose/prices/currency-column.ts';
import { offerPrices } from './compose/prices/price-offer.ts';
import { offerName } from './compose/products/name-offer.ts';
import { addObjectLists } from './compose/products/object-lists.ts';
import { composeProducts } from './compose/products/products.ts';
import { offerStock } from './compose/products/stock-offer.ts';
import { noProducts, sharedNames } from './doubts/doubts.ts';
import type { DraftField, LeftOut, MappingDraft } from './draft.ts';
import { FEW } from './evidence.ts';
import { secondChoices } from './left-out/left-out.ts';
import { withUnreadPeople } from './left-out/unread-people.ts';
import { withUnreadRestrictions } from './left-out/unread-restrictions.ts';
import { withUnreadStates } from './left-out/unread-states.ts';
import {
  type ColumnCandidate,
  LIKELY,
  matchRoles,
  misfits,
  type Role,
  type RoleMatch,
} from './match/candidate.ts';
import type { Dictionary } from './names/dictionary.ts';
import { says } from './names/read-name.ts';
import type { ObjectList } from './objects.ts';
import type { StructureAnswers } from './questions.ts';
import { DISCOUNT_ROLES } from './roles/discounts.ts';
import { ORDER_ROLES } from './roles/orders.ts';
import { CUSTOMER_ROLES, SUPPLIER_ROLES } from './roles/people.ts';
import { PRODUCT_ROLES } from './roles/products.ts';
import type { ReadColumn } from './sample.ts';
import { differsIn, type GroupingGuess } from './structure/grouping.ts';

/** The rows of a sample with their columns read. */
export interface Sampled {
  readonly columns: readonly ReadColumn[];
  readonly families: readonly ColumnCandidate[];
  readonly grouping: GroupingGuess;
  readonly records: readonly (readonly number[])[];
  readonly lists: readonly ObjectList[];
  readonly dictionary: Dictionary;
  readonly answers: StructureAnswers;
  readonly canCarry: (column: string) => boolean;
}

/** Makes the draft of a resource: matches columns with roles, and composes rules of them. */
export function makeDraft(resource: string, sampled: Sampled): MappingDraft {
  const { roles, compose, hasName } = RESOURCES[resource] ?? PRODUCTS;
  const { columns, families, grouping, records, lists } = sampled;
  const found = matchRoles(resource === 'products' ? [...columns, ...families] : columns, roles);
  const cellsOf = ({ candidate }: RoleMatch) => columns[candidate.positions[0] ?? -1]?.cells ?? [];
  const isPair = ({ role, candidate }: RoleMatch) => role === 'optionValue' && !candidate.numbers;
  const isOption =
    found.filter(isPair).length > 1
      ? (match: RoleMatch) => isAxis(match) || isLabel(match) || isPair(match)
      : (match: RoleMatch) => isAxis(match) || isLabel(match);
  // If each row is a product, only lists of values can be options.
  const isUsable = (match: RoleMatch) =>
    grouping.kind === 'rows' ? listsValues(match) : differsIn(records, cellsOf(match));
  const matches = found.filter((match) => !isOption(match) || isUsable(match));
  const likely = matches.filter(({ score }) => score >= LIKELY);
  const given = { ...sampled, grouping: withValuesBelow(sampled, likely, cellsOf) };
  const draft = withOneCurrency(compose(likely, given), sampled);
  const summed = draft.fields.find(({ field }) => field === 'quantity.instock')?.columns ?? [];
  const unlikely = matches.filter(
    ({ score, candidate }) => score < LIKELY && !summed.includes(candidate.name),
  );
  const leftOut = unlikely.map((match) =>
    unlikelyColumn(match, draft, compose([...likely, { ...match, score: LIKELY }], given)),
  );
  const unfit = misfits(columns, roles, found).map((match) => {
    const { field, ...column } = unlikelyColumn(match, draft, compose([...likely, match], given));
    const isZero = match.candidate.profile.filled.every((cell) => /^[0.,\s]+$/.test(cell));
    const why = isZero ? 'all of its cells are zero' : 'its cells do not fit its name';
    return { ...column, field, why, rule: undefined, score: undefined };
  });
  const rest = [...draft.leftOut, ...leftOut, ...unfit, ...secondChoices(columns, roles, found, draft)];
  const offer = hasName && !has(draft, rest, 'name') ? offerName(columns, records) : undefined;
  const lacks = (field: string) => resource === 'products' && lists.length === 0 && !has(draft, rest, field);
  const used = new Set(
    found.flatMap(({ candidate: { positions } }) => positions.map((at) => columns[at]?.name ?? '')),
  );
  const known = new Set([...used, ...rest.flatMap(({ column }) => column.split(', '))]);
  const prices = lacks('price.salePrice') ? offerPrices(columns, used) : [];
  const noProduct =
    resource === 'products' ? noProducts(draft.fields, [...rest, ...prices], found) : undefined;
  const counts = lacks('quantity.instock') && noProduct === undefined ? offerStock(columns, known) : [];
  const options = found.filter(({ role }) => role === 'axis');
  const offers = [...(offer === undefined ? [] : [offer]), ...prices, ...counts];
  const stated = withUnreadStates(resource, columns, draft, [...rest, ...offers]);
  const left =
    resource === 'discounts'
      ? withUnreadRestrictions(columns, draft, stated)
      : withUnreadPeople(resource, sampled, draft, stated);
  const doubt =
    (given.grouping.kind === 'rows' ? sharedNames(likely, options, cellsOf) : undefined) ?? noProduct;
  return {
    ...draft,
    fields: draft.fields.map((each) => (each.field === 'name' && doubt ? { ...each, doubt } : each)),
    leftOut: left,
  };
}

/** Each variant has a value of its own for one of these roles. */
const OF_VARIANTS: ReadonlySet<string> = new Set(['sku', 'code', 'price', 'stock', 'variantName', 'barcode']);

/** Notes that rows which continue another one have no code, price or stock of their own: they are no variants. */
function withValuesBelow(
  { grouping, records }: Sampled,
  matches: readonly RoleMatch[],
  cellsOf: (match: RoleMatch) => readonly string[],
): GroupingGuess {
  if (grouping.kind !== 'key' || !grouping.continues) return grouping;
  const own = matches.filter(({ role }) => OF_VARIANTS.has(role)).map(cellsOf);
  const below = records.flatMap((rows) => rows.slice(1));
  const isFilled = (row: number) => own.some((cells) => (cells[row] ?? '').trim() !== '');
  return own.length === 0 || below.length === 0 || below.filter(isFilled).length > FEW * below.length
    ? grouping
    : { ...grouping, hasValuesBelow: true };
}

function isAxis({ role }: RoleMatch): boolean {
  return role === 'axis';
}

/** True for a column called `Variant` only, which may also say whether there are any. */
function isLabel({ role, candidate: { reading } }: RoleMatch): boolean {
  return role === 'variantName' && !says(reading, 'name') && !says(reading, 'title');
}

/** True if a column is the field, or may be. */
function has({ fields }: MappingDraft, leftOut: readonly LeftOut[], path: string): boolean {
  return (
    fields.some(({ field }) => field === path) ||
    leftOut.some(({ field, rule }) => field === path && rule !== undefined)
  );
}

/** A column that is left out, with the rule that it has in the draft `taken`. */
function unlikelyColumn({ candidate, score }: RoleMatch, draft: MappingDraft, taken: MappingDraft): LeftOut {
  const isNew = ({ field, columns }: DraftField) =>
    columns.includes(candidate.name) && !draft.fields.some((each) => each.field === field);
  const added = taken.fields.find(isNew);
  return {
    column: candidate.name,
    field: added?.field,
    why: 'its name does not say it clearly',
    rule: added?.rule,
    score,
    sample: candidate.profile.filled[0] ?? '',
  };
}

/** How the mapping of a resource is made. */
interface ResourceSuggestion {
  readonly roles: readonly Role[];
  readonly compose: (matches: readonly RoleMatch[], sampled: Sampled) => MappingDraft;
  /** True if each record must have the field `name`. */
  readonly hasName?: boolean;
}

const PRODUCTS: ResourceSuggestion = {
  roles: PRODUCT_ROLES,
  hasName: true,
  compose: (matches, sampled) =>
    composeProducts(matches, sampled, (notes) => addObjectLists(notes, sampled.lists, sampled.dictionary)),
};

const RESOURCES: Readonly<Record<string, ResourceSuggestion>> = {
  products: PRODUCTS,
  customers: { roles: CUSTOMER_ROLES, compose: composeCustomers },
  suppliers: { roles: SUPPLIER_ROLES, compose: composeSuppliers, hasName: true },
  discounts: { roles: DISCOUNT_ROLES, compose: composeDiscounts },
  orders: { roles: ORDER_ROLES, compose: composeOrders },
};
