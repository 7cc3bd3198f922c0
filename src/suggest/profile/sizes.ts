/** Sizes in letters, as clothes have them: `S`, `XXL`, `3XL`. */
const IN_LETTERS = /^(\d?x{0,4}[sl]|m|xs\/s|s\/m|m\/l|l\/xl)$/i;

/** True if a text is a size in letters. */
export function isSize(text: string): boolean {
  return IN_LETTERS.test(text.trim());
}
