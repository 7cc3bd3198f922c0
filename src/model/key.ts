/** Keys are compared after Unicode normalisation and trimming. */
export function normalisedKey(key: string): string {
  return key.normalize('NFC').trim();
}
