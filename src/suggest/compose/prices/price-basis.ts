import { shownWord } from '../../../model/index.ts';
import type { ColumnCandidate } from '../../match/candidate.ts';
import type { MatchesByRole } from '../by-role.ts';
import type { Notes } from '../notes.ts';
import { leaveOutRule } from '../rules.ts';
import type { PriceRule } from './amounts.ts';

/** Words for one piece, as one cell has them. */
const ONE =
  /^(?:1(?:[.,]0+)?\s*)?(?:x|each|ea|pcs?|pce|piece|item|unit|stk|stück|stuks?|st|szt|sztuka|kpl|kus|ks|db|buc|un|und|unidad|unité|u|pz|pza|pezzo|шт|adet|個|件|个|개)?\.?$/iu;
/** Words for more than one piece that have no number. */
const SEVERAL =
  /^(?:dozen|doz|dz|dutzend|douzaine|docena|dúzia|dozzina|tucet|tuzin|dussin|düzine|gross|pair|paar|paire|par)\.?$/iu;

/** The cells of the columns that say what a price is for. */
interface BasisCells {
  readonly column: string;
  /** Cells for one piece. */
  readonly ones: readonly string[];
  /** Cells with a number of pieces or a quantity: 12.50 is the price of 100. */
  readonly several: readonly string[];
  /** Units such as kg: what one piece is in the store is not known. */
  readonly units: readonly string[];
}

function basisCells({ name, profile }: ColumnCandidate): BasisCells {
  const cells = [...profile.distinct];
  const isSeveral = (cell: string) => SEVERAL.test(cell) || (/\d/.test(cell) && !/^1(?![\d.,])/.test(cell));
  const ones = cells.filter((cell) => ONE.test(cell));
  const others = cells.filter((cell) => !ONE.test(cell));
  return {
    ...{ column: name, ones },
    several: others.filter(isSeveral),
    units: others.filter((cell) => !isSeveral(cell)),
  };
}

/** Id of the choice about prices of several pieces. */
export const BASIS_CHOICE = 'basis';

/** Asks about prices that are left out, since a column says that they are for several pieces. */
export function askAboutBasis(notes: Notes, byRole: MatchesByRole, price: ColumnCandidate): void {
  for (const { candidate } of byRole('priceBasis')) {
    const asks = `Is ${shownWord(price.name)} the price of one piece all the same?`;
    notes.ask(BASIS_CHOICE, candidate, basisCells(candidate).several, asks);
  }
}

/** Leaves prices out where a column says that they are for several pieces, and says so of units. */
export function withBasis(rules: readonly PriceRule[], byRole: MatchesByRole): PriceRule[] {
  const bases = byRole('priceBasis').map(({ candidate }) => basisCells(candidate));
  return bases.reduce<PriceRule[]>((all, basis) => all.map((each) => withOneBasis(each, basis)), [...rules]);
}

function withOneBasis(price: PriceRule, { column, ones, several, units }: BasisCells): PriceRule {
  const { rule, matches, doubt } = price;
  const [first] = matches;
  if (rule === undefined || !first) return price;
  const unit =
    units.length === 0 ? undefined : `${column} says what it is for, such as ${JSON.stringify(units[0])}`;
  const known = [...ones, ...units, ''];
  const why = `${JSON.stringify(column)} says that it is not the price of one`;
  const counted = leaveOutRule(first.candidate, { when: { [column]: { 'is-not': known } } }, why);
  return {
    ...price,
    doubt: doubt ?? unit,
    rule:
      several.length === 0 ? rule : [counted, ...[rule].flat().map((each) => onlyFor(each, column, known))],
  };
}

/** The rule with one condition more: the column has one of the known texts. */
function onlyFor(rule: unknown, column: string, known: readonly string[]): unknown {
  const { when, ...rest } = rule as Readonly<Record<string, unknown>>;
  return { ...rest, when: { ...(when as object | undefined), [column]: known } };
}
