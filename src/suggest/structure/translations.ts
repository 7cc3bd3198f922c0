import type { Dictionary } from '../names/dictionary.ts';
import { readName, says } from '../names/read-name.ts';
import { isBlankCell, type SampleColumn } from '../profile/profile.ts';
import type { Concept } from '../words/concepts.ts';
import type { StraySkip } from './stray-skip.ts';

/** `en`, `de-DE`, `pt_BR`, or the name of a language. */
const LANGUAGE = /^\p{L}{2,12}([-_]\p{L}{2,4})?$/u;
/** A file in more languages is not understood. */
const MAX_LANGUAGES = 9;
/** Share of the codes that are in another language too. */
const MIN_TRANSLATED = 0.5;

/** Words of the columns that identify a product. Books in several languages have other codes. */
const CODES: readonly Concept[] = ['sku', 'code', 'id', 'reference', 'number', 'model', 'slug', 'barcode'];

/**
 * Finds the rows that say a product again in another language: there is a column of languages, and a code that each language has once.
 * The store has no field for translations, so the language of the first row is kept. None if a code is in the others only,
 * since its product would be lost. `rows`: indexes of the records.
 */
export function findTranslations(
  columns: readonly SampleColumn[],
  dictionary: Dictionary,
  rows: readonly number[],
): StraySkip[] {
  const read = columns.map(({ name, cells }) => ({
    ...{ name, reading: readName(name, dictionary) },
    cells: rows.map((row) => (cells[row] ?? '').trim()),
  }));
  const codes = read.filter(({ reading }) => CODES.some((code) => says(reading, code)));
  for (const { name, reading, cells: languages } of read) {
    const [kept = '', ...others] = new Set(languages);
    const areLanguages = [kept, ...others].every((cell) => LANGUAGE.test(cell));
    // A shop of Magento has a view for each language, such as `default` and `fr_CA`.
    const isNamed = says(reading, 'language') || (says(reading, 'store') && others.every(isLanguageCode));
    if (!isNamed || !areLanguages || others.length === 0 || others.length >= MAX_LANGUAGES) continue;
    if (!codes.some(({ cells }) => areTranslated(cells, languages))) continue;
    return others.map((other) => ({
      when: { [name]: other },
      why: `it is in the language ${JSON.stringify(other)}`,
      rows: rows.filter((_, n) => languages[n] === other),
    }));
  }
  return [];
}

/** True for `fr`, `fr_CA`: words may be names of shops. */
function isLanguageCode(cell: string): boolean {
  return /^[a-z]{2}([-_][a-z]{2})?$/i.test(cell);
}

/** True if each language has a code once at most, the first language has all of them, and another one most. */
function areTranslated(codes: readonly string[], languages: readonly string[]): boolean {
  const pairs = new Set(codes.map((code, n) => JSON.stringify([code, languages[n]])));
  const first = new Set(codes.filter((_, n) => languages[n] === languages[0]));
  const again = new Set(codes.filter((_, n) => languages[n] !== languages[0]));
  return (
    pairs.size === codes.length &&
    codes.every((code) => !isBlankCell(code) && first.has(code)) &&
    again.size >= MIN_TRANSLATED * first.size
  );
}
