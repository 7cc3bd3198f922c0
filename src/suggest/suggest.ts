import { fold } from '../map/index.ts';
import { composeDiscounts } from './compose/discounts.ts';
import { offerName } from './compose/name-offer.ts';
import { addObjectLists } from './compose/object-lists.ts';
import { composeOrders, orderNumber } from './compose/orders.ts';
import { composeCustomers, composeSuppliers } from './compose/people.ts';
import { composeProducts } from './compose/products.ts';
import type { DraftField, LeftOut, MappingDraft } from './draft.ts';
import {
  type ColumnCandidate,
  LIKELY,
  matchRoles,
  misfits,
  type Role,
  type RoleMatch,
} from './match/candidate.ts';
import { createDictionary, type Dictionary } from './names/dictionary.ts';
import type { ObjectList } from './objects.ts';
import type { SampleColumn } from './profile/profile.ts';
import { DISCOUNT_ROLES } from './roles/discounts.ts';
import { ORDER_ROLES } from './roles/orders.ts';
import { CUSTOMER_ROLES, SUPPLIER_ROLES } from './roles/people.ts';
import { PRODUCT_ROLES } from './roles/products.ts';
import { type ReadColumn, readFamilies, readSampleColumns } from './sample.ts';
import { type GroupingGuess, recordsOf } from './structure/grouping.ts';
import { guessGrouping } from './structure/guess-grouping.ts';
import { LANGUAGES } from './words/index.ts';

/** A draft, and the rows of the sample that make each record. */
export interface Suggestion {
  readonly draft: MappingDraft;
  /** Indexes of rows. */
  readonly records: readonly (readonly number[])[];
}

/** The columns of a file, or the fields of its JSON objects, with some of their cells. */
export interface SampledFile {
  readonly columns: readonly SampleColumn[];
  /** Lists of objects inside the objects; undefined for a table. */
  readonly lists?: readonly ObjectList[];
}

// Made once per process: a suggestion for several resources uses it for each of them.
let shared: Dictionary | undefined;

function dictionaryOfAll(): Dictionary {
  shared ??= createDictionary(LANGUAGES);
  return shared;
}

/** Suggests a mapping of a resource from some of a file's rows. */
export function draftMapping(
  resource: string,
  { columns, lists }: SampledFile,
  dictionary: Dictionary = dictionaryOfAll(),
): Suggestion {
  // Names of JSON fields are exact, and one object has no name twice.
  const { unique, repeated } = lists ? { unique: columns, repeated: [] } : byRepetition(columns);
  const sampled = readSampleColumns(unique, dictionary);
  const grouping = groupingFor(resource, sampled);
  const records = recordsOf(grouping, columns[0]?.cells.length ?? 0);
  const draft = draftOf(resource, {
    columns: sampled,
    families: readFamilies(sampled, dictionary),
    grouping,
    records,
    lists: lists ?? [],
    dictionary,
  });
  return { draft: { ...draft, leftOut: [...draft.leftOut, ...repeated] }, records };
}

/** A mapping cannot name a column whose name another column has too. */
function byRepetition(columns: readonly SampleColumn[]) {
  const counts = new Map<string, SampleColumn[]>();
  for (const column of columns) {
    const name = fold(column.name);
    counts.set(name, [...(counts.get(name) ?? []), column]);
  }
  const unique = columns.filter(({ name }) => counts.get(fold(name))?.length === 1);
  const repeated = [...counts.values()].flatMap(([first, ...others]): LeftOut[] =>
    first && others.length > 0
      ? [{ column: first.name, why: `${others.length + 1} columns have this name`, sample: sampleOf(first) }]
      : [],
  );
  return { unique, repeated };
}

function sampleOf({ cells }: SampleColumn): string {
  return cells.find((cell) => cell.trim() !== '') ?? '';
}

/** Products have variants, and orders lines; each person and each discount is one row. */
function groupingFor(resource: string, sampled: readonly ReadColumn[]): GroupingGuess {
  if (resource === 'products') return guessGrouping(sampled);
  if (resource !== 'orders') return ROWS;
  const number = orderNumber(matchRoles(sampled, ORDER_ROLES))?.candidate;
  const key = sampled.find(({ name }) => name === number?.name);
  return key === undefined || key.profile.distinctRate === 1 ? ROWS : { kind: 'key', key, continues: false };
}

const ROWS: GroupingGuess = { kind: 'rows' };

interface Sampled {
  readonly columns: readonly ReadColumn[];
  readonly families: readonly ColumnCandidate[];
  readonly grouping: GroupingGuess;
  readonly records: readonly (readonly number[])[];
  readonly lists: readonly ObjectList[];
  readonly dictionary: Dictionary;
}

function draftOf(resource: string, sampled: Sampled): MappingDraft {
  const { roles, compose, hasName } = RESOURCES[resource] ?? PRODUCTS;
  const { columns, families, records } = sampled;
  const found = matchRoles(resource === 'products' ? [...columns, ...families] : columns, roles);
  const cellsOf = ({ candidate }: RoleMatch) => columns[candidate.positions[0] ?? -1]?.cells ?? [];
  const matches = found.filter((match) => match.role !== 'axis' || differsIn(records, cellsOf(match)));
  const likely = matches.filter(({ score }) => score >= LIKELY);
  const draft = compose(likely, sampled);
  const unlikely = matches.filter(({ score }) => score < LIKELY);
  const leftOut = unlikely.map((match) =>
    unlikelyColumn(match, draft, compose([...likely, { ...match, score: LIKELY }], sampled)),
  );
  const unfit = misfits(columns, roles, found).map((match) => {
    const { field, ...column } = unlikelyColumn(match, draft, compose([...likely, match], sampled));
    const isZero = match.candidate.profile.filled.every((cell) => /^[0.,\s]+$/.test(cell));
    const why = isZero ? 'all of its cells are zero' : 'its cells do not fit its name';
    return { ...column, field, why, rule: undefined, score: undefined };
  });
  const rest = [...draft.leftOut, ...leftOut, ...unfit];
  const offer = hasName && !isNamed(draft, rest) ? offerName(columns, records) : undefined;
  return { ...draft, leftOut: offer === undefined ? rest : [...rest, offer] };
}

/** True if a column is the name, or may be. */
function isNamed({ fields }: MappingDraft, leftOut: readonly LeftOut[]): boolean {
  return (
    fields.some(({ field }) => field === 'name') ||
    leftOut.some(({ field, rule }) => field === 'name' && rule !== undefined)
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
  compose: (matches, { grouping, lists, dictionary }) =>
    composeProducts(matches, grouping, (notes) => addObjectLists(notes, lists, dictionary)),
};

const RESOURCES: Readonly<Record<string, ResourceSuggestion>> = {
  products: PRODUCTS,
  customers: { roles: CUSTOMER_ROLES, compose: composeCustomers },
  suppliers: { roles: SUPPLIER_ROLES, compose: composeSuppliers, hasName: true },
  discounts: { roles: DISCOUNT_ROLES, compose: composeDiscounts },
  orders: { roles: ORDER_ROLES, compose: composeOrders },
};

/** True if rows of one record differ in these cells: they are an option, not a property of the product. */
function differsIn(records: Sampled['records'], cells: readonly string[]): boolean {
  return records.some(
    (rows) => new Set(rows.map((row) => cells[row]?.trim() ?? '').filter((cell) => cell !== '')).size > 1,
  );
}
