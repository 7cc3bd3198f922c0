/**
 * Characters that control a terminal or are invisible: control characters except line breaks and tabs; marks, overrides and
 * isolates that change the direction of text, and so its meaning; line and paragraph separators; blanks without width; and
 * tags, which repeat ASCII invisibly. The joiners U+200C and U+200D stay: letters and emoji need them.
 */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;

/** Text that is safe to show in a terminal: these characters become `\u202e`, which JSON reads as the same character. */
export function visible(text: string): string {
  return text.replace(UNSEEN, escaped);
}

function escaped(characters: string): string {
  return characters
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Characters of a wrong word that are enough to recognise it. */
const LONGEST_WORD = 80;

/** A word of the command line for a message: on one line, and cut if it is long. */
export function shownWord(word: string): string {
  return cutText(visible(word.replace(/[\n\t]/g, escaped)), LONGEST_WORD);
}

/** The text, or as many of its characters as there is room for, the last of them an ellipsis. */
export function cutText(text: string, most: number): string {
  // Half a surrogate pair is no character.
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
