import { BOOLEAN_WORDS } from '../../map/index.ts';

/** Kinds of cells that are recognised by their form alone. */
export type Look =
  | 'number'
  | 'amount'
  | 'url'
  | 'picture'
  | 'mail'
  | 'phone'
  | 'html'
  | 'date'
  | 'yes-no'
  | 'json-list'
  | 'json-object'
  | 'slug'
  /** A hash, a UUID, or a long identifier behind a prefix, such as `prod_…`. */
  | 'machine-id'
  | 'text';

/** `Name: value`, as some exports write several values in one cell. An address has no blank after its colon. */
const PAIRS = /^[^:,;|]{2,40}: /;
const ADDRESS = /^(https?:)?\/\/[^\s/]+/i;
const PICTURE_FILE = /\.(jpe?g|png|gif|webp|avif|svg|bmp|tiff?|heic)\b/i;
/** Digits with separators, and a currency sign or code at either end. */
const AMOUNT = /^[+-]?\s*[^\d\s.,+-]{0,4}\s?[+-]?[.,]?\d[\d.,'’ \u00a0\u202f]*\s?[^\d\s.,+-]{0,4}$/;
const NUMBER = /^[+-]?[.,]?\d[\d.,'’ \u00a0\u202f]*$/;
const LETTERS = /\p{L}/u;
const DATE =
  /^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2} \p{L}{3,9} \d{4}|\p{L}{3,9} \d{1,2}, \d{4})([T ,].*)?$/u;
/** Some databases write -1 for a yes. */
const YES_NO = new Set([...BOOLEAN_WORDS.keys(), '-1']);
const TAG = /<\/?(p|br|div|span|ul|ol|li|b|i|strong|em|h[1-6]|a|img|table|tr|td|font|section|hr)\b[^<>]*>/i;

/** For each look, whether a cell has it. A cell may have several. */
export const LOOKS: Readonly<Record<Look, (cell: string) => boolean>> = {
  number: (cell) => NUMBER.test(cell),
  amount: (cell) => AMOUNT.test(cell) && !DATE.test(cell),
  url: (cell) => ADDRESS.test(cell),
  picture: (cell) =>
    (PICTURE_FILE.test(cell) && !PAIRS.test(cell)) ||
    (ADDRESS.test(cell) && /image|img|photo|media|cdn/i.test(cell)),
  mail: (cell) => /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/.test(cell),
  phone: (cell) =>
    /^['(+]?[\d\s()./+x-]{6,24}$/i.test(cell) && cell.replaceAll(/\D/g, '').length >= 6 && !DATE.test(cell),
  html: (cell) => TAG.test(cell),
  date: (cell) => DATE.test(cell),
  'yes-no': (cell) => YES_NO.has(cell.toLowerCase()),
  'json-list': (cell) => cell.startsWith('[') && cell.endsWith(']') && isJson(cell),
  'json-object': (cell) => cell.startsWith('{') && cell.endsWith('}') && isJson(cell),
  'machine-id': (cell) =>
    /^([0-9a-f]{24,}|[0-9a-f]{8}-[0-9a-f-]{27}|[a-z]+_[0-9A-Z]{20,})([|,;].*)?$/.test(cell),
  slug: (cell) => /^[^\s,;|]{1,255}$/.test(cell) && !ADDRESS.test(cell),
  text: (cell) => LETTERS.test(cell) && !ADDRESS.test(cell),
};

function isJson(cell: string): boolean {
  try {
    JSON.parse(cell);
    return true;
  } catch {
    return false;
  }
}
