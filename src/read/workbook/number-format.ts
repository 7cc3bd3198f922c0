import { type FormatToken, format, tokenize } from 'numfmt';
import { cellText } from '../../model/index.ts';
import { type DateParts, datePartsOf, dateText } from './dates.ts';

/** The workbook of a number, and a callback. */
export interface FormatContext {
  /** True if days are counted from 1904. */
  readonly is1904: boolean;
  /** Called if the text of a number has fewer digits than the number. */
  onRounded(): void;
}

/** How a cell with a number is written as text. */
export interface NumberFormat {
  /** Returns the text of a number. `raw`: as the workbook has it. */
  text(raw: string, context: FormatContext): string;
  /** The parts of a date that it shows; undefined if it shows no date. */
  readonly dateParts?: DateParts | undefined;
}

/** Number formats that every workbook has without listing them (ECMA-376 part 1, 18.8.30). */
const BUILT_IN: Readonly<Record<number, string>> = {
  ...{ 1: '0', 2: '0.00', 3: '#,##0', 4: '#,##0.00', 9: '0%', 10: '0.00%', 11: '0.00E+00' },
  ...{ 12: '# ?/?', 13: '# ??/??', 14: 'm/d/yy', 15: 'd-mmm-yy', 16: 'd-mmm', 17: 'mmm-yy' },
  ...{ 18: 'h:mm AM/PM', 19: 'h:mm:ss AM/PM', 20: 'h:mm', 21: 'h:mm:ss', 22: 'm/d/yy h:mm' },
  ...{ 5: '0', 6: '0', 7: '0.00', 8: '0.00', 37: '0', 38: '0', 39: '0.00', 40: '0.00' },
  ...{ 41: '0', 42: '0', 43: '0.00', 44: '0.00', 45: 'mm:ss', 46: '[h]:mm:ss', 47: 'mm:ss.0' },
  // Dates in the calendars of East Asia.
  ...Object.fromEntries([27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, 'yyyy-m-d'])),
  ...Object.fromEntries([32, 33, 34, 35, 55, 56].map((id) => [id, 'h:mm:ss'])),
};

export function builtInPattern(id: number): string {
  return BUILT_IN[id] ?? 'General';
}

export const GENERAL: NumberFormat = { text: plainNumber };

/**
 * Compiles a number format. It writes the text that a person sees in the workbook, with three exceptions, so that a
 * mapping can read it: dates are ISO text, numbers have a point and no other separators or currency signs, and numbers
 * in scientific or fractional notation have all their digits.
 */
export function compileNumberFormat(pattern: string): NumberFormat {
  try {
    const dateParts = datePartsOf(pattern);
    if (dateParts)
      return {
        dateParts,
        text: (raw, { is1904 }) => dateText(Number(raw), dateParts, is1904) ?? plainNumber(raw),
      };
    const sections = sectionsOf(tokenize(pattern));
    // The last of several sections may be for text.
    const numeric = sections.filter((section) => !section.some(({ type }) => type === 'text'));
    const [first] = numeric;
    if (first === undefined || first.some(({ type }) => EXACT.has(type))) return GENERAL;
    return numeric.every(isPlainNumber) ? compileSections(numeric) : compileShown(pattern);
  } catch {
    // Excel repairs such a workbook, and shows the number as it is.
    return GENERAL;
  }
}

/** Parts of a format whose numbers are written with all their digits. */
const EXACT: ReadonlySet<string> = new Set(['general', 'exp', 'slash', 'scale', 'error']);
/** Parts of a format that stand for a digit. */
const DIGITS: ReadonlySet<string> = new Set(['zero', 'hash', 'qmark']);
/** Parts that may be between digits. */
const WITHIN: ReadonlySet<string> = new Set([...DIGITS, 'group', 'point']);
/** Parts of a format that do not change the number. */
const PLAIN: ReadonlySet<string> = new Set([
  ...[...WITHIN, 'percent', 'minus', 'plus', 'paren', 'space'],
  ...['skip', 'fill', 'color', 'condition', 'locale', 'comma', 'modifier'],
]);

/** True if a section shows a number, perhaps with signs and a currency. With other text, it shows a code. */
function isPlainNumber(section: readonly FormatToken[]): boolean {
  const digits = section.flatMap(({ type }, index) => (DIGITS.has(type) ? [index] : []));
  const [first = 0, last = -1] = [digits[0], digits.at(-1)];
  if (!section.slice(first, last + 1).every(({ type }) => WITHIN.has(type))) return false;
  return section.every(({ type, value }) => PLAIN.has(type) || isSign(String(value).trim()));
}

function isSign(text: string): boolean {
  return /^[\s()\p{Sc}+-]*$/u.test(text) || SIGNS.has(text) || CURRENCIES.has(text);
}

/** Codes of ISO 4217. */
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
/** Signs of currencies that are not Unicode currency symbols. */
const SIGNS: ReadonlySet<string> = new Set([
  'kr',
  'kr.',
  'zł',
  'Fr.',
  'Kč',
  'Ft',
  'lei',
  'лв.',
  'руб.',
  'R$',
]);

function sectionsOf(tokens: readonly FormatToken[]): FormatToken[][] {
  const sections: FormatToken[][] = [[]];
  for (const token of tokens)
    if (token.type === 'break') sections.push([]);
    else sections.at(-1)?.push(token);
  return sections;
}

/** Writes a number as the section with its condition shows it (`[>=1000]#,##0;0.00`); without conditions, as the first. */
function compileSections(sections: readonly FormatToken[][]): NumberFormat {
  const conditions = sections.map(conditionOf);
  const [first = GENERAL, ...others] = sections.map(compileDecimals);
  if (conditions.every((holds) => holds === undefined)) return first;
  const last = others.at(-1) ?? first;
  return {
    text(raw, context) {
      const at = conditions.findIndex((holds) => holds?.(Number(raw)));
      return (at < 0 ? last : ([first, ...others][at] ?? last)).text(raw, context);
    },
  };
}

const COMPARISONS: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '=': (value, limit) => value === limit,
  '<>': (value, limit) => value !== limit,
};

function conditionOf(section: readonly FormatToken[]): ((value: number) => boolean) | undefined {
  const found = section.find(({ type }) => type === 'condition');
  if (found === undefined) return undefined;
  const [sign = '', limit] = found.value as unknown as readonly string[];
  const compare = COMPARISONS[sign];
  return compare && ((value) => compare(value, Number(limit)));
}

/** Writes numbers with the digits of a format such as `0000` or `#,##0.00 "€"`, as its first section shows them. */
function compileDecimals(tokens: readonly FormatToken[]): NumberFormat {
  const section = tokens.map(({ type }) => type);
  const point = section.indexOf('point');
  const [before, after] = point < 0 ? [section, []] : [section.slice(0, point), section.slice(point)];
  const zeros = (types: readonly string[]) => types.filter((type) => type === 'zero').length;
  const most = after.filter((type) => DIGITS.has(type)).length;
  const digits = { whole: zeros(before), least: zeros(after), most };
  if (!before.some((type) => DIGITS.has(type)) && most === 0) return GENERAL;
  const isPercent = section.includes('percent');
  return {
    text(raw, context) {
      const plain = plainNumber(isPercent ? String(Number(raw) * 100) : raw);
      if (!IS_DECIMAL.test(plain)) return raw;
      const text = withDigits(plain, digits, context);
      return isPercent ? `${text}%` : text;
    },
  };
}

const IS_DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** Numbers of digits. */
interface Digits {
  /** Minimum before the point. */
  readonly whole: number;
  /** Minimum and maximum after the point. */
  readonly least: number;
  readonly most: number;
}

function withDigits(text: string, { whole, least, most }: Digits, { onRounded }: FormatContext): string {
  const isNegative = text.startsWith('-');
  const [integer = '', fraction = ''] = text.replace('-', '').split('.');
  const isRounded = fraction.length > most;
  if (isRounded) onRounded();
  const [first, rest] = isRounded ? rounded(integer, fraction, most) : [integer, fraction];
  const decimals = rest.replace(/0+$/, '').padEnd(least, '0');
  const number = first.padStart(whole, '0') + (decimals === '' ? '' : `.${decimals}`);
  return isNegative && /[1-9]/.test(number) ? `-${number}` : number;
}

/** Rounds to `most` decimals. A half is rounded up by the decimal digits, as spreadsheets do. */
function rounded(integer: string, fraction: string, most: number): [integer: string, fraction: string] {
  const isUp = fraction.charAt(most) >= '5';
  const kept = BigInt(integer + fraction.slice(0, most)) + (isUp ? 1n : 0n);
  const digits = String(kept).padStart(most + 1, '0');
  return [digits.slice(0, digits.length - most), digits.slice(digits.length - most)];
}

/** Writes numbers as a format with text in it shows them: `"SKU-"0000`, `(000) 000-0000`, `0.0" kg"`. */
function compileShown(pattern: string): NumberFormat {
  const shown = tokenize(pattern)
    .filter(({ type }) => type !== 'group' && type !== 'color' && type !== 'locale')
    .map(({ raw }) => raw)
    .join('');
  const textOf = (value: number) => format(shown, value).trim();
  // Throws here if the format cannot be used.
  textOf(0);
  return {
    text(raw) {
      const value = Number(raw);
      // Beyond this, JavaScript and numfmt write exponents between the digits of the format.
      if (Math.abs(value) >= LEAST_EXPONENT) return plainNumber(raw);
      // Spreadsheets round a half up by the decimal digits, and 1.005 is a little less than that.
      return textOf(Number.isInteger(value) ? value : value * (1 + 2 * Number.EPSILON));
    },
  };
}

const LEAST_EXPONENT = 1e21;

/** Digits that spreadsheets keep of a number. */
const MOST_DIGITS = 15;

/** Writes a number without an exponent. A whole number keeps its digits, also those that a double cannot hold. */
export function plainNumber(raw: string): string {
  if (/^-?(?:0|[1-9]\d*)$/.test(raw)) return raw === '-0' ? '0' : raw;
  const value = Number(raw);
  if (!Number.isFinite(value) || raw.trim() === '') return raw;
  return cellText(Number(value.toPrecision(MOST_DIGITS)));
}
