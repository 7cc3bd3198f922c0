/** Local date and time, `2024-11-22T12:43:11`, with its offset if the text had one. */
export interface ClockTime {
  readonly local: string;
  readonly offset?: string;
}

type Parts = Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction', number> & {
  afternoon?: boolean;
  offset?: string;
};

interface Token {
  /** Source of a regular expression without groups. */
  readonly pattern: string;
  readonly put: (parts: Parts, text: string) => void;
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const SHORT_MONTHS = [...MONTHS.map((month) => month.slice(0, 3)), 'sept'];

function numeric(part: Exclude<keyof Parts, 'afternoon' | 'offset'>, pattern: string, add = 0): Token {
  return {
    pattern,
    put: (parts, text) => {
      parts[part] = Number(text) + add;
    },
  };
}

function month(names: readonly string[]): Token {
  return {
    pattern: names.join('|'),
    put: (parts, text) => {
      parts.month = MONTHS.findIndex((name) => name.startsWith(text.toLowerCase().slice(0, 3))) + 1;
    },
  };
}

/** Tokens of a format; everything else in it is literal. Longer tokens come first. */
const TOKENS: Readonly<Record<string, Token>> = {
  YYYY: numeric('year', '\\d{4}'),
  // A year from 2000 to 2099: the store has no field for dates of birth.
  YY: numeric('year', '\\d{2}', 2000),
  MMMM: month(MONTHS),
  MMM: month(SHORT_MONTHS),
  MM: numeric('month', '\\d{2}'),
  M: numeric('month', '\\d{1,2}'),
  DD: numeric('day', '\\d{2}'),
  D: numeric('day', '\\d{1,2}'),
  HH: numeric('hour', '\\d{2}'),
  H: numeric('hour', '\\d{1,2}'),
  hh: numeric('hour', '\\d{2}'),
  h: numeric('hour', '\\d{1,2}'),
  mm: numeric('minute', '\\d{2}'),
  ss: numeric('second', '\\d{2}'),
  SSS: numeric('fraction', '\\d{3}'),
  A: {
    pattern: '[ap]\\.?m\\.?',
    put: (parts, text) => {
      parts.afternoon = /^p/i.test(text);
    },
  },
  Z: {
    pattern: 'Z|UTC|GMT|[+-]\\d{2}:?\\d{2}',
    put: (parts, text) => {
      parts.offset = /^[+-]/.test(text) ? `${text.slice(0, 3)}:${text.slice(-2)}` : 'Z';
    },
  },
};
const WORDS = new RegExp(`${Object.keys(TOKENS).join('|')}|[A-Za-z]+|[^A-Za-z]`, 'g');

/** The only literal letter of a format, between date and time: `YYYY-MM-DDTHH:mm`. */
const SEPARATOR = 'T';

/** Splits a format into tokens and literals. */
function tokensOf(format: string): string[] {
  return (format.match(WORDS) ?? []).flatMap((word) => {
    const hasSeparator = isOtherWord(word) && word.startsWith(SEPARATOR) && word.length > 1;
    return hasSeparator ? [SEPARATOR, ...tokensOf(word.slice(1))] : [word];
  });
}

/** True for letters that are no token. */
function isOtherWord(word: string): boolean {
  return /^[A-Za-z]+$/.test(word) && !Object.hasOwn(TOKENS, word);
}

/** Describes what is wrong with a format, as a sentence; undefined if it is valid. */
export function formatProblem(format: string): string | undefined {
  const tokens = tokensOf(format);
  const unknown = tokens.find((token) => isOtherWord(token) && token !== SEPARATOR);
  if (unknown !== undefined)
    return `"${unknown}" is not a part of a date; there are ${Object.keys(TOKENS).join(', ')}.`;
  const has = (names: readonly string[]) => tokens.some((token) => names.includes(token));
  if (!has(['YYYY', 'YY']) || !has(['M', 'MM', 'MMM', 'MMMM']) || !has(['D', 'DD']))
    return `"${format}" needs a year, a month and a day, such as DD/MM/YYYY.`;
  if (has(['h', 'hh']) !== has(['A']))
    return `"${format}" needs both the hour of twelve (h) and AM or PM (A), or neither.`;
  return undefined;
}

/** Compiles a valid format. The reader gives undefined for other texts, `impossible` for days such as 31 February. */
export function createDateReader(format: string): (text: string) => ClockTime | 'impossible' | undefined {
  const tokens = tokensOf(format);
  const source = tokens
    .map((token) => (TOKENS[token] ? `(${TOKENS[token].pattern})` : escaped(token)))
    .join('');
  const pattern = new RegExp(`^${source}$`, 'i');
  const used = tokens.flatMap((token) => TOKENS[token] ?? []);
  return (text) => {
    const found = pattern.exec(text);
    if (!found) return undefined;
    const parts: Parts = { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0, fraction: 0 };
    used.forEach((token, index) => {
      token.put(parts, found[index + 1] ?? '');
    });
    return clockTime(parts);
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

function clockTime(parts: Parts): ClockTime | 'impossible' {
  const { year, month, day, minute, second, fraction, afternoon, offset } = parts;
  if (afternoon !== undefined && (parts.hour < 1 || parts.hour > 12)) return 'impossible';
  const hour = afternoon === undefined ? parts.hour : (parts.hour % 12) + (afternoon ? 12 : 0);
  const at = new Date(Date.UTC(2000, 0, 1));
  at.setUTCFullYear(year, month - 1, day);
  at.setUTCHours(hour, minute, second, fraction);
  const isThatDay = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && at.getUTCHours() === hour;
  if (!isThatDay || year === 0 || minute > 59 || second > 59) return 'impossible';
  const local = at.toISOString().slice(0, fraction === 0 ? 19 : 23);
  return { local, ...(offset === undefined ? {} : { offset }) };
}
