import { ARABIC } from './ar.ts';
import type { Words } from './concepts.ts';
import { CZECH } from './cs.ts';
import { DANISH } from './da.ts';
import { GERMAN } from './de.ts';
import { GREEK } from './el.ts';
import { ENGLISH } from './en.ts';
import { SPANISH } from './es.ts';
import { FINNISH } from './fi.ts';
import { FRENCH } from './fr.ts';
import { HEBREW } from './he.ts';
import { HUNGARIAN } from './hu.ts';
import { INDONESIAN } from './id.ts';
import { ITALIAN } from './it.ts';
import { JAPANESE } from './ja.ts';
import { KOREAN } from './ko.ts';
import { DUTCH } from './nl.ts';
import { POLISH } from './pl.ts';
import { PORTUGUESE } from './pt.ts';
import { ROMANIAN } from './ro.ts';
import { RUSSIAN } from './ru.ts';
import { SWEDISH } from './sv.ts';
import { THAI } from './th.ts';
import { TURKISH } from './tr.ts';
import { UKRAINIAN } from './uk.ts';
import { VIETNAMESE } from './vi.ts';
import { CHINESE } from './zh.ts';

/** The words of each language, by its code (ISO 639-1). */
export const LANGUAGES: Readonly<Record<string, Words>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  it: ITALIAN,
  pt: PORTUGUESE,
  nl: DUTCH,
  pl: POLISH,
  ru: RUSSIAN,
  sv: SWEDISH,
  da: DANISH,
  cs: CZECH,
  tr: TURKISH,
  ja: JAPANESE,
  ar: ARABIC,
  zh: CHINESE,
  ko: KOREAN,
  fi: FINNISH,
  hu: HUNGARIAN,
  ro: ROMANIAN,
  uk: UKRAINIAN,
  el: GREEK,
  th: THAI,
  vi: VIETNAMESE,
  id: INDONESIAN,
  he: HEBREW,
};
