import { wordsIn } from '../../src/suggest/names/tokens.ts';
import type { Concept, Words } from '../../src/suggest/words/concepts.ts';
import type { Languages } from './evidence.ts';

/** Word lists without what is known of one platform only. */
export interface TakenOut {
  readonly languages: Languages;
  /** The entries that are gone, in alphabetical order. */
  readonly words: readonly string[];
}

/**
 * Takes out of all languages the entries that no other platform's column shows. An entry that no column of any platform has
 * stays: it is from a published translation. So does the name of a concept, such as `brand` for brands.
 */
export function takeOut(
  languages: Languages,
  evidence: ReadonlyMap<string, ReadonlySet<string>>,
  platform: string,
): TakenOut {
  const gone = new Set<string>();
  const isKept = (entry: string, concept: string) => {
    const key = wordsIn(entry).join(' ');
    const platforms = evidence.get(key);
    if (!platforms?.has(platform) || platforms.size > 1 || key === concept) return true;
    gone.add(key);
    return false;
  };
  const reduced = Object.entries(languages).map(([language, words]): [string, Words] => [
    language,
    Object.fromEntries(
      (Object.entries(words) as [Concept, string][]).map(([concept, list]) => [
        concept,
        list
          .split(', ')
          .filter((entry) => isKept(entry, concept))
          .join(', '),
      ]),
    ),
  ]);
  return { languages: Object.fromEntries(reduced), words: [...gone].sort() };
}
