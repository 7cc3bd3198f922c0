import { wordsIn } from '../names/tokens.ts';

/** The name that comes first in cells with whole names. */
export type FirstPart = 'given' | 'family';

/** Share of the cells with evidence that must agree, and the share of all cells that must have some. */
const MIN_AGREEING = 0.9;
const MIN_DECIDED = 0.3;

/** The name that most cells have first by their own letters; undefined if they do not show it. */
export function orderByCells(cells: readonly string[]): FirstPart | undefined {
  const decided = cells.flatMap((cell) => orderIn(cell) ?? []);
  if (decided.length === 0 || decided.length < MIN_DECIDED * cells.length) return undefined;
  const family = decided.filter((first) => first === 'family').length;
  if (family >= MIN_AGREEING * decided.length) return 'family';
  return decided.length - family >= MIN_AGREEING * decided.length ? 'given' : undefined;
}

function orderIn(cell: string): FirstPart | undefined {
  const words = cell.trim().split(/\s+/);
  const [first = '', second = ''] = words;
  const last = words.at(-1) ?? '';
  if (words.length < 2 || cell.includes(',')) return undefined;
  // Иванов Иван Иванович, and Иван Иванович Иванов.
  if (words.length === 3 && PATRONYMIC.test(last) !== PATRONYMIC.test(second))
    return PATRONYMIC.test(last) ? 'family' : 'given';
  // DUPONT Jean
  if (isInCapitals(first) !== isInCapitals(last)) return isInCapitals(first) ? 'family' : 'given';
  if (isFamilyName(first) === isFamilyName(last)) return undefined;
  return isFamilyName(first) ? 'family' : 'given';
}

function isInCapitals(word: string): boolean {
  return /^[\p{Lu}'’-]{3,}$/u.test(word);
}

const PATRONYMIC = /(?:ович|евич|ьич|овна|евна|ична|івна|ївна)$/iu;

/** Endings of last names that first names rarely have. */
const FAMILY =
  /(?:ов|ев|ёв|ова|ева|ёва|ин|ын|ина|ына|ский|ская|цкий|цкая|ський|ська|цький|цька|енко|чук|дзе|швили|швілі)$|(?:ski|ska|cki|cka|dzki|dzka|wicz|czyk|ová|ić|enko|chuk|ssen|sson|dóttir|escu|eanu|oğlu|opoulos|shvili|adze)$/iu;
/** First names that end so, in lower case. */
const GIVEN: ReadonlySet<string> = new Set(
  (
    'константин валентин марина ирина нина полина кристина галина алина екатерина ангелина карина регина сабина валентина дарина ' +
    'лев яков мартин антонина альбина арина лина августин зина христина катерина эвелина аделина ева веселин веселина мадина эмин руфина крістіна'
  ).split(' '),
);

function isFamilyName(word: string): boolean {
  return FAMILY.test(word) && !GIVEN.has(word.toLowerCase());
}

/** Names of columns in which a family name comes first: in Hungarian, in Vietnamese, and those that say it. */
const HUNGARIAN: ReadonlySet<string> = new Set(['nev', 'neve', 'ugyfel', 'vevo', 'vasarlo']);
const SAYS_ORDER = /h[oọ]\s+(?:v[aà]\s+)?t[eê]n|фио|піб/iu;

/** True if the language of a column's name puts the family name first. */
export function isFamilyFirstLanguage(name: string): boolean {
  return SAYS_ORDER.test(name.normalize('NFC')) || wordsIn(name).some((word) => HUNGARIAN.has(word));
}
