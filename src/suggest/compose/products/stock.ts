import type { ColumnCandidate } from '../../match/candidate.ts';
import { OUT_OF_STOCK, STOCK_WORDS } from '../../match/fits.ts';
import { wordsOfState } from '../../profile/status-words.ts';
import type { MatchesByRole } from '../by-role.ts';
import type { Notes } from '../notes.ts';
import { leaveOutRule, numberRule, type RuleText } from '../rules.ts';
import { besideStock, PLACE, type StockRule, sumOfPlaces } from './stock-places.ts';

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
