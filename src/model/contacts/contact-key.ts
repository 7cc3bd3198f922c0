import { normalisedKey } from '../text/identifier.ts';
import { phoneKey } from './phone-key.ts';

/**
 * Normalises a key, and lowercases it if it is a mail address, since capitals there reach the same person. Lowercases
 * ASCII only, as SQLite does.
 */
function mailKey(key: string): string {
  const normalised = normalisedKey(key);
  return normalised.includes('@')
    ? normalised.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    : normalised;
}

/**
 * Normalises the key of a person for every comparison: a mail address as `mailKey` does, and a phone number to E.164, since
 * it is one number in all spellings: `+1 (415) 555-1234` and `0014155551234`. A number without the code of its country is
 * read as one of `country`; without it, it stays as it is.
 */
export function contactKey(key: string, country?: string): string {
  const normalised = mailKey(key);
  return normalised.includes('@') ? normalised : (phoneKey(normalised, country) ?? normalised);
}
