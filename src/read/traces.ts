import { NO_VALUE_TEXTS } from '../model/index.ts';

/** A whole text of JSON that says that there is no value. */
const NO_VALUE = new RegExp(
  `" *(?:${NO_VALUE_TEXTS.map((text) => text.replace(/[?()/]/g, '\\$&')).join('|')}) *"`,
);

/**
 * Bytes of UTF-8, each as one character, that sound text hardly has: a number that a spreadsheet has rounded, a letter that was
 * lost (U+FFFD), and what UTF-8 becomes when it is read as Windows-1252 and written again. What these are worth, cell by cell, is
 * not known here.
 */
const TRACES =
  /\dE\+\d|\xEF\xBF\xBD|\xC3(?:[\x82\x83\x8E-\x91\x97-\x9B][\xC2\xC5\xC6\xCB\xE2]|\xA2\xE2\x82\xAC|\xA2\xE2\x80[\x9A\x9E]|\xAF\xC2)/;
/** The same where JSON writes letters as escapes. */
const ESCAPED = /\\u(?:fffd|00(?:c[23ef]|d[0-9ab]|e2|ef)\\u)/i;

const LOST = Buffer.from('\uFFFD');

/** Whether bytes should be looked at for damage; most have none of what the traces begin with, and cost nothing. */
export function mayBeDamaged(bytes: Buffer): boolean {
  return (
    (bytes.includes(0xc3) || bytes.includes('E+') || bytes.includes(LOST)) &&
    TRACES.test(bytes.toString('latin1'))
  );
}

export function mayBeDamagedItem(bytes: Buffer, text: string): boolean {
  return mayBeDamaged(bytes) || ESCAPED.test(text) || NO_VALUE.test(text);
}
