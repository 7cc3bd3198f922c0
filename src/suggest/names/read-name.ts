import type { Concept } from '../words/concepts.ts';
import type { Dictionary } from './dictionary.ts';
import { tokensOf } from './tokens.ts';

/** The meaning of a column's name. */
export interface NameReading {
  /** The concepts of each known word. */
  readonly terms: readonly (readonly Concept[])[];
  /** Words that no language of the dictionary has. */
  readonly unknown: readonly string[];
  /** Numbers in it, such as 2 in `Image 2`. */
  readonly numbers: readonly number[];
}

/** Codes of languages and countries that are no other word: a column for each of them holds the same kind of value. */
const PLAIN_CODES = 'fr es pt nl pl ru sv cs tr ja ar zh hans hant uk gb us br ca mx at ch'.split(' ');

/** Words that do not change what a column means: small words, letters of date formats, languages and countries. */
const EMPTY_WORDS = new Set([
  ...PLAIN_CODES,
  ...(
    'one two three four five a actual each applies actuel an and as at atual by current for from in is it of on or our per the this to use with x y z ' +
    'de del della delle dello des di do da dos das du d e el en et i il la las le les los l na o od per por sur un una und une vom von zu zum zur ' +
    'der die das des dem den fur mit im am av och og for til pa van het voor op z w ve ile за на в и по для от の を no yyyy mm dd'
  ).split(' '),
]);

/** Codes of languages and countries at the end of a name, such as `stock_de`. Elsewhere some of them are small words. */
export const REGION_CODES: ReadonlySet<string> = new Set([
  ...PLAIN_CODES,
  ...'cz sk jp cn de it en ie be dk se no fi hu ro bg gr eu'.split(' '),
]);

/** Small words that say a time if they end a name: `Sale from`, `Angebot bis`. */
const LAST_WORDS: ReadonlyMap<string, Concept> = new Map([
  ...'from since ab von depuis desde dal dalla od van vanaf fra fran с від'
    .split(' ')
    .map((word): [string, Concept] => [word, 'start']),
  ...'to until till bis jusqu hasta ate al fino do tot til по до'
    .split(' ')
    .map((word): [string, Concept] => [word, 'end']),
]);

/** Small words that begin no name of several words: there they are abbreviations, such as `PA HT`, a purchase price. */
const NEVER_FIRST = new Set('pa na od za do op ve w u d e'.split(' '));

/** Small words that alone say what a price is for. */
const ONLY_WORDS = new Set('per pro je pe par por'.split(' '));

/** The same at the end of the name of a price: `price_per`, `Cena za`. */
const AFTER_PRICE = new Set('per pro je za par por за'.split(' '));

/** Articles that end no name: there `L` is a size, as in `Stock L`. */
const NEVER_LAST = 'l';

/**
 * Reads a name as concepts. The longest phrase of the dictionary comes first; a word that is in no phrase is cut into known
 * words if possible. Words of `noise` are ignored.
 */
export function readName(
  name: string,
  dictionary: Dictionary,
  noise: ReadonlySet<string> = NO_NOISE,
): NameReading {
  const { words, inBrackets } = tokensOf(name);
  const reading = readWords(
    words.filter((word) => !noise.has(word)),
    dictionary,
  );
  // Brackets hold explanations: unknown words there are units, formats or names.
  const explained = readWords(inBrackets, dictionary);
  const known = words.length === 0 ? explained : reading;
  return { ...known, terms: [...reading.terms, ...explained.terms] };
}

const NO_NOISE: ReadonlySet<string> = new Set();

function readWords(words: readonly string[], dictionary: Dictionary): NameReading {
  const terms: (readonly Concept[])[] = [];
  const unknown: string[] = [];
  const numbers: number[] = [];
  const [only = '', ...others] = words;
  if (others.length === 0 && ONLY_WORDS.has(only)) return { terms: [['basis']], unknown, numbers };
  for (let at = 0; at < words.length; ) {
    const word = words[at] as string;
    const phrase = dictionary
      .phrasesFrom(word)
      .find((each) => each.words.every((other, index) => words[at + index] === other));
    if (phrase) {
      terms.push(phrase.concepts);
      at += phrase.words.length;
      continue;
    }
    at++;
    const isLast = at === words.length;
    const time = isLast && terms.length > 0 ? LAST_WORDS.get(word) : undefined;
    if (time !== undefined) terms.push([time]);
    else if (isLast && AFTER_PRICE.has(word) && terms.at(-1)?.includes('price')) terms.push(['basis']);
    else if (/^\d+$/.test(word)) numbers.push(Number(word));
    else if (!EMPTY_WORDS.has(word) || isOutOfPlace(word, at, words.length)) {
      const parts = dictionary.cut(word);
      if (parts) terms.push(...parts.map((part) => dictionary.concepts(part) ?? []));
      else unknown.push(word);
    }
  }
  return { terms, unknown, numbers };
}

/** True if a small word has a meaning of its own. `at`: the place behind it. */
function isOutOfPlace(word: string, at: number, length: number): boolean {
  return length > 1 && ((at === 1 && NEVER_FIRST.has(word)) || (at === length && word === NEVER_LAST));
}

/** True if any word of the name can mean this. */
export function says({ terms }: NameReading, concept: Concept): boolean {
  return terms.some((term) => term.includes(concept));
}
