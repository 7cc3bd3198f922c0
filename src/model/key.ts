/** Keys are compared after Unicode normalisation and trimming. */
export function normalisedKey(key: string): string {
  return key.normalize('NFC').trim();
}

/** A mail address in other capitals reaches the same person: a key that is one is compared in small letters. ASCII only, as SQLite does. */
export function mailKey(key: string): string {
  const normalised = normalisedKey(key);
  return normalised.includes('@')
    ? normalised.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    : normalised;
}
