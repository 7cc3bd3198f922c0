import type { MappingDraft } from '../../draft.ts';
import type { ColumnCandidate, RoleMatch } from '../../match/candidate.ts';
import { productStates, wordsOfState } from '../../profile/status-words.ts';
import { createNotes, type Notes } from '../notes.ts';
import { dateRule, flagRule, numberRule, type RuleText, textRule } from '../rules.ts';
import { addAmount } from './discount-amounts.ts';
import { discountType } from './discount-types.ts';

/** Makes the mapping of discounts. */
export function composeDiscounts(
  matches: readonly RoleMatch[],
  { columns }: { readonly columns: readonly ColumnCandidate[] },
): MappingDraft {
  const notes = createNotes();
  const type = discountType(columns, matches);
  const byRole = (role: string) => (role === 'type' ? type : matches.find((match) => match.role === role));
  const add = (role: string, field: string, rule: (match: RoleMatch) => RuleText | undefined) => {
    const match = byRole(role);
    if (match) notes.add(field, rule(match), { candidates: [match.candidate], score: match.score });
  };
  add('code', 'code', ({ candidate }) => textRule(candidate));
  addAmount(notes, byRole);
  add('start', 'startDate', ({ candidate }) => dateRule(candidate));
  addEnd(notes, byRole('end'));
  add('minimum', 'requirements.price', ({ candidate }) => numberRule(candidate));
  add('minimumQuantity', 'requirements.quantity', ({ candidate }) => limitRule(candidate));
  add('limit', 'limits.all', ({ candidate }) => limitRule(candidate));
  add('perCustomer', 'limits.per_customer', ({ candidate }) => onceRule(candidate) ?? limitRule(candidate));
  add(
    'active',
    'active',
    ({ candidate }) =>
      flagRule(candidate) ??
      activeRule(
        candidate,
        notes.fields.some(({ field }) => field === 'startDate'),
      ),
  );
  return { resource: 'discounts', fields: notes.fields, leftOut: notes.leftOut };
}

/** The end of a discount. A day without a time is its last one, so the discount ends with it. */
function addEnd(notes: Notes, match: RoleMatch | undefined): void {
  if (!match) return;
  const { candidate, score } = match;
  const { profile } = candidate;
  const hasDays = profile.filled.some((cell) => DAY.test(cell));
  if (!hasDays) {
    notes.add('endDate', dateRule(candidate), { candidates: [candidate], score });
    return;
  }
  const filled = profile.filled.map((cell) => cell.replace(DAY, `$1 ${LAST_SECOND}`));
  const rule = dateRule({ ...candidate, profile: { ...profile, filled } });
  const replace = { match: DAY.source, with: `$1 ${LAST_SECOND}` };
  notes.add('endDate', rule && { ...(rule as object), replace }, {
    candidates: [candidate],
    score,
    doubt: `a day without a time is the last one of its discount, which ends at ${LAST_SECOND} UTC`,
  });
}

/** Matches a date without a time. */
const DAY = /^([^:]*[^\d:][^:]*)$/;
const LAST_SECOND = '23:59:59';

/** A limit. Exports write 0 for none. */
function limitRule(candidate: ColumnCandidate): RuleText | undefined {
  return numberRule(candidate, { when: { [candidate.name]: { above: 0 } } });
}

/** Once by a yes; undefined if the cells are numbers. */
function onceRule({ name, profile }: ColumnCandidate): RuleText | undefined {
  if (profile.share('yes-no') < 1 || profile.share('number') > 0) return undefined;
  return { const: 1, when: { [name]: wordsOfState(profile.distinct, 'PUBLISH') } };
}

/** Active or not by words such as `Expired`; undefined if a word is not known. A start date keeps what is scheduled from counting today. */
function activeRule({ name, profile }: ColumnCandidate, hasStart: boolean): RuleText | undefined {
  const { known, unknown } = productStates([...profile.distinct]);
  if (unknown.length > 0) return undefined;
  const flags = [...known].map(
    ([word, state]) => [word, state === 'PUBLISH' || (hasStart && word === 'scheduled')] as const,
  );
  return { from: name, map: Object.fromEntries(flags), default: false, else: false };
}
