/**
 * Characters of Windows-1252 for the bytes 0x80 to 0x9F. For a byte that it leaves undefined, the control character.
 */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
/** Marks that may follow a capital letter in sound text as well: “AMANHÃ”, «IRMÃ». */
const MARKS = '‘’“”–—»';
const FOLLOWING = `[\u0080-\u00bf${HIGH}]`;

/**
 * Matches UTF-8 that was read as Windows-1252 and saved as UTF-8: letters with accents, punctuation, a byte order mark,
 * and letters of other scripts. Of the latter one pair alone proves nothing.
 */
const GARBLED = new RegExp(
  [
    `[ÂÃ](?:(?![${MARKS}])${FOLLOWING}|[${MARKS}](?=\\p{L}))`,
    `â[€‚„]${FOLLOWING}`,
    'ï(?:»¿|¿½)',
    ...['[ÎÏ]', '[ÐÑ]', '[Ø-Û]'].map((lead) => `(?:${lead}${FOLLOWING}){2,}`),
    // × is also a sign between fractions.
    `(?:×${FOLLOWING}){3,}`,
  ].join('|'),
  'u',
);

const EVERY = new RegExp(GARBLED, 'gu');

/** Finds the first piece of a text that was decoded twice, and its original. */
export function garbledIn(text: string): { readonly found: string; readonly meant: string } | undefined {
  const found = GARBLED.exec(text)?.[0];
  const meant = found && decoded(found);
  return found && meant ? { found, meant } : undefined;
}

/** Restores the original of each such piece in a text. */
export function ungarbled(text: string): string {
  return text.replace(EVERY, (found) => decoded(found) ?? found);
}

function decoded(found: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(found, byteOf));
  } catch {
    return undefined;
  }
}

function byteOf(letter: string): number {
  const high = HIGH.indexOf(letter);
  return high === -1 ? letter.charCodeAt(0) : 0x80 + high;
}
