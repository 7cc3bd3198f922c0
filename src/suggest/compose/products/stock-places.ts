import { shownWord } from '../../../model/index.ts';
import type { ColumnCandidate, RoleMatch } from '../../match/candidate.ts';
import { isNotZero, quantities } from '../../match/fits.ts';
import { REGION_CODES, says } from '../../names/read-name.ts';
import { wordsIn } from '../../names/tokens.ts';
import { isSize } from '../../profile/sizes.ts';
import type { Concept } from '../../words/concepts.ts';
import type { MatchesByRole } from '../by-role.ts';
import type { RuleText } from '../rules.ts';

/** A rule for a quantity; undefined if there is no column, or if its cells can be read in two ways. */
export interface StockRule {
  readonly rule: RuleText | undefined;
  readonly doubt?: string | undefined;
}

/** Says which other columns have a part of the stock, or of what is not for sale, since nobody knows how they add up. */
export function besideStock(stock: ColumnCandidate, columns: readonly ColumnCandidate[]): string | undefined {
  const isCount = (column: ColumnCandidate) =>
    column.name !== stock.name && quantities(column) === 1 && isNotZero(column);
  const places = columns.filter((column) => isCount(column) && isPlace(column, 'quantity'));
  if (places.length > 0) return `the stock of other places is not added: ${listed(places)}`;
  const held = columns.filter((column) => isCount(column) && isHeld(column));
  return held.length === 0 || says(stock.reading, 'available')
    ? undefined
    : `goods that are promised are not taken off: ${listed(held)}`;
}

function listed(columns: readonly ColumnCandidate[]): string {
  const names = columns.slice(0, MAX_NAMED).map(({ name }) => shownWord(name));
  const more = columns.length > MAX_NAMED ? [`${columns.length - MAX_NAMED} more`] : [];
  return [...names, ...more].join(', ');
}

const MAX_NAMED = 3;

/** True for a column of goods that are promised to somebody, such as `Reserved`. */
function isHeld({ name, reading }: ColumnCandidate): boolean {
  return !says(reading, 'price') && wordsIn(name).some((word) => HELD.has(word));
}

/** Words for goods that are in stock and promised to somebody. */
const HELD: ReadonlySet<string> = new Set(
  (
    'reserved committed commited allocated booked reserviert gebucht reserve reservado reservados asignado ' +
    'gereserveerd zarezerwowane reserverad reserverat reserveret reservert riservato impegnato varattu rezervovano rezervat'
  ).split(' '),
);

/** Role of the stock in one of several places, such as `Stock Berlin`. */
export const PLACE = 'stockPlace';
/** Certainty that the stock of a product is the sum of its places. */
const SUM_OF_PLACES = 0.7;

/** Replaces the stock by the columns of several places, if no column is the stock of all. */
export function withStockPlaces(byRole: MatchesByRole, columns: readonly ColumnCandidate[]): MatchesByRole {
  const places = placesIn(columns, byRole('stock')[0]).map(
    (candidate): RoleMatch => ({ role: PLACE, candidate, score: SUM_OF_PLACES }),
  );
  if (places.length === 0) return byRole;
  return (role) => (role === PLACE ? places : role === 'stock' ? [] : byRole(role));
}

/**
 * Columns whose names differ in a number or a word only, and say stock besides: `Lager 1` and `Lager 2`. None if another column is the
 * stock.
 */
function placesIn(columns: readonly ColumnCandidate[], stock: RoleMatch | undefined): ColumnCandidate[] {
  const groups = new Map<string, ColumnCandidate[]>();
  for (const column of columns) {
    const pattern = isPlace(column) ? patternOf(column) : undefined;
    if (pattern !== undefined) groups.set(pattern, [...(groups.get(pattern) ?? []), column]);
  }
  const [places = [], ...others] = [...groups.values()].filter(({ length }) => length > 1);
  const isOther = stock !== undefined && !places.some(({ name }) => name === stock.candidate.name);
  const isFlags = places.every(({ profile }) => profile.share('yes-no') === 1);
  // The sum without one of them is too low.
  return others.length > 0 || isOther || isFlags || !places.every(isPlainNumbers) ? [] : places;
}

/** True for the stock of a place. `of`: the word that says a stock; a quantity may be of anything, unless it is that of a size. */
function isPlace(column: ColumnCandidate, of: 'stock' | 'quantity' = 'stock'): boolean {
  const { name, reading } = column;
  const isOfSize = isSize(placeWords(column).join(''));
  return (
    (says(reading, 'stock') || ((isOfSize || of === 'quantity') && says(reading, 'quantity'))) &&
    reading.terms.every(
      (term) => term.some((concept) => OF_STOCK.has(concept)) || (isPostage(term) && /\bporto\b/i.test(name)),
    ) &&
    placeWords(column).length > 0 &&
    (reading.unknown.length + reading.numbers.length <= MAX_WORDS || isOfSize) &&
    !reading.unknown.some((word) => NO_PLACES.has(word)) &&
    // An expression cannot name such a column.
    !name.includes('`') &&
    column.profile.filled.length > 0
  );
}

/** A place has a name of a few words: `Estoque São Paulo`. */
const MAX_WORDS = 3;

/** Porto is a city, and postage in other languages. */
function isPostage(term: readonly Concept[]): boolean {
  return term.includes('shipping');
}

/** The words that are no stock: those that no dictionary has, numbers such as 2 in `2XL`, and a country at the end. */
function placeWords({ name, reading: { unknown, numbers } }: ColumnCandidate): string[] {
  const last = wordsIn(name).at(-1) ?? '';
  return [...numbers.map(String), ...unknown, ...(REGION_CODES.has(last) || last === 'porto' ? [last] : [])];
}

/** The words of a name, with `*` for its place. */
function patternOf(column: ColumnCandidate): string {
  const place = new Set(placeWords(column));
  return wordsIn(column.name)
    .map((word) => (place.has(word) ? '*' : word))
    .join(' ')
    .replaceAll(/\*( \*)+/g, '*');
}

/** Words beside a stock that are no places: parts of it that are not for sale, or not there yet. */
const NO_PLACES: ReadonlySet<string> = new Set(
  (
    'reserved sold ordered incoming committed allocated expected damaged transit planned physical virtual booked returned target ' +
    'reserviert verkauft bestellt erwartet zulauf geplant soll ist reserve vendu commande attendu reservado vendido pedido ' +
    'gereserveerd verkocht besteld zarezerwowane sprzedane reserverad reserveret riservato venduto'
  ).split(' '),
);
const OF_STOCK: ReadonlySet<Concept> = new Set<Concept>(['stock', 'quantity', 'available', 'store']);

/** True if JSONata can add the cells, which may be empty. */
function isPlainNumbers({ profile }: ColumnCandidate): boolean {
  return (
    profile.filled.every((cell) => /^-?\d{1,12}(\.\d+)?$/.test(cell)) &&
    !profile.filled.some((cell) => /^\d{8,}$/.test(cell))
  );
}

/** The sum over places; nothing if all cells are empty. */
export function sumOfPlaces(places: readonly RoleMatch[], of: 'row' | 'rows'): StockRule {
  const names = places.map(({ candidate }) => `\`${candidate.name}\``).join(', ');
  const cells = of === 'row' ? `[${names}]` : `$rows.[${names}]`;
  return {
    rule: { expression: `($cells := ${cells}[$ != ""]; $exists($cells) ? $sum($cells.$number($)))` },
    doubt: `it is the sum of ${places.length} columns, as if each had the stock of another ${areSizes(places) ? 'size' : 'place'}`,
  };
}

/** True if the words in which the names differ are sizes: `Stock S`, `Stock XL`. */
function areSizes(places: readonly RoleMatch[]): boolean {
  return places.every(({ candidate }) => isSize(placeWords(candidate).join('')));
}
