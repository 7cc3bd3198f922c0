import { NO_VALUE_TEXTS } from '../model/index.ts';

/** A JSON string that says that there is no value. */
const NO_VALUE = new RegExp(
  `" *(?:${NO_VALUE_TEXTS.map((text) => text.replace(/[?()/]/g, '\\$&')).join('|')}) *"`,
);

/**
 * Byte sequences that undamaged text hardly ever contains, with each byte as one character (latin1): a number that a
 * spreadsheet has rounded, a lost letter (U+FFFD), and UTF-8 that was read as Windows-1252 and saved again.
 * `src/suspect` decides cell by cell which of them count.
 */
const TRACES =
  /\dE\+\d|\xEF\xBF\xBD|\xC3(?:[\x82\x83\x8E-\x91\x97-\x9B][\xC2\xC5\xC6\xCB\xE2]|\xA2\xE2\x82\xAC|\xA2\xE2\x80[\x9A\x9E]|\xAF\xC2)/;
/** The same sequences as JSON escapes. */
const ESCAPED = /\\u(?:fffd|00(?:c[23ef]|d[0-9ab]|e2|ef)\\u)/i;

const LOST = Buffer.from('\uFFFD');

/**
 * True if bytes should be inspected for damage. Most bytes contain none of the first bytes of a trace and cost nothing.
 */
export function mayBeDamaged(bytes: Buffer): boolean {
  return (
    (bytes.includes(0xc3) || bytes.includes('E+') || bytes.includes(LOST)) &&
    TRACES.test(bytes.toString('latin1'))
  );
}

export function mayBeDamagedItem(bytes: Buffer, text: string): boolean {
  return mayBeDamaged(bytes) || ESCAPED.test(text) || NO_VALUE.test(text);
}
