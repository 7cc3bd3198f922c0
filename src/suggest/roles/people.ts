import { isFew } from '../evidence.ts';
import type { ColumnCandidate, Role } from '../match/candidate.ts';
import {
  anything,
  choices,
  codes,
  flags,
  hasWholeNames,
  mails,
  names,
  phones,
  places,
  postcodes,
  sentences,
  texts,
} from '../match/fits.ts';
import { says } from '../names/read-name.ts';
import { saysState } from '../profile/status-words.ts';
import { saysSubscription } from '../profile/subscription-words.ts';
import type { Concept } from '../words/concepts.ts';
import { offDateRole, offRole } from './visibility.ts';

/** Concepts that do not change what a column says of a person. */
const OF_PERSON: readonly Concept[] = [
  'customer',
  'contact',
  'supplier',
  'billing',
  'default',
  'address',
  'full',
];
/** Concepts that do not change what a column says of an address. */
const OF_ADDRESS: readonly Concept[] = [
  'customer',
  'supplier',
  'contact',
  'billing',
  'default',
  'address',
  'name',
  'company',
];

/** The number of a house, beside its street. */
export const HOUSE: Role = {
  name: 'house',
  named: [['house'], ['house', 'number']],
  may: [...OF_ADDRESS, 'street', 'number', 'shipping'],
  // `Street, house number` has both.
  fits: (candidate) => (says(candidate.reading, 'street') && !areHouses(candidate) ? 0 : codes(candidate)),
};

/** True if nearly all cells are numbers of houses, such as `12a`, `7-9` and `s/n`. */
export function areHouses({ profile: { filled } }: ColumnCandidate): boolean {
  const others = filled.filter(
    (cell) => !/^(?:\d{1,5}\s?(?:[-/]\s?\d{1,5})?\s?\p{L}?|s\/?n\.?)$/iu.test(cell.trim()),
  );
  return filled.length > 0 && isFew(others.length, filled.length);
}

/** The part of a last name that has a column of its own, such as `van der`. */
export const INFIX: Role = {
  name: 'infix',
  named: [['infix']],
  may: ['customer', 'contact', 'billing', 'name', 'last'],
  fits: anything,
};

/** Meanings of columns that customers and suppliers share. */
const PERSON_ROLES: readonly Role[] = [
  { name: 'email', named: [['email']], may: [...OF_PERSON, 'address', 'id'], fits: mails },
  {
    name: 'phone',
    named: [['phone'], ['phone', 'number'], ['mobile', 'phone'], ['mobile']],
    may: [...OF_PERSON, 'number', 'mobile', 'phone'],
    fits: phones,
    isMany: true,
  },
  {
    name: 'company',
    named: [['company'], ['company', 'name']],
    may: [...OF_PERSON, 'name'],
    fits: texts,
  },
  {
    name: 'address1',
    named: [['address'], ['street'], ['address', 'line'], ['address', 'street']],
    may: [...OF_ADDRESS, 'line', 'street', 'house', 'number'],
    // `Address 2` is the role below.
    fits: (candidate) =>
      places(candidate) > 0 && !candidate.reading.numbers.some((number) => number > 1) ? 1 : 0,
  },
  {
    name: 'address2',
    named: [['supplement'], ['address'], ['street'], ['address', 'line'], ['address', 'street']],
    may: [...OF_ADDRESS, 'line', 'street', 'house', 'number', 'supplement'],
    fits: ({ reading }) => (reading.numbers.includes(2) || says(reading, 'supplement') ? 1 : 0),
  },
  HOUSE,
  { name: 'city', named: [['city']], may: [...OF_ADDRESS], fits: places },
  { name: 'zip', named: [['zip'], ['zip', 'code']], may: [...OF_ADDRESS, 'code', 'number'], fits: postcodes },
  {
    name: 'province',
    named: [['state'], ['region']],
    may: [...OF_ADDRESS, 'code', 'region', 'state'],
    // `State` with `enabled` is no part of a country.
    fits: (candidate) => (saysState(candidate.profile.filled) ? 0 : places(candidate)),
  },
  {
    name: 'country',
    named: [['country']],
    may: [...OF_ADDRESS, 'code', 'id', 'region'],
    fits: texts,
    isMany: true,
  },
  { name: 'note', named: [['note']], may: [...OF_PERSON, 'text', 'description'], fits: sentences },
  { name: 'fax', named: [['fax']], may: [...OF_PERSON, 'number', 'phone'], fits: anything },
  { name: 'password', named: [['password']], may: [...OF_PERSON], fits: anything },
];

/** True if the name says a state of an account, and no part of a country. */
function isNamedState({ reading }: ColumnCandidate): boolean {
  return says(reading, 'active') || says(reading, 'status');
}

/** Certainty that words of subscriptions add to a name with a word that is not known. */
const BY_WORDS = 2;

/** Yes and no below a name that says a newsletter, or words such as `unsubscribed`. */
function subscribers(candidate: ColumnCandidate): number {
  const { reading, profile } = candidate;
  if (saysSubscription(profile.filled)) return reading.unknown.length > 0 ? BY_WORDS : 1;
  return says(reading, 'newsletter') || says(reading, 'optin') ? flags(candidate) : 0;
}

export const CUSTOMER_ROLES: readonly Role[] = [
  { name: 'firstname', named: [['first', 'name'], ['first']], may: OF_PERSON, fits: texts },
  {
    name: 'lastname',
    named: [['last', 'name'], ['last']],
    may: OF_PERSON,
    fits: (candidate) => (candidate.reading.numbers.includes(2) ? 0 : texts(candidate)),
  },
  // People in Spain have two last names.
  {
    name: 'secondLastname',
    named: [['last', 'name'], ['last']],
    may: OF_PERSON,
    fits: (candidate) => (candidate.reading.numbers.includes(2) ? texts(candidate) : 0),
  },
  INFIX,
  {
    name: 'fullname',
    named: [['name'], ['customer'], ['contact'], ['full'], ['last', 'first']],
    may: ['customer', 'contact', 'full', 'first', 'last', 'billing'],
    // `Username` beside `Customer` has one word.
    fits: (candidate) => names(candidate) * (hasWholeNames(candidate) ? 1 : 0.95),
  },
  ...PERSON_ROLES,
  {
    name: 'newsletter',
    named: [['newsletter'], ['newsletter', 'email'], ['optin'], ['status'], ['state'], ['active']],
    may: [...OF_PERSON, 'newsletter', 'optin', 'email', 'active', 'status', 'state'],
    fits: subscribers,
  },
  {
    name: 'status',
    named: [['active'], ['status'], ['state']],
    may: ['customer', 'status', 'active'],
    fits: (candidate) =>
      isNamedState(candidate) || saysState(candidate.profile.filled)
        ? Math.max(flags(candidate), saysSubscription(candidate.profile.filled) ? 0 : choices(candidate))
        : 0,
  },
  offRole(['customer', 'contact']),
  offDateRole(['customer', 'contact']),
  {
    name: 'id',
    named: [['id'], ['number', 'customer'], ['code']],
    may: ['customer', 'number', 'code'],
    fits: codes,
  },
];

export const SUPPLIER_ROLES: readonly Role[] = [
  {
    name: 'name',
    named: [['name'], ['supplier'], ['full']],
    may: ['supplier', 'full', 'title', 'name'],
    fits: texts,
  },
  {
    name: 'contact',
    named: [['contact'], ['contact', 'name']],
    may: ['supplier', 'name', 'full'],
    fits: texts,
  },
  ...PERSON_ROLES,
  { name: 'id', named: [['id'], ['code'], ['number']], may: ['supplier', 'number', 'code'], fits: codes },
];
