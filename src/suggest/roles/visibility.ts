import type { Role } from '../match/candidate.ts';
import { choices, dates, flags } from '../match/fits.ts';
import { says } from '../names/read-name.ts';
import { saysState } from '../profile/status-words.ts';
import type { Concept } from '../words/concepts.ts';

/** Concepts of names that say whether a record is shown or may be used. */
export const STATES: readonly Concept[] = [
  'status',
  'active',
  'visible',
  'purchasable',
  'hidden',
  'deleted',
  'blocked',
];

/** A flag, or a mark such as `x` in some rows. */
const marks: Role['fits'] = (candidate) =>
  Math.max(flags(candidate), candidate.profile.filled.every((cell) => MARK.test(cell)) ? 1 : 0);
/** Matches a mark for yes, beside empty cells. */
export const MARK = /^[x×✓✔*•]$/iu;

/** Dates that a condition can compare with today: see `future` in mappings. */
const comparableDates: Role['fits'] = (candidate) =>
  candidate.profile.filled.some((cell) => /^\d{13}$/.test(cell)) ? 0 : dates(candidate);

/** Certainty that words of states add to a name with a word that is not known. */
const BY_CELLS = 1.3;

/** A state by its words: a name such as `State` may also be a part of a country, and `Sale status` that of a reduced price. */
const states: Role['fits'] = (candidate) => {
  const { reading, profile } = candidate;
  const isOther = says(reading, 'sale') || !STATES.some((concept) => says(reading, concept));
  const isSaid = saysState(profile.filled);
  // Figures other than yes and no are counts.
  if (profile.share('number') > 0.5 && flags(candidate) === 0) return 0;
  // A date of publication is no status, and may be that of the first edition of a book.
  if (dates(candidate) > 0 || (isOther && !isSaid)) return 0;
  return (
    Math.max(choices(candidate), flags(candidate)) * (isSaid && reading.unknown.length > 0 ? BY_CELLS : 1)
  );
};

/** Flags that end the use of a record, such as `Hidden` or `Blocked`; `beside`: concepts that do not change their meaning. */
export function offRole(beside: readonly Concept[]): Role {
  return {
    name: 'off',
    named: [['hidden'], ['deleted'], ['blocked']],
    may: [...beside, 'status', 'active', 'visible', 'store', 'hidden', 'deleted', 'blocked'],
    fits: marks,
    isMany: true,
  };
}

/** Dates at which the use of a record ends or has ended: `deleted_at`, `Active until`. */
export function offDateRole(beside: readonly Concept[]): Role {
  return {
    name: 'offDate',
    named: [
      ...([
        ['deleted', 'date'],
        ['hidden', 'date'],
        ['blocked', 'date'],
      ] as const),
      ...([['active', 'end'], ['visible', 'end'], ['deleted'], ['hidden'], ['blocked']] as const),
    ],
    may: [...beside, 'status', 'active', 'visible', 'store', 'hidden', 'deleted', 'blocked', 'date', 'end'],
    fits: comparableDates,
    isMany: true,
  };
}

/** Meanings of the columns that decide whether a product is shown and for sale. */
export const VISIBILITY_ROLES: readonly Role[] = [
  {
    name: 'status',
    named: [['status'], ['active'], ['visible'], ['active', 'status'], ['state']],
    may: ['product', 'active', 'visible', 'status', 'store', 'category', 'sale'],
    fits: states,
    isMany: true,
  },
  offRole(['product']),
  offDateRole(['product']),
  // The day from which a product is shown.
  {
    name: 'onDate',
    named: [
      ['active', 'date'],
      ['active', 'start'],
      ['visible', 'date'],
      ['visible', 'start'],
      ['available', 'start'],
    ],
    may: ['product', 'status', 'active', 'visible', 'available', 'store', 'date', 'start'],
    fits: comparableDates,
    isMany: true,
  },
  // A flag beside the status: it must say yes. What is active or visible elsewhere may be one of several channels.
  {
    name: 'on',
    named: [['purchasable']],
    may: ['product', 'status', 'active', 'visible', 'store', 'purchasable'],
    fits: flags,
    isMany: true,
  },
];
