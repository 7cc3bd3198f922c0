import { isFew } from '../evidence.ts';
import { says } from '../names/read-name.ts';
import { LOOKS } from '../profile/looks.ts';
import { pairsIn } from '../profile/pairs.ts';
import type { ColumnCandidate } from './candidate.ts';

/** Tests of a column's cells: see `Role.fits`. */
type Fits = (candidate: ColumnCandidate) => number;

const MOSTLY = 0.9;
/**
 * Share of figures in a column whose name says figures: one in eight may be `#N/A` or `on request`. Its record has an issue then; a
 * column that is left out loses the figures of all others.
 */
const MIN_FIGURES = 0.6;

export const anything: Fits = () => 1;

/** Short texts, such as names. */
export const texts: Fits = ({ profile }) =>
  profile.share('text') >= 0.6 &&
  profile.share('mail') < 0.5 &&
  profile.share('picture') < 0.5 &&
  profile.share('yes-no') < 0.9
    ? 1
    : 0;

/** Names of people. A column called `Customer` may also have their numbers, so there they are whole names. */
export const names: Fits = (candidate) =>
  says(candidate.reading, 'name') || hasWholeNames(candidate) ? texts(candidate) : 0;

/** True if nearly all cells have two words or more. */
export function hasWholeNames({ profile: { filled } }: ColumnCandidate): boolean {
  return isFew(filled.filter((cell) => !/\p{L}\S*\s+\S*\p{L}/u.test(cell)).length, filled.length);
}

/** True if most cells are several words with a number at either end: `ul. Długa 5`, `12 Pier Rd`. */
export function isAddress({ profile: { filled } }: ColumnCandidate): boolean {
  const streets = filled.filter((cell) => STREET.test(cell.trim()));
  return filled.length > 0 && streets.length >= MIN_STREETS * filled.length;
}

const STREET = /^\d+\S* \S*\p{L}|\p{L}.* \S*\d/u;
const MIN_STREETS = 0.8;

/** Names of variants. Lists of lists, such as `size: S, M | color: red, blue`, are of all variants of a product. */
export const variantNames: Fits = (candidate) => {
  const { filled } = candidate.profile;
  const nested = filled.filter((cell) => /[|;]/.test(cell) && cell.includes(',')).length;
  return nested > 0.5 * filled.length ? 0 : texts(candidate);
};

/** Words of categories, brands, tags: texts that are no sentences, and not yes or no. */
export const words: Fits = ({ profile }) =>
  profile.share('text') >= 0.6 &&
  profile.share('yes-no') < 0.9 &&
  profile.share('url') < 0.3 &&
  profile.share('machine-id') < 0.3
    ? 1
    : 0;

/** Text of a page. A column called HTML may hold nothing but links. */
export const sentences: Fits = ({ profile, reading }) =>
  !profile.filled.every((cell) => /^[\d.,]+\s?\p{L}{0,3}\.?$/u.test(cell)) &&
  (says(reading, 'html') || (profile.share('text') >= 0.6 && profile.share('url') < 0.5)) &&
  profile.share('json-object') < 0.5
    ? 1
    : 0;

export const amounts: Fits = ({ profile }) => (profile.share('amount') >= MIN_FIGURES ? 1 : 0);

/** False if all cells are zero: exports fill unused columns with zeros. */
export function isNotZero({ profile }: ColumnCandidate): boolean {
  return profile.filled.some((cell) => /[1-9]/.test(cell));
}

export const prices: Fits = (candidate) =>
  amounts(candidate) > 0 && candidate.profile.share('yes-no') < 1 && isNotZero(candidate) ? 1 : 0;

/** Numbers of things, some of them as words: `InStock`. A flag called `In stock?` is none. */
export const quantities: Fits = ({ profile, reading, name }) => {
  const words = profile.filled.filter((cell) => STOCK_WORDS.test(cell)).length;
  const numbers = profile.share('number') * profile.filled.length;
  if (numbers === 0 || numbers + words < MIN_FIGURES * profile.filled.length) return 0;
  const isFlag = profile.share('yes-no') === 1;
  if (!isFlag) return 1;
  return isFlagName(name) || says(reading, 'available') ? 0 : 0.8;
};

function isFlagName(name: string): boolean {
  return /\?|^(is|has)[_ ]/i.test(name);
}

/** Says of each row whether it can be bought. Ones and zeros may be quantities, unless the name says otherwise. */
export const availability: Fits = ({ profile, reading, name }) => {
  const isNamed = isFlagName(name) || says(reading, 'available');
  const known = profile.filled.filter(
    (cell) => STOCK_WORDS.test(cell) || (LOOKS['yes-no'](cell) && (isNamed || !/\d/.test(cell))),
  );
  return known.length >= MOSTLY * profile.filled.length ? 1 : 0;
};

/** Words for no stock, and all words in a column of quantities. */
export const OUT_OF_STOCK = /^out[ _-]?of[ _-]?stock$|^sold[ _-]?out$|^unavailable$/i;
export const STOCK_WORDS = new RegExp(`^in[ _-]?stock$|^unlimited$|^available$|${OUT_OF_STOCK.source}`, 'i');

/** Measures, with or without a unit in the cell. */
export const measures: Fits = ({ profile }) =>
  profile.filled.filter((cell) => /^[+-]?[\d.,][\d.,\s]*\s?\p{L}{0,10}\.?$/u.test(cell)).length >=
  MIN_FIGURES * profile.filled.length
    ? 1
    : 0;

/** Words and lists of words, also if they are numbers. */
export const labels: Fits = ({ profile }) =>
  profile.share('yes-no') < 0.9 && profile.share('url') < 0.3 && profile.share('machine-id') < 0.3 ? 1 : 0;

/** Codes of articles: short texts or numbers that are no addresses. */
export const codes: Fits = ({ profile }) =>
  profile.filled.filter((cell) => cell.length > 64).length <= 0.02 * profile.filled.length &&
  profile.share('url') < 0.1 &&
  profile.share('mail') < 0.5
    ? 1
    : 0;

/** True if most cells are one word with a digit, as codes of articles are and names are not. */
export function looksLikeCodes({ profile: { filled } }: ColumnCandidate): boolean {
  return filled.filter((cell) => /^\S*\d\S*$/.test(cell)).length > 0.5 * filled.length;
}

/** The part of a web address that names a product, or the path up to it. */
export const slugs: Fits = ({ profile }) => (profile.share('slug') >= MOSTLY ? 1 : 0);

export const pictures: Fits = ({ profile }) => {
  if (Math.max(profile.share('picture'), profile.share('url')) >= 0.7) return 1.3;
  const isList =
    profile.share('json-list') >= 0.7 &&
    profile.filled.some((cell) => /https?:|\.(jpe?g|png|webp)/i.test(cell));
  return isList || hasAddresses(profile) ? 1 : 0;
};

/** Pairs such as `URL: https://…` in each cell. */
function hasAddresses({ filled }: ColumnCandidate['profile']): boolean {
  const pairs = pairsIn(filled);
  return (
    pairs !== undefined &&
    [...pairs.values.values()].some((values) => values.every((value) => /^https?:\/\//i.test(value)))
  );
}

export const flags: Fits = ({ profile }) => (profile.share('yes-no') >= MOSTLY ? 1 : 0);

/** A few words that repeat. */
export const choices: Fits = ({ profile }) =>
  profile.distinct.size <= 12 && (profile.distinct.size < profile.filled.length || profile.filled.length < 12)
    ? 1
    : 0;

/** A column of mail addresses may hold wrong ones, which a check reports. */
export const mails: Fits = ({ profile }) => {
  if (profile.share('mail') >= 0.8) return 1.6;
  return profile.filled.filter((cell) => /\S@\S/.test(cell)).length >= MOSTLY * profile.filled.length ? 1 : 0;
};

export const phones: Fits = ({ profile }) => (profile.share('phone') >= 0.7 ? 1 : 0);

/** Dates, or seconds or milliseconds since 1970. */
export const dates: Fits = ({ profile }) =>
  profile.share('date') >= MOSTLY || profile.filled.every((cell) => /^\d{10}(\d{3})?$/.test(cell)) ? 1 : 0;

/** Names of places and streets. */
export const places: Fits = ({ profile }) =>
  profile.share('text') >= 0.5 && profile.share('mail') < 0.2 && profile.share('url') < 0.2 ? 1 : 0;

export const postcodes: Fits = ({ profile }) =>
  profile.filled.filter((cell) => /^[\p{L}\d][\p{L}\d\s-]{1,11}$/u.test(cell)).length >=
  0.8 * profile.filled.length
    ? 1
    : 0;

/** The price of one piece: a name such as `Price per 100` has another. A small number may count columns: `Price 1`. */
export function ofOne(candidate: ColumnCandidate): number {
  return candidate.reading.numbers.some((number) => number > 3) ? 0 : prices(candidate);
}

/** Values of options: one in a cell, or a list of them in the row of a product. */
export function valuesOrLists({ profile, numbers }: ColumnCandidate): number {
  const longest = numbers === undefined ? MAX_VALUE_LENGTH.alone : MAX_VALUE_LENGTH.numbered;
  const isLong = (cell: string) => cell.split(/[,;|]/).some((part) => part.length > longest);
  const long = profile.filled.filter(isLong).length;
  const isFlag = profile.share('yes-no') === 1;
  return long <= 0.02 * profile.filled.length && profile.share('url') < 0.1 && !isFlag ? 1 : 0;
}

/** Letters of a value. Numbered columns of options are so by their names: one that is read without the others loses these. */
const MAX_VALUE_LENGTH = { alone: 64, numbered: 160 };

export function codesOrWords(candidate: ColumnCandidate): number {
  return codes(candidate) > 0 && candidate.profile.share('url') < 0.1 ? 1 : 0;
}
