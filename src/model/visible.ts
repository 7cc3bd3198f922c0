import { cutText } from './cut.ts';

/**
 * Characters that steer a terminal or are not seen: control characters but for line breaks and tabs; marks, overrides and
 * isolates that change the direction of text, so that it reads otherwise than it is; line and paragraph separators; blanks
 * without width; and tags, which repeat ASCII invisibly. The joiners U+200C and U+200D stay: letters and emoji need them.
 */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;

/** Text as a terminal may show it: these characters as `\u202e`, which is the same text where it stands in JSON. */
export function visible(text: string): string {
  return text.replace(UNSEEN, escaped);
}

function escaped(characters: string): string {
  return characters
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Nobody reads more of a word that no command knows. */
const LONGEST_WORD = 80;

/** A word of the command line within a message: in one line, and not too long. */
export function shownWord(word: string): string {
  return cutText(visible(word.replace(/[\n\t]/g, escaped)), LONGEST_WORD);
}
