import { cutText } from '../model/index.ts';

/** Blanks and control characters, in a row. */
const BLANKS = /[\s\u0000-\u001f\u007f-\u009f]+/g;

/** The text in one line, without control characters. */
export function squeezed(text: string): string {
  return text.replace(BLANKS, ' ').trim();
}

/** The text in one line, with an ellipsis in place of the rest after `most` characters. */
export function oneLine(text: string, most: number): string {
  // Cut before squeezing as well: the rest may be megabytes.
  return cutText(squeezed(text.slice(0, 4 * most)), most + 1);
}
