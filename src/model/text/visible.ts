/**
 * Characters that control a terminal or are invisible: control characters except line breaks and tabs; marks, overrides
 * and isolates that change the direction of text, and so its meaning; line and paragraph separators; zero-width blanks;
 * tags, which repeat ASCII invisibly. The joiners U+200C and U+200D stay, since letters and emoji need them.
 */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;

/** Makes text safe for a terminal: escapes such characters as in `\u202e`, which JSON parses to the same character. */
export function visible(text: string): string {
  return text.replace(UNSEEN, escaped);
}

function escaped(characters: string): string {
  return characters
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Length at which a wrong word is still recognisable. */
const LONGEST_WORD = 80;

/** Formats a word of the command line for a message: on one line, and cut if it is long. */
export function shownWord(word: string): string {
  return cutText(visible(word.replace(/[\n\t]/g, escaped)), LONGEST_WORD);
}

/** Cuts a text to a length, with an ellipsis as its last character. */
export function cutText(text: string, most: number): string {
  // Half a surrogate pair is not a character.
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Names of columns that a message lists, and the length of each. */
const MAX_NAMES = 12;
const MAX_NAME_LENGTH = 80;

/** Lists the first names of a header for a message. */
export function listedNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => cutText(name, MAX_NAME_LENGTH));
  return `${shown.join(', ')}${names.length > MAX_NAMES ? ', …' : ''}`;
}

/** Longer words and quotes are no paths: systems have up to 4,096 bytes. Begins at their first character, so each is read once. */
const LONG_WORD = /(?<![^\s"])[^\s"]{5001,}|"[^"\n]{5001,}(?=")/g;
const CUT_WORD_LENGTH = 200;

/** Cuts names and cells from a damaged file, which may have a million characters, in a text for people. */
export function cutLongWords(text: string): string {
  return text.replace(LONG_WORD, (word) => cutText(word, CUT_WORD_LENGTH));
}
