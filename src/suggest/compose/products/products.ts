import type { MappingDraft } from '../../draft.ts';
import { isFew } from '../../evidence.ts';
import type { ColumnCandidate, RoleMatch } from '../../match/candidate.ts';
import { says } from '../../names/read-name.ts';
import { listOfWords } from '../../profile/lists.ts';
import { type GroupingGuess, rowsBelow } from '../../structure/grouping.ts';
import { partsText } from '../../structure/listed-parts.ts';
import { type MatchesByRole, matchesByRole, withoutRoles } from '../by-role.ts';
import { createNotes, type Notes } from '../notes.ts';
import { areAlike } from '../options/alike-rows.ts';
import { leaveLists } from '../options/leave-lists.ts';
import { type GroupedRows, settleOptions } from '../options/settle-options.ts';
import { addVariants } from '../options/variants.ts';
import { BASIS_CHOICE } from '../prices/price-basis.ts';
import { addPrices } from '../prices/prices.ts';
import { SALE_CHOICE, UNREAD_TIMES, withDatesBesideSale } from '../prices/unread-sale.ts';
import { type RuleText, textRule } from '../rules.ts';
import { addImages } from './images.ts';
import { addMeasures } from './measures.ts';
import { addStatus } from './product-status.ts';
import { addStock } from './stock.ts';
import { withStockPlaces } from './stock-places.ts';

/** Makes the mapping of products. */
export function composeProducts(
  matches: readonly RoleMatch[],
  rows: GroupedRows & { readonly answers: ReadonlyMap<string, boolean> },
  addMore: (notes: Notes) => void = () => {},
): MappingDraft {
  const notes = createNotes();
  const { columns, grouping, answers } = rows;
  const used = new Set(matches.map(({ candidate }) => candidate.name));
  const found = withDatesBesideSale(withStockPlaces(matchesByRole(matches), columns), columns, used);
  const chosen = withoutRoles(found, [
    ...(answers.get(SALE_CHOICE) === true ? UNREAD_TIMES : []),
    ...(answers.get(BASIS_CHOICE) === true ? ['priceBasis'] : []),
  ]);
  const settled = settleOptions(chosen, matches, rows);
  const { byRole, carry, left, isRefused } = settled;
  const isOfRow = grouping.kind === 'rows' || isRefused || areAlike(byRole, grouping);
  addTexts(notes, byRole);
  addKey(notes, byRole, grouping);
  addStatus(notes, byRole, columns);
  addPrices(notes, byRole, rows);
  addStock(notes, byRole, isOfRow ? 'row' : 'rows', columns);
  addMeasures(notes, byRole);
  addLists(notes, byRole, grouping);
  addImages(notes, byRole, grouping);
  if (!isRefused) addVariants(notes, byRole, { columns, grouping, settled });
  leaveLists(notes, { columns, matches });
  for (const { candidate, why, field } of left) notes.leave(candidate, why, field);
  addMore(notes);
  for (const role of ['barcode', 'type', 'thumbnail', 'minimum'])
    for (const { candidate } of byRole(role))
      notes.leave(candidate, 'the store has no field of its own for it');
  const { fields, leftOut, choices } = notes;
  return { resource: 'products', group: groupText(grouping, carry), carry, fields, leftOut, choices };
}

/** A key that is carried down is in each row. */
function groupText(grouping: GroupingGuess, carry: readonly string[]): MappingDraft['group'] {
  if (grouping.kind === 'rows') return undefined;
  if (grouping.kind === 'key')
    return {
      by: grouping.key.name,
      ...(grouping.continues && carry.length === 0 ? { empty: 'continues' } : {}),
      ...(grouping.lead ? { lead: { [grouping.lead.column]: grouping.lead.text } } : {}),
    };
  if (grouping.kind === 'parts') return { name: grouping.name.name, parts: partsText(grouping.parts) };
  const { name, parent, prefix } = grouping;
  return {
    name: prefix === '' ? name.name : { template: `${prefix}{${name.name}}` },
    parent: parent.profile.distinct.has('0')
      ? { from: parent.name, when: { [parent.name]: { 'is-not': '0' } } }
      : parent.name,
  };
}

const TEXTS: readonly (readonly [string, string])[] = [
  ['name', 'name'],
  ['brand', 'brand.name'],
  ['supplier', 'supplier.name'],
  ['seoTitle', 'seo.title'],
  ['seoDescription', 'seo.description'],
];

function addTexts(notes: Notes, byRole: MatchesByRole): void {
  for (const [role, field] of TEXTS)
    for (const { candidate, score } of byRole(role))
      notes.add(field, textRule(candidate), { candidates: [candidate], score });
  const [short] = byRole('short');
  const [long] = byRole('description');
  if (short)
    notes.add('description', textRule(short.candidate), {
      candidates: [short.candidate],
      score: short.score,
    });
  if (!long) return;
  const isHtml = says(long.candidate.reading, 'html') || long.candidate.profile.share('html') > 0.1;
  notes.add(short || isHtml ? 'html' : 'description', textRule(long.candidate), {
    candidates: [long.candidate],
    score: long.score,
  });
}

/** The key: the column that groups the rows, else the first column of codes that hardly lacks or repeats one. */
function addKey(notes: Notes, byRole: MatchesByRole, grouping: GroupingGuess): void {
  if (grouping.kind === 'key') {
    const { key } = grouping;
    notes.add('reference', textRule(key), { candidates: [key], score: 1 });
    return;
  }
  const roles = ['sku', 'code', 'slug', 'id', 'barcode'];
  const found = roles.flatMap((role) => byRole(role));
  const best =
    found.find((match) => isKey(match, grouping, MAX_FAULTS.first)) ??
    found.find((match) => isKey(match, grouping, MAX_FAULTS.last));
  if (!best) {
    for (const { candidate } of found)
      notes.leave(candidate, 'its cells are no key: they are missing or repeat', 'reference');
    addNameAsKey(notes, byRole, grouping);
    return;
  }
  const faults = faultsAsKey(best, grouping);
  const count = leadTexts(best, grouping).length;
  notes.add('reference', textRule(best.candidate), {
    candidates: [best.candidate],
    score: faults === 0 ? best.score : 0.6,
    doubt:
      faults === 0
        ? undefined
        : `${faults} of ${count} records ${faults === 1 ? 'has no code of its own, and is' : 'have no code of their own, and are'} not imported`,
  });
}

/** The name, if nothing else identifies a product and hardly a name repeats. */
function addNameAsKey(notes: Notes, byRole: MatchesByRole, grouping: GroupingGuess): void {
  const name = byRole('name').find((match) => isKey(match, grouping, MAX_FAULTS.first));
  // Rows that name a parent are parts of products, not products.
  if (!name || (grouping.kind === 'rows' && byRole('parent').length > 0)) return;
  notes.add('reference', textRule(name.candidate), {
    candidates: [name.candidate],
    score: NAME_AS_KEY,
    doubt: 'no column of codes is filled and unique, so a product that gets another name is created again',
  });
}

/** A name is a poor key: see `addNameAsKey`. */
const NAME_AS_KEY = 0.6;

/** Texts of the rows that lead a record. */
function leadTexts({ candidate: { cells = [] } }: RoleMatch, grouping: GroupingGuess): string[] {
  const below = new Set(grouping.kind === 'parent' || grouping.kind === 'parts' ? rowsBelow(grouping) : []);
  return cells.filter((_, row) => !below.has(row)).map((cell) => cell.trim());
}

/** Shares of the records that a key may lack or repeat: before a column without faults is taken, and at all. */
const MAX_FAULTS = { first: 0.005, last: 0.1 };

/** The number of records that have no key of their own. */
function faultsAsKey(match: RoleMatch, grouping: GroupingGuess): number {
  const texts = leadTexts(match, grouping);
  return texts.length - new Set(texts.filter((text) => text !== '')).size;
}

function isKey(match: RoleMatch, grouping: GroupingGuess, maxFaults: number): boolean {
  const { length } = leadTexts(match, grouping);
  return length > 0 && isFew(faultsAsKey(match, grouping), length, maxFaults);
}

function addLists(notes: Notes, byRole: MatchesByRole, grouping: GroupingGuess): void {
  const isBelow = grouping.kind === 'key' && grouping.hasValuesBelow === true;
  const across = grouping.kind === 'rows' ? {} : { across: isBelow ? 'join' : 'lead' };
  for (const [role, field] of [
    ['tags', 'tags'],
    ['categories', 'collections'],
    ['seoKeywords', 'seo.keywords'],
  ] as const) {
    const found = byRole(role);
    const [best] = found;
    if (!best) continue;
    const sources = found.flatMap(({ candidate }) => wordSources(candidate, across));
    const [source] = sources;
    const isCut =
      sources.length === 1 && typeof source === 'object' && ('split' in source || 'json' in source);
    notes.add(field, isCut ? source : { all: sources }, {
      candidates: found.map(({ candidate }) => candidate),
      score: Math.min(...found.map(({ score }) => score)),
    });
  }
}

/** Sources of words: one for each column of a family. */
function wordSources(
  { name, numbers, profile }: ColumnCandidate,
  across: Record<string, unknown>,
): RuleText[] {
  const list = listOfWords(profile.filled);
  const cut = list && ('json' in list ? { json: true } : { split: list.by });
  // Joined cells have commas between them.
  const isPlain = !list && !profile.filled.some((cell) => cell.includes(','));
  const joined =
    isPlain || (list && 'by' in list && list.by === ',') ? { split: ',', across: 'join' } : undefined;
  const rest = across.across === 'join' ? (joined ?? { ...cut, across: 'lead' }) : { ...cut, ...across };
  return (numbers ?? ['']).map((number) => plainSource({ from: name.replace('{n}', number), ...rest }));
}

/** A source without steps is written as the name of its column. */
function plainSource(source: { readonly from: string }): RuleText {
  return Object.keys(source).length === 1 ? source.from : source;
}
