import type { ColumnCandidate, RoleMatch } from '../../match/candidate.ts';
import { says } from '../../names/read-name.ts';
import { wordsIn } from '../../names/tokens.ts';
import { goneWords, productStates, wordsOfState } from '../../profile/status-words.ts';
import type { MatchesByRole } from '../by-role.ts';
import type { Notes } from '../notes.ts';
import type { RuleText } from '../rules.ts';

/** A rule that makes a product no longer public, with its column. */
interface Ending {
  readonly match: RoleMatch;
  readonly rules: readonly RuleText[];
}

/**
 * The status: dates and flags that end a sale or do not allow it come first, then the words of a status. A word that is not known
 * is a draft. Of several columns with a status, one that says no suffices: `Visibility` beside `Status`.
 */
export function addStatus(notes: Notes, byRole: MatchesByRole, columns: readonly ColumnCandidate[]): void {
  const [status, ...others] = byRole('status');
  // A product in the trash stays there.
  const trash = status ? wordsOfState(status.candidate.profile.distinct, 'TRASH') : [];
  const kept = status && trash.length > 0 ? { [status.candidate.name]: { 'is-not': trash } } : {};
  const endings: Ending[] = [
    ...byRole('offDate').map(endedAt),
    ...byRole('off').map((match) => ({ match, rules: [draftUnless(match, 'DRAFT')] })),
    ...byRole('on').map((match) => ({ match, rules: [draftUnless(match, 'PUBLISH')] })),
    ...byRole('onDate').map(notBefore),
    ...others.flatMap((match) => {
      const { distinct } = match.candidate.profile;
      const words = [...wordsOfState(distinct, 'DRAFT'), ...wordsOfState(distinct, 'TRASH')];
      if (words.length > 0)
        return [{ match, rules: [{ const: 'DRAFT', when: { [match.candidate.name]: words, ...kept } }] }];
      notes.leave(match.candidate, `${status?.candidate.name} is used for it`, 'status');
      return [];
    }),
    ...endedAvailability(columns),
  ];
  const rules = endings.flatMap((each) => each.rules);
  if (status) {
    const { rule, unknown } = statusRule(status);
    const candidates = [...endings.map(({ match }) => match), status].map(({ candidate }) => candidate);
    notes.add('status', rules.length === 0 ? rule : [...rules, rule], {
      candidates,
      score: status.score,
      doubt:
        unknown.length === 0
          ? undefined
          : `it is not known what these words mean, so their products are drafts: ${unknown.slice(0, 6).join(', ')}`,
    });
  } else if (rules.length > 0) {
    notes.add('status', [...rules, { const: 'PUBLISH' }], {
      candidates: endings.map(({ match }) => match.candidate),
      score: Math.min(...endings.map(({ match }) => match.score)),
    });
  }
}

function statusRule({ candidate }: RoleMatch): {
  readonly rule: RuleText;
  readonly unknown: readonly string[];
} {
  const { known, unknown } = productStates([...candidate.profile.distinct]);
  return {
    rule:
      known.size === 0
        ? { const: 'DRAFT' }
        : { from: candidate.name, map: Object.fromEntries(known), default: 'DRAFT', else: 'DRAFT' },
    unknown,
  };
}

/** A draft, unless a flag has a word of this state or none. An unknown word never takes the permissive side. */
function draftUnless({ candidate: { name, profile } }: RoleMatch, state: 'PUBLISH' | 'DRAFT'): RuleText {
  return {
    const: 'DRAFT',
    when: { [name]: { 'is-not': [...wordsOfState(profile.distinct, state), ''] } },
  };
}

/** A product whose date of an end is not to come. A text without digits is no date to come either. */
function endedAt(match: RoleMatch): Ending {
  const { name } = match.candidate;
  const words = [...wordsIn(name), ...name.toLowerCase().split(/[^\p{L}]+/u)];
  const isTrash = words.some((word) => productStates([word]).known.get(word) === 'TRASH');
  const state = isTrash ? 'TRASH' : 'DRAFT';
  return {
    match,
    rules: [
      { const: state, when: { [name]: { empty: false, future: false } } },
      { const: state, when: { [name]: { matches: '^\\D+$', 'is-not': NO_DATES } } },
    ],
  };
}

/** Words that databases and people write for no date, in lower case. */
const NO_DATES = ['null', 'none', 'n/a', 'never', '-'];

/** A product that is not shown before a day. Without a day of publication it is not shown; a beginning may be missing. */
function notBefore(match: RoleMatch): Ending {
  const { name, reading } = match.candidate;
  const isLater = { const: 'DRAFT', when: { [name]: { future: true } } };
  return {
    match,
    rules: says(reading, 'start') ? [isLater] : [{ const: 'DRAFT', when: { [name]: '' } }, isLater],
  };
}

/** Certainty of words that end a sale, in a column that says what can be delivered. */
const BY_CELLS = 0.9;

/** Ends the sale of goods with words such as `discontinued` in a column of availability. */
function endedAvailability(columns: readonly ColumnCandidate[]): Ending[] {
  return columns.flatMap((candidate): Ending[] => {
    const { name, reading, profile } = candidate;
    if (!says(reading, 'available') || says(reading, 'variant')) return [];
    const words = goneWords(profile.distinct);
    if (words.length === 0) return [];
    const match = { role: 'availability', candidate, score: BY_CELLS };
    return [{ match, rules: [{ const: 'DRAFT', when: { [name]: words } }] }];
  });
}
