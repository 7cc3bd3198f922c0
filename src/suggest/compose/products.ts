import type { MappingDraft } from '../draft.ts';
import type { ColumnCandidate, RoleMatch } from '../match/candidate.ts';
import { says } from '../names/read-name.ts';
import { listOfWords } from '../profile/lists.ts';
import { productStates } from '../profile/status-words.ts';
import { type GroupingGuess, isNoParent } from '../structure/grouping.ts';
import { type MatchesByRole, matchesByRole } from './by-role.ts';
import { addImages } from './images.ts';
import { createNotes, type Notes } from './notes.ts';
import { addPrices } from './prices.ts';
import {
  LENGTH_UNITS,
  measureRule,
  numberRule,
  type RuleText,
  textRule,
  unitIn,
  WEIGHT_UNITS,
} from './rules.ts';
import { addVariants } from './variants.ts';

/** Makes the mapping of products. */
export function composeProducts(
  matches: readonly RoleMatch[],
  grouping: GroupingGuess,
  addMore: (notes: Notes) => void = () => {},
): MappingDraft {
  const notes = createNotes();
  const byRole = matchesByRole(matches);
  addTexts(notes, byRole);
  addKey(notes, byRole, grouping);
  addStatus(notes, byRole);
  addPrices(notes, byRole, grouping);
  addStock(notes, byRole, grouping);
  addMeasures(notes, byRole);
  addLists(notes, byRole, grouping);
  addImages(notes, byRole, grouping);
  addVariants(notes, byRole, grouping);
  addMore(notes);
  for (const role of ['barcode', 'type', 'thumbnail', 'minimum'])
    for (const { candidate } of byRole(role))
      notes.leave(candidate, 'the store has no field of its own for it');
  return { resource: 'products', group: groupText(grouping), fields: notes.fields, leftOut: notes.leftOut };
}

function groupText(grouping: GroupingGuess): MappingDraft['group'] {
  if (grouping.kind === 'rows') return undefined;
  if (grouping.kind === 'key')
    return {
      by: grouping.key.name,
      ...(grouping.continues ? { empty: 'continues' } : {}),
      ...(grouping.lead ? { lead: { [grouping.lead.column]: grouping.lead.text } } : {}),
    };
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

/** The key: what groups the rows, else the first column of codes without repetition. */
function addKey(notes: Notes, byRole: MatchesByRole, grouping: GroupingGuess): void {
  if (grouping.kind === 'key') {
    const { key } = grouping;
    notes.add('reference', textRule(key), { candidates: [key], score: 1 });
    return;
  }
  const roles = ['sku', 'code', 'slug', 'id', 'barcode'];
  const found = roles.flatMap((role) => byRole(role));
  const best =
    found.find((match) => isKey(match, grouping)) ?? found.find((match) => isNearlyKey(match, grouping));
  if (!best) {
    for (const { candidate } of found)
      notes.leave(candidate, 'its cells are no key: they are missing or repeat', 'reference');
    addNameAsKey(notes, byRole, grouping);
    return;
  }
  const exact = isKey(best, grouping);
  notes.add('reference', textRule(best.candidate), {
    candidates: [best.candidate],
    score: exact ? best.score : 0.6,
    doubt: exact ? undefined : 'some of its cells are empty or repeat, and such records are not imported',
  });
}

/** The name, if nothing else identifies a product and no name repeats. */
function addNameAsKey(notes: Notes, byRole: MatchesByRole, grouping: GroupingGuess): void {
  const name = byRole('name').find((match) => isKey(match, grouping));
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
  const isLead = (row: number) => grouping.kind !== 'parent' || isNoParent(grouping.parent.cells[row] ?? '');
  return cells.filter((_, row) => isLead(row)).map((cell) => cell.trim());
}

function isKey(match: RoleMatch, grouping: GroupingGuess): boolean {
  const texts = leadTexts(match, grouping);
  return texts.length > 0 && !texts.includes('') && new Set(texts).size === texts.length;
}

/** Filled nearly everywhere, with few repetitions. */
function isNearlyKey(match: RoleMatch, grouping: GroupingGuess): boolean {
  const texts = leadTexts(match, grouping);
  const filled = texts.filter((text) => text !== '');
  return filled.length > 0.9 * texts.length && new Set(filled).size > 0.9 * filled.length;
}

function addStatus(notes: Notes, byRole: MatchesByRole): void {
  const [status] = byRole('status');
  const [discontinued] = byRole('discontinued');
  if (!status) {
    if (discontinued) addDiscontinued(notes, discontinued);
    return;
  }
  const words = [...status.candidate.profile.distinct];
  const states = productStates(words);
  const rule: RuleText | undefined = states && {
    from: status.candidate.name,
    map: Object.fromEntries(states),
    default: 'DRAFT',
    else: 'DRAFT',
  };
  notes.add('status', rule, {
    candidates: [status.candidate],
    score: status.score,
    why: `it is not known what these words mean: ${words.slice(0, 6).join(', ')}`,
  });
}

/** A flag that ends a sale: its yes is a draft. */
function addDiscontinued(notes: Notes, { candidate, score }: RoleMatch): void {
  const states = productStates([...candidate.profile.distinct]);
  const inverse =
    states && [...states].map(([word, state]) => [word, state === 'PUBLISH' ? 'DRAFT' : 'PUBLISH']);
  notes.add(
    'status',
    inverse && { from: candidate.name, map: Object.fromEntries(inverse), default: 'PUBLISH', else: 'DRAFT' },
    {
      candidates: [candidate],
      score,
    },
  );
}

function addStock(notes: Notes, byRole: MatchesByRole, grouping: GroupingGuess): void {
  const [stock] = byRole('stock');
  if (!stock) return;
  const more = grouping.kind === 'rows' ? {} : { across: 'sum' };
  notes.add('quantity.instock', numberRule(stock.candidate, more) ?? numbersOnly(stock.candidate, more), {
    candidates: [stock.candidate],
    score: stock.score,
  });
}

/** A column that has words such as `InStock` between its numbers: words say no quantity. */
function numbersOnly(candidate: ColumnCandidate, more: Record<string, unknown>): RuleText | undefined {
  const { name, profile } = candidate;
  const numbers = profile.filled.filter((cell) => /^\d+$/.test(cell));
  if (numbers.length === 0 || profile.filled.some((cell) => /^[^a-z]*\d/i.test(cell) && !/^\d+$/.test(cell)))
    return undefined;
  const when = { [name]: { matches: '^\\d+$' } };
  return numberRule({ ...candidate, profile: { ...profile, filled: numbers } }, { ...more, when });
}

const MEASURES: readonly (readonly [string, string])[] = [
  ['depth', 'sizes.dimensions.depth'],
  ['width', 'sizes.dimensions.width'],
  ['height', 'sizes.dimensions.height'],
];

function addMeasures(notes: Notes, byRole: MatchesByRole): void {
  const [weight] = byRole('weight');
  if (weight) {
    const { candidate, score } = weight;
    notes.add('sizes.weight.value', measureRule(candidate), { candidates: [candidate], score });
    const [unit] = byRole('weightUnit');
    // Beside `Grams`, a column of units says only how the weight is shown.
    const named = unitIn([candidate.name], WEIGHT_UNITS);
    const known = named ?? (unit ? undefined : unitIn(candidate.profile.filled.slice(0, 20), WEIGHT_UNITS));
    if (known)
      notes.add('sizes.weight.unit', { const: known, when: candidate.name }, { candidates: [], score });
    else if (unit)
      notes.add('sizes.weight.unit', textRule(unit.candidate, { when: candidate.name }), {
        candidates: [unit.candidate],
        score: unit.score,
      });
  }
  const found = MEASURES.flatMap(([role, field]) => byRole(role).map((match) => ({ ...match, field })));
  for (const { candidate, score, field } of found)
    notes.add(field, measureRule(candidate), { candidates: [candidate], score });
  const [first] = found;
  const unit =
    first && unitIn([first.candidate.name, ...first.candidate.profile.filled.slice(0, 20)], LENGTH_UNITS);
  if (first && unit)
    notes.add(
      'sizes.dimensions.unit',
      { const: unit, when: first.candidate.name },
      { candidates: [], score: first.score },
    );
}

function addLists(notes: Notes, byRole: MatchesByRole, grouping: GroupingGuess): void {
  const across = grouping.kind === 'rows' ? {} : { across: 'lead' };
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
  return (numbers ?? ['']).map((number) =>
    plainSource({ from: name.replace('{n}', number), ...cut, ...across }),
  );
}

/** A source without steps is written as the name of its column. */
function plainSource(source: { readonly from: string }): RuleText {
  return Object.keys(source).length === 1 ? source.from : source;
}
