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
