import type { Concept, Words } from '../words/concepts.ts';
import { wordsIn } from './tokens.ts';

/** Finds what words can mean, in all languages at once: an export mixes languages, and its own is not known. */
export interface Dictionary {
  /** Phrases that begin with this word, longest first. */
  phrasesFrom(word: string): readonly Phrase[];
  /** Concepts of a single word. */
  concepts(word: string): readonly Concept[] | undefined;
  /**
   * Reads an unknown word as known ones: a plural in s as its singular, a compound such as `lagerbestand` as its parts. Undefined if a
   * part is unknown.
   */
  cut(word: string): readonly string[] | undefined;
}

export interface Phrase {
  readonly words: readonly string[];
  readonly concepts: readonly Concept[];
}

/** Letters that join the parts of compounds in German, Dutch and the Nordic languages. */
const JOINTS = ['', 's', 'n', 'en', 'e', 'es'];
/** Least letters of a part: shorter words are inside others by chance. Scripts without blanks have words of one letter. */
const SHORTEST_PART = 3;
/** Endings of plurals, with those of their singulars. */
const PLURALS = [
  ['s', ''],
  ['es', ''],
  ['ies', 'y'],
] as const;
const NO_BLANKS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+$/u;

export function createDictionary(languages: Readonly<Record<string, Words>>): Dictionary {
  const phrases = new Map<string, Map<string, Set<Concept>>>();
  for (const words of Object.values(languages))
    for (const [concept, list] of Object.entries(words) as [Concept, string][])
      for (const entry of list.split(',')) {
        const parts = wordsIn(entry);
        const [first] = parts;
        if (first === undefined) continue;
        const key = parts.join(' ');
        const known = phrases.get(first) ?? new Map<string, Set<Concept>>();
        known.set(key, (known.get(key) ?? new Set()).add(concept));
        phrases.set(first, known);
      }
  const ordered = new Map(
    [...phrases].map(([first, known]) => [
      first,
      [...known]
        .map(([key, concepts]) => ({ words: key.split(' '), concepts: [...concepts] }))
        .sort((a, b) => b.words.length - a.words.length),
    ]),
  );
  const concepts = (word: string) => ordered.get(word)?.find(({ words }) => words.length === 1)?.concepts;

  function singularOf(word: string): string | undefined {
    const stems = PLURALS.filter(([plural]) => word.endsWith(plural)).map(
      ([plural, singular]) => `${word.slice(0, -plural.length)}${singular}`,
    );
    return stems.find((stem) => stem.length > SHORTEST_PART && concepts(stem) !== undefined);
  }

  function cut(word: string): readonly string[] | undefined {
    const singular = singularOf(word);
    if (singular !== undefined) return [singular];
    const shortest = NO_BLANKS.test(word) ? 1 : SHORTEST_PART;
    // "id" is too short for a part, but many names end with it: `productid`.
    if (word.endsWith('id') && word.length > 4) {
      const thing = word.slice(0, -2);
      if (concepts(thing) && concepts('id')) return [thing, 'id'];
    }
    for (let length = word.length - shortest; length >= shortest; length--) {
      const first = word.slice(0, length);
      if (!concepts(first)) continue;
      const rest = word.slice(length);
      for (const joint of shortest === 1 ? [''] : JOINTS) {
        if (!rest.startsWith(joint)) continue;
        const other = rest.slice(joint.length);
        const tail = concepts(other) ? [other] : other.length > shortest ? cut(other) : undefined;
        if (tail) return [first, ...tail];
      }
    }
    return undefined;
  }

  return { phrasesFrom: (word) => ordered.get(word) ?? [], concepts, cut };
}
