import { shownWord } from '../../../model/index.ts';
import type { ColumnCandidate, RoleMatch } from '../../match/candidate.ts';
import { isNotZero, OUT_OF_STOCK, quantities, STOCK_WORDS } from '../../match/fits.ts';
import { REGION_CODES, says } from '../../names/read-name.ts';
import { wordsIn } from '../../names/tokens.ts';
import { isSize } from '../../profile/sizes.ts';
import { wordsOfState } from '../../profile/status-words.ts';
import type { Concept } from '../../words/concepts.ts';
import type { MatchesByRole } from '../by-role.ts';
import type { Notes } from '../notes.ts';
import { leaveOutRule, numberRule, type RuleText } from '../rules.ts';

/** Adds the quantity of a product: of one row, or the sum of its rows. `columns`: all columns of the file. */
export function addStock(
  notes: Notes,
  byRole: MatchesByRole,
  of: 'row' | 'rows',
  columns: readonly ColumnCandidate[],
): void {
  const places = byRole(PLACE);
  const used = places.length > 0 ? places : byRole('stock').slice(0, 1);
  const [stock] = used;
  if (!stock) {
    const [available] = endsIn(byRole) ? byRole('available') : [];
    const why = 'it says only which goods are sold out, and not how many there are';
    if (available) notes.leave(available.candidate, why, 'quantity.instock');
    return;
  }
  const { rule, doubt } = stockRule(byRole, of);
  notes.add('quantity.instock', rule, {
    candidates: used.map(({ candidate }) => candidate),
    score: stock.score,
    doubt: doubt ?? besideStock(stock.candidate, places.length > 0 ? [] : columns),
  });
}

/** Says which other columns have a part of the stock, or of what is not for sale, since nobody knows how they add up. */
function besideStock(stock: ColumnCandidate, columns: readonly ColumnCandidate[]): string | undefined {
  const isCount = (column: ColumnCandidate) =>
    column.name !== stock.name && quantities(column) === 1 && isNotZero(column);
  const places = columns.filter((column) => isCount(column) && isPlace(column));
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
function isHeld({ name }: ColumnCandidate): boolean {
  return wordsIn(name).some((word) => HELD.has(word));
}

/** Words for goods that are in stock and promised to somebody. */
const HELD: ReadonlySet<string> = new Set(
  (
    'reserved committed commited allocated booked reserviert gebucht reserve reservado reservados asignado ' +
    'gereserveerd zarezerwowane reserverad reserverat reserveret reservert riservato impegnato varattu rezervovano rezervat'
  ).split(' '),
);

/** Role of the stock in one of several places, such as `Stock Berlin`. */
const PLACE = 'stockPlace';
/** Certainty that the stock of a product is the sum of its places. */
const SUM_OF_PLACES = 0.7;

/** Replaces the stock by those of several places, if no column is the stock of all. */
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

function isPlace(column: ColumnCandidate): boolean {
  const { name, reading } = column;
  const isOfSize = isSize(placeWords(column).join(''));
  return (
    (says(reading, 'stock') || (isOfSize && says(reading, 'quantity'))) &&
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
function sumOfPlaces(places: readonly RoleMatch[], of: 'row' | 'rows'): StockRule {
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

/** A rule for a quantity; undefined if there is no column, or if its cells can be read in two ways. */
export interface StockRule {
  readonly rule: RuleText | undefined;
  readonly doubt?: string | undefined;
}

/**
 * The quantity of one row, or the sum of the rows of a record. Words such as `InStock` between the numbers say none, and are left
 * out; `OutOfStock` is zero, and so is a row that a column of availability ends. An unknown word is an issue of its record.
 */
export function stockRule(byRole: MatchesByRole, of: 'row' | 'rows'): StockRule {
  const places = byRole(PLACE);
  if (places.length > 0) return sumOfPlaces(places, of);
  const [stock] = byRole('stock');
  if (!stock) return { rule: undefined };
  const { candidate } = stock;
  const { name, profile } = candidate;
  const words = distinct(profile.filled.filter((cell) => STOCK_WORDS.test(cell)));
  const numbers = profile.filled.filter((cell) => !STOCK_WORDS.test(cell));
  const ends = endsIn(byRole);
  const untracked = untrackedIn(byRole);
  // A variant that was oversold must not take from the stock of the others.
  const isOversold = of === 'rows' && numbers.some((cell) => cell.startsWith('-'));
  const counted = {
    ...(words.length === 0 && !isOversold
      ? {}
      : {
          [name]: {
            ...(words.length === 0 ? {} : { 'is-not': words }),
            ...(isOversold ? { matches: '^[^-]' } : {}),
          },
        }),
    ...(ends ? { [ends.column]: { 'is-not': ends.words } } : {}),
    ...(untracked ? { [untracked.column]: { 'is-not': untracked.words } } : {}),
  };
  const numeric = { ...candidate, profile: { ...profile, filled: numbers } };
  const number = (conditions: Record<string, unknown>) => {
    if (of === 'row') return numberRule(numeric, isEmpty(conditions) ? {} : { when: conditions });
    return numberRule(numeric, { ...(isEmpty(conditions) ? {} : { rows: conditions }), across: 'sum' });
  };
  const main = number(counted);
  if (main === undefined) return { rule: undefined };
  const outWords = words.filter((word) => OUT_OF_STOCK.test(word));
  const rules = [
    main,
    ...(isOversold && words.length === 0 && !ends ? [numberRule(numeric, whenTracked(untracked))] : []),
    ...(outWords.length === 0 ? [] : [zero({ column: name, words: outWords }, of)]),
    ...(ends ? [zero(ends, of)] : []),
  ].filter((rule) => rule !== undefined);
  const left = profile.filled.filter((cell) => STOCK_WORDS.test(cell) && !OUT_OF_STOCK.test(cell));
  const leaving = (conditions: Record<string, unknown>, why: string) =>
    leaveOutRule(candidate, { [of === 'row' ? 'when' : 'rows']: conditions }, why);
  const counting = [
    ...(left.length > 0 ? [leaving({ [name]: distinct(left) }, 'the cell says no quantity')] : []),
    ...(untracked
      ? [
          leaving(
            { [untracked.column]: untracked.words },
            `${JSON.stringify(untracked.column)} says that the shop does not count it`,
          ),
        ]
      : []),
  ];
  return {
    rule: rules.length + counting.length === 1 ? main : [...counting, ...rules],
    doubt:
      left.length > 0
        ? `${left.length} of ${profile.filled.length} cells say no quantity, such as ${JSON.stringify(left[0])}, and are left out`
        : untracked && untracked.count > 0
          ? `${untracked.count} of ${profile.filled.length} rows do not count their stock by ${untracked.column}, and are left out`
          : undefined,
  };
}

/** Words of a column with which the shop says that it does not count the stock of a row; `count`: such rows with a quantity. */
interface Untracked extends Ends {
  readonly count: number;
}

/**
 * The quantity of a row that is not counted means nothing: exports fill it with 0. If no row is counted and there are quantities all the
 * same, the flag means something else, such as an exception from a setting.
 */
function untrackedIn(byRole: MatchesByRole): Untracked | undefined {
  const [tracked] = byRole('tracked');
  const [stock] = byRole('stock');
  if (!tracked || !stock) return undefined;
  const { name, profile, cells = [] } = tracked.candidate;
  const words = wordsOfState(profile.distinct, 'DRAFT');
  const quantityOf = (row: number) => (stock.candidate.cells?.[row] ?? '').trim();
  const isNo = (cell: string) => words.includes(cell.trim().toLowerCase());
  const no = [...cells.keys()].filter((row) => isNo(cells[row] ?? '') && quantityOf(row) !== '');
  const isCounted = cells.some((cell) => cell.trim() !== '' && !isNo(cell));
  if (words.length === 0 || (!isCounted && no.some((row) => /[1-9]/.test(quantityOf(row))))) return undefined;
  return { column: name, words, count: no.length };
}

function whenTracked(untracked: Untracked | undefined): Record<string, unknown> {
  return untracked ? { when: { [untracked.column]: { 'is-not': untracked.words } } } : {};
}

/** The words of a column that end a sale. */
interface Ends {
  readonly column: string;
  readonly words: readonly string[];
}

function endsIn(byRole: MatchesByRole): Ends | undefined {
  const [available] = byRole('available');
  if (!available) return undefined;
  const { name, profile } = available.candidate;
  const words = distinct([
    ...wordsOfState(profile.distinct, 'DRAFT'),
    ...profile.filled.filter((cell) => OUT_OF_STOCK.test(cell)),
  ]);
  return words.length === 0 ? undefined : { column: name, words };
}

/** Zero for a row that says so; for a record of several rows, if none of them says otherwise. */
function zero({ column, words }: Ends, of: 'row' | 'rows'): RuleText {
  const when = { [column]: words };
  return of === 'row'
    ? { const: 0, when }
    : { const: 0, row: [{ [column]: { 'is-not': [...words, ''] } }, when], when };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function isEmpty(object: Record<string, unknown>): boolean {
  return Object.keys(object).length === 0;
}
