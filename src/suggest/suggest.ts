import { withOneCurrency } from './compose/currency-column.ts';
import { composeDiscounts } from './compose/discounts.ts';
import { listsValues } from './compose/leave-lists.ts';
import { offerName } from './compose/name-offer.ts';
import { addObjectLists } from './compose/object-lists.ts';
import { composeOrders } from './compose/orders/orders.ts';
import { composeCustomers, composeSuppliers } from './compose/people.ts';
import { offerPrices } from './compose/price-offer.ts';
import { composeProducts } from './compose/products.ts';
import { noProducts, sharedNames } from './doubts.ts';
import type { DraftField, LeftOut, MappingDraft } from './draft.ts';
import { FEW } from './evidence.ts';
import { byRepetition, notUsedOf, ofOtherTable, secondChoices } from './left-out.ts';
import {
  type ColumnCandidate,
  LIKELY,
  matchRoles,
  misfits,
  type Role,
  type RoleMatch,
} from './match/candidate.ts';
import { createDictionary, type Dictionary } from './names/dictionary.ts';
import { says } from './names/read-name.ts';
import type { ObjectList } from './objects.ts';
import { currenciesOfAmounts } from './profile/currencies.ts';
import type { SampleColumn } from './profile/profile.ts';
import {
  chosenCurrency,
  chosenNumberFormat,
  isUngrouped,
  type StructureAnswers,
  type StructureQuestion,
  skipId,
  structureQuestions,
} from './questions.ts';
import { DISCOUNT_ROLES } from './roles/discounts.ts';
import { ORDER_ROLES } from './roles/orders.ts';
import { CUSTOMER_ROLES, SUPPLIER_ROLES } from './roles/people.ts';
import { PRODUCT_ROLES } from './roles/products.ts';
import { type ReadColumn, readFamilies, readSampleColumns } from './sample.ts';
import { findLostOrders, groupOrders } from './structure/group-orders.ts';
import { differsIn, type GroupingGuess, recordsOf } from './structure/grouping.ts';
import { guessGrouping } from './structure/guess-grouping.ts';
import { readLineNames } from './structure/line-names.ts';
import { readOptionPairs } from './structure/option-pairs.ts';
import { findStrayRows } from './structure/stray-rows.ts';
import type { StrayRows } from './structure/stray-skip.ts';
import { withUnreadRestrictions } from './unread-restrictions.ts';
import { withUnreadStates } from './unread-states.ts';
import { LANGUAGES } from './words/index.ts';

/** A draft, and the rows of the sample that make each record. */
export interface Suggestion {
  readonly draft: MappingDraft;
  /** Indexes of rows. */
  readonly records: readonly (readonly number[])[];
  /** Choices about the rows and numbers of the file. */
  readonly questions: readonly StructureQuestion[];
}

/** The columns of a file, or the fields of its JSON objects, with some of their cells. */
export interface SampledFile {
  readonly columns: readonly SampleColumn[];
  /** Lists of objects inside the objects; undefined for a table. */
  readonly lists?: readonly ObjectList[];
  /** Columns of another table beside this one. */
  readonly beside?: readonly SampleColumn[];
  /** Row numbers in the file. Default: 2 and up. */
  readonly numbers?: readonly number[];
  /** True if these are all rows of the file. */
  readonly isWhole?: boolean;
}

// Made once per process: a suggestion for several resources uses it for each of them.
let shared: Dictionary | undefined;

function dictionaryOfAll(): Dictionary {
  shared ??= createDictionary(LANGUAGES);
  return shared;
}

/** Suggests a mapping of a resource from some of a file's rows. `answers`: to questions of a suggestion before. */
export function draftMapping(
  resource: string,
  { columns: own, beside = [], lists, numbers, isWhole = false }: SampledFile,
  dictionary: Dictionary = dictionaryOfAll(),
  answers: StructureAnswers = new Map(),
): Suggestion {
  // Names of JSON fields are exact, and one object has no name twice.
  const { unique, repeated } = lists ? { unique: own, repeated: [] } : byRepetition(own, beside);
  const stray = lists
    ? NO_STRAYS
    : withoutDeclined(findStrayRows(unique, dictionary, { numbers, isWhole }), answers);
  const count = own[0]?.cells.length ?? 0;
  // An import leaves empty rows out too.
  const isEmpty = (row: number) => unique.every(({ cells }) => (cells[row] ?? '').trim() === '');
  const all = Array.from({ length: count }, (_, row) => row).filter(
    (row) => !stray.rows.has(row) && !isEmpty(row),
  );
  const chosen = { numberFormat: chosenNumberFormat(answers), currency: chosenCurrency(answers) };
  const readRows = (rows: readonly number[]) => {
    const own = rows.length === count ? unique : unique.map(onlyRows(rows));
    const named = readSampleColumns(own, dictionary, chosen);
    return resource === 'products' ? readOptionPairs(named) : named;
  };
  const groupingOf = (columns: readonly ReadColumn[]) =>
    isUngrouped(answers) ? ROWS : groupingFor(resource, columns);
  const first = readRows(all);
  const found = resource === 'orders' ? findLostOrders(groupingOf(first), first) : undefined;
  const lost = found && { ...found, rows: found.rows.map((row) => all[row] as number) };
  const isLost = lost !== undefined && answers.get(skipId(lost)) !== false;
  const kept = isLost ? all.filter((row) => !lost.rows.includes(row)) : all;
  const read = isLost ? readRows(kept) : first;
  const grouping = groupingOf(read);
  const records = recordsOf(grouping, kept.length);
  const sampled = resource === 'orders' ? readLineNames(read, records, dictionary) : read;
  const draft = draftOf(resource, {
    columns: sampled,
    families: readOptionPairs(readFamilies(sampled, dictionary)),
    grouping,
    records,
    lists: lists ?? [],
    canCarry: canCarry(lists !== undefined, stray),
    ...{ dictionary, answers },
  });
  const skips = [...stray.skips, ...(isLost ? [lost] : [])].map((skip) => ({
    ...skip,
    rows: skip.rows.map((row) => numbers?.[row] ?? row + FIRST_ROW),
  }));
  const numberOf = (row: number) => numbers?.[kept[row] as number] ?? (kept[row] as number) + FIRST_ROW;
  const whole = {
    ...draft,
    ...(skips.length === 0 ? {} : { skips }),
    leftOut: [...draft.leftOut, ...repeated, ...beside.map(ofOtherTable)],
  };
  const { leftOut, choices = [] } = draft;
  const amounts = sampled.flatMap(({ name, cells }) =>
    leftOut.some(({ column, field, rule }) => column === name && field !== undefined && rule === undefined)
      ? (currenciesOfAmounts(name, cells) ?? [])
      : [],
  );
  const currencies = draft.currencies ?? amounts[0];
  return {
    draft: { ...whole, notUsed: notUsedOf(sampled, lists ?? [], whole) },
    records: records.map((rows) => rows.map((row) => kept[row] as number)),
    questions: structureQuestions(
      { skips, grouping, columns: sampled, records, leftOut, choices, currencies, numberOf },
      answers,
    ),
  };
}

/** Rows that a person said are records stay. */
function withoutDeclined({ skips: found }: StrayRows, answers: StructureAnswers): StrayRows {
  const skips = found.filter((skip) => answers.get(skipId(skip)) !== false);
  return { skips, rows: new Set(skips.flatMap(({ rows }) => rows)) };
}

/** The row below the header. */
const FIRST_ROW = 2;

const NO_STRAYS: StrayRows = { rows: new Set(), skips: [] };

function onlyRows(rows: readonly number[]): (column: SampleColumn) => SampleColumn {
  return ({ name, cells }) => ({ name, cells: rows.map((row) => cells[row] ?? '') });
}

/** Products have variants, and orders lines; each person and each discount is one row. */
function groupingFor(resource: string, sampled: readonly ReadColumn[]): GroupingGuess {
  if (resource === 'products') return guessGrouping(sampled);
  return resource === 'orders' ? groupOrders(sampled) : ROWS;
}

const ROWS: GroupingGuess = { kind: 'rows' };

interface Sampled {
  readonly columns: readonly ReadColumn[];
  readonly families: readonly ColumnCandidate[];
  readonly grouping: GroupingGuess;
  readonly records: readonly (readonly number[])[];
  readonly lists: readonly ObjectList[];
  readonly dictionary: Dictionary;
  readonly answers: StructureAnswers;
  readonly canCarry: (column: string) => boolean;
}

/** Objects have no rows above them, and a condition that leaves rows out needs the cell as it is. */
function canCarry(areObjects: boolean, { skips }: StrayRows): (column: string) => boolean {
  return (column) => !areObjects && !skips.some(({ when }) => when?.[column] === '');
}

function draftOf(resource: string, sampled: Sampled): MappingDraft {
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
  const isPriced = resource !== 'products' || has(draft, rest, 'price.salePrice') || lists.length > 0;
  const used = new Set(
    found.flatMap(({ candidate: { positions } }) => positions.map((at) => columns[at]?.name ?? '')),
  );
  const prices = isPriced ? [] : offerPrices(columns, used);
  const options = found.filter(({ role }) => role === 'axis');
  const offers = [...(offer === undefined ? [] : [offer]), ...prices];
  const known = withUnreadStates(resource, columns, draft, [...rest, ...offers]);
  const left = resource === 'discounts' ? withUnreadRestrictions(columns, draft, known) : known;
  const doubt =
    (given.grouping.kind === 'rows' ? sharedNames(likely, options, cellsOf) : undefined) ??
    (resource === 'products' ? noProducts(draft.fields, left, found) : undefined);
  return {
    ...draft,
    fields: draft.fields.map((each) =>
      each.field === 'name' && doubt ? { ...each, doubt: each.doubt ?? doubt } : each,
    ),
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
