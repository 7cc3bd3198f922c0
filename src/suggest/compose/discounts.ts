import type { MappingDraft } from '../draft.ts';
import type { ColumnCandidate, RoleMatch } from '../match/candidate.ts';
import { productStates } from '../profile/status-words.ts';
import { createNotes, type Notes } from './notes.ts';
import { dateRule, flagRule, numberRule, type RuleText, textRule } from './rules.ts';

/** Words that are a type as a whole. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['%', 'percentage'],
  ['rate', 'percentage'],
  ['absolute', 'fixed_amount'],
  ['amount', 'fixed_amount'],
  ['amount_off', 'fixed_amount'],
  ['value', 'fixed_amount'],
  ['shipping', 'free_shipping'],
]);

/** Parts of words that say a type: `by_percent`, `cart_fixed`. */
const PARTS: readonly (readonly [RegExp, string])[] = [
  [/(^|_)percent(age)?(_|$)/, 'percentage'],
  [/(^|_)fixed(_|$)/, 'fixed_amount'],
  [/(^|_)free_?shipping(_|$)/, 'free_shipping'],
];

function typeOf(word: string): string | undefined {
  const folded = word.toLowerCase().replaceAll(/[\s-]+/g, '_');
  return TYPES.get(folded) ?? PARTS.find(([part]) => part.test(folded))?.[1];
}

function hasKnownType({ candidate: { profile } }: RoleMatch): boolean {
  return [...profile.distinct].some((word) => typeOf(word) !== undefined);
}

/** The column whose cells are mostly words of types, whatever it is called. */
function typeByCells(
  columns: readonly ColumnCandidate[],
  matches: readonly RoleMatch[],
): RoleMatch | undefined {
  const used = new Set(matches.map(({ candidate }) => candidate.name));
  const isType = ({ name, profile: { filled } }: ColumnCandidate) =>
    !used.has(name) &&
    filled.length > 0 &&
    filled.filter((cell) => PARTS.some(([part]) => part.test(cell.toLowerCase()))).length >=
      0.5 * filled.length;
  const [candidate, ...others] = columns.filter(isType);
  return candidate && others.length === 0 ? { role: 'type', candidate, score: BY_CELLS } : undefined;
}

/** Certainty of a type that only its cells show. */
const BY_CELLS = 0.9;
/** Certainty of a type if only some of its words are known: records with the others are not imported. */
const SOME_KNOWN = 0.7;

/** Makes the mapping of discounts. */
export function composeDiscounts(
  matches: readonly RoleMatch[],
  { columns }: { readonly columns: readonly ColumnCandidate[] },
): MappingDraft {
  const notes = createNotes();
  const byRole = (role: string) => {
    const found = matches.filter((match) => match.role === role);
    if (role !== 'type') return found[0];
    // Prefers the type whose words are known: other columns of that name hold numbers of the program that exported them.
    return found.find(hasKnownType) ?? typeByCells(columns, matches) ?? found[0];
  };
  const add = (role: string, field: string, rule: (match: RoleMatch) => RuleText | undefined) => {
    const match = byRole(role);
    if (match) notes.add(field, rule(match), { candidates: [match.candidate], score: match.score });
  };
  add('code', 'code', ({ candidate }) => textRule(candidate));
  addAmount(notes, byRole);
  add('start', 'startDate', ({ candidate }) => dateRule(candidate));
  add('end', 'endDate', ({ candidate }) => dateRule(candidate));
  add('minimum', 'requirements.price', ({ candidate }) => numberRule(candidate));
  add('limit', 'limits.all', ({ candidate }) => numberRule(candidate));
  add('perCustomer', 'limits.per_customer', ({ candidate }) => numberRule(candidate));
  add('active', 'active', ({ candidate }) => flagRule(candidate) ?? activeRule(candidate));
  return { resource: 'discounts', fields: notes.fields, leftOut: notes.leftOut };
}

/** Active or not by words such as `Expired`; undefined if a word is not known. */
function activeRule({ name, profile }: ColumnCandidate): RuleText | undefined {
  const { known, unknown } = productStates([...profile.distinct]);
  if (unknown.length > 0) return undefined;
  const flags = [...known].map(([word, state]) => [word, state === 'PUBLISH'] as const);
  return { from: name, map: Object.fromEntries(flags), default: false, else: false };
}

/** Type and amount: the amount is a percentage or a value by the words of the type. Some exports write it with a minus. */
function addAmount(notes: Notes, byRole: (role: string) => RoleMatch | undefined): void {
  const type = byRole('type');
  const amount = byRole('amount');
  const percentage = byRole('percentage');
  const plain = (match: RoleMatch, more: Record<string, unknown> = {}) => {
    const hasMinus = match.candidate.profile.filled.some((cell) => cell.startsWith('-'));
    const hasPercent = match.candidate.profile.filled.some((cell) => cell.endsWith('%'));
    const replace = [...(hasMinus ? [{ match: '^-' }] : []), ...(hasPercent ? [{ match: '\\s*%$' }] : [])];
    const rule = numberRule(
      {
        ...match.candidate,
        profile: {
          ...match.candidate.profile,
          filled: match.candidate.profile.filled.map((cell) => cell.replace(/%$/, '').trimEnd()),
        },
      },
      more,
    );
    return rule === undefined || replace.length === 0 ? rule : { ...(rule as object), replace };
  };
  if (percentage && !type) {
    notes.add(
      'type',
      { const: 'percentage' },
      {
        candidates: [],
        score: percentage.score,
        doubt: 'there is no column with the type, and the amount is called a percentage',
      },
    );
    notes.add('percentage', plain(percentage), {
      candidates: [percentage.candidate],
      score: percentage.score,
    });
    return;
  }
  if (!type) {
    if (amount)
      notes.leave(amount.candidate, 'it may be a percentage or an amount, and no column says which', 'value');
    return;
  }
  const { candidate, score } = type;
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
  if (!amount) return;
  const wordsOf = (wanted: string) => known.filter(([, each]) => each === wanted).map(([word]) => word);
  for (const [wanted, field] of [
    ['percentage', 'percentage'],
    ['fixed_amount', 'value'],
  ] as const) {
    const is = wordsOf(wanted);
    if (is.length > 0)
      notes.add(field, plain(amount, { when: { [candidate.name]: is } }), {
        candidates: [amount.candidate],
        score: amount.score,
      });
  }
}
