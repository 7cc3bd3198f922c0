import { literalPattern } from '../../../model/index.ts';
import type { RoleMatch } from '../../match/candidate.ts';
import { severalCurrencies, signIn } from '../../profile/currencies.ts';
import { readNumbers } from '../../profile/formats.ts';
import { isBlankCell } from '../../profile/profile.ts';
import type { Notes } from '../notes.ts';
import { amountRule } from '../prices/amounts.ts';
import { typeOf } from './discount-types.ts';

type ByRole = (role: string) => RoleMatch | undefined;

/** Certainty of a type if only some of its words are known: records with the others are not imported. */
const SOME_KNOWN = 0.7;

/** Matches a cell with a figure that is not zero, and one without. */
const FILLED = { matches: '[1-9]' };
const BLANK = { matches: '^[^1-9]*$' };

/**
 * Type and amount of discounts: by the words of a type; without a type, by the column that is filled or by the sign in the cell. A
 * discount without any of these has no type, and is an issue.
 */
export function addAmount(notes: Notes, byRole: ByRole): void {
  const [type, amount, percentage] = ['type', 'amount', 'percentage'].map(byRole);
  if (type) addByType(notes, type, { amount, percentage });
  else if (percentage && amount) addByColumn(notes, percentage, amount);
  else if (percentage) {
    const doubt = 'there is no column with the type, and the amount is called a percentage';
    notes.add('type', { const: 'percentage' }, { candidates: [], score: percentage.score, doubt });
    addFigure(notes, 'percentage', percentage);
  } else if (amount) addBySign(notes, amount);
}

interface Amounts {
  readonly amount: RoleMatch | undefined;
  readonly percentage: RoleMatch | undefined;
}

function addByType(notes: Notes, { candidate, score }: RoleMatch, { amount, percentage }: Amounts): void {
  const words = [...candidate.profile.distinct];
  const known = words.flatMap((word) => (typeOf(word) === undefined ? [] : [[word, typeOf(word)] as const]));
  const unknown = words.filter((word) => !typeOf(word)).slice(0, 6);
  const doubt =
    unknown.length === 0 ? undefined : `it is not known what these words mean: ${unknown.join(', ')}`;
  if (known.length === 0) {
    notes.leave(candidate, doubt ?? 'it is empty', 'type');
    return;
  }
  notes.add(
    'type',
    { from: candidate.name, map: Object.fromEntries(known) },
    { candidates: [candidate], score: doubt ? Math.min(score, SOME_KNOWN) : score, doubt },
  );
  const figures = [
    ['percentage', 'percentage', percentage ?? amount],
    ['fixed_amount', 'value', amount],
  ] as const;
  for (const [wanted, field, match] of figures) {
    const is = known.filter(([, each]) => each === wanted).map(([word]) => word);
    const ofType = (_: string, row: number) => is.includes((candidate.cells?.[row] ?? '').trim());
    const own = (match?.candidate.cells ?? []).filter(ofType).filter((cell) => !isBlankCell(cell));
    if (is.length > 0 && match) addFigure(notes, field, match, { when: { [candidate.name]: is }, own });
  }
}

/** Two columns: each discount fills one of them. */
function addByColumn(notes: Notes, percentage: RoleMatch, amount: RoleMatch): void {
  const [percent, value] = [percentage.candidate.name, amount.candidate.name];
  const whenPercent = { [percent]: FILLED, [value]: BLANK };
  const whenValue = { [value]: FILLED, [percent]: BLANK };
  notes.add(
    'type',
    [
      { const: 'percentage', when: whenPercent },
      { const: 'fixed_amount', when: whenValue },
    ],
    {
      candidates: [percentage.candidate, amount.candidate],
      score: Math.min(percentage.score, amount.score),
    },
  );
  addFigure(notes, 'percentage', percentage, { when: whenPercent });
  addFigure(notes, 'value', amount, { when: whenValue });
}

/** One column, whose cells have a sign of percent or of a currency. */
function addBySign(notes: Notes, amount: RoleMatch): void {
  const { candidate, score } = amount;
  const { name, profile } = candidate;
  const percents = profile.filled.filter((cell) => cell.includes('%'));
  const signs = [...new Set(profile.filled.map(signIn).filter((sign) => sign !== '' && sign !== '%'))];
  if (percents.length === 0 && signs.length === 0) {
    const why = 'it may be a percentage or an amount, and no column says which';
    notes.leave(candidate, why, 'value');
    return;
  }
  const several = severalCurrencies(profile.filled.filter((cell) => !cell.includes('%')));
  const isSigned = {
    matches: signs.map(literalPattern).join('|'),
  };
  const types = [
    ...(percents.length > 0 ? [{ const: 'percentage', when: { [name]: { matches: '%' } } }] : []),
    ...(signs.length > 0 && several === undefined
      ? [{ const: 'fixed_amount', when: { [name]: isSigned } }]
      : []),
  ];
  const plain = profile.filled.filter((cell) => signIn(cell) === '').length;
  const doubt =
    plain === 0
      ? undefined
      : `${plain} of ${profile.filled.length} cells of ${name} have no sign, so their discounts have no type and are not imported`;
  notes.add('type', types, { candidates: [candidate], score, doubt });
  if (percents.length > 0)
    addFigure(notes, 'percentage', amount, { when: { [name]: { matches: '%' } }, cells: percents });
  const amounts = profile.filled.filter((cell) => !cell.includes('%') && signIn(cell) !== '');
  if (several !== undefined) notes.leave(candidate, several, 'value');
  else if (amounts.length > 0)
    addFigure(notes, 'value', amount, { when: { [name]: isSigned }, cells: amounts });
}

interface FigureCells {
  readonly when?: Readonly<Record<string, unknown>>;
  /** Default: all cells. */
  readonly cells?: readonly string[];
  /** Cells of discounts with this type. Default: `cells`. */
  readonly own?: readonly string[];
}

/** A number that is taken off. Percentages that are all below 1 are fractions: no shop takes off 0.15 %. Some exports write it with a minus. */
function addFigure(
  notes: Notes,
  field: 'percentage' | 'value',
  { candidate, score }: RoleMatch,
  { when, cells = candidate.profile.filled, own = cells }: FigureCells = {},
): void {
  const hasMinus = cells.some((cell) => cell.startsWith('-'));
  const hasPercent = cells.some((cell) => cell.endsWith('%'));
  const replace = [...(hasMinus ? [{ match: '^-' }] : []), ...(hasPercent ? [{ match: '\\s*%$' }] : [])];
  const filled = cells.map((cell) => cell.replace(/%$/, '').trimEnd());
  const numeric = { ...candidate, profile: { ...candidate.profile, filled } };
  const rule = amountRule(numeric, when === undefined ? {} : { when });
  const cleaned = rule === undefined || replace.length === 0 ? rule : { ...rule, replace };
  const values =
    rule && field === 'percentage' && !hasPercent ? readNumbers(rule.number, own.map(plainFigure)) : [];
  const fractions = values.filter((each) => each !== undefined && each > 0 && each < 1);
  const isMixed = values.some((each) => each !== undefined && each >= 1);
  const [first = 0] = fractions;
  if (cleaned === undefined || fractions.length === 0)
    notes.add(field, cleaned, { candidates: [candidate], score });
  else if (isMixed)
    notes.leave(
      candidate,
      `some of its percentages are below 1, such as ${first}, and others are not`,
      field,
    );
  else {
    const multiply = 100 * Number(cleaned.multiply ?? 1);
    const doubt = `its figures are below 1, so ${first} is read as ${Number((100 * first).toFixed(4))} %`;
    notes.add(field, { ...cleaned, multiply }, { candidates: [candidate], score, doubt });
  }
}

/** A figure without its sign. */
function plainFigure(cell: string): string {
  return cell.trim().replace(/^-/, '');
}
