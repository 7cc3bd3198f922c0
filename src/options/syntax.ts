import {
  ageIn,
  bytesIn,
  COUNTRY_WORDS,
  countryCode,
  durationIn,
  maxErrorsIn,
  ROW_RANGES_WORDS,
  rowRangesIn,
} from '../model/index.ts';

/** Syntax of an option's value, the same on the command line, in the environment and in `.env`. */
export interface ValueSyntax {
  /** Completes "it takes …". */
  readonly words: string;
  /** Returns undefined for invalid text. Called with empty or blank text only if `blank` is set. */
  readonly read: (text: string) => string | number | boolean | undefined;
  /** True if empty and blank text is a valid value. */
  readonly blank?: boolean;
}

const YES: ReadonlySet<string> = new Set(['true', 'yes', 'y', 'on', '1']);
const NO: ReadonlySet<string> = new Set(['false', 'no', 'n', 'off', '0']);

export const YES_OR_NO: ValueSyntax = {
  words: 'yes or no (or true, false, on, off, 1, 0)',
  read(text) {
    const word = text.trim().toLowerCase();
    return YES.has(word) ? true : NO.has(word) ? false : undefined;
  },
};

export const TEXT: ValueSyntax = {
  words: 'text',
  read: (text) => (text.trim() === '' ? undefined : text),
};

export const ANY_TEXT: ValueSyntax = { words: 'text', read: (text) => text, blank: true };

/** Parses a decimal number. Refuses `0x10` and `Infinity`, which `Number` accepts. */
function numberIn(text: string): number | undefined {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : undefined;
}

/** Delimiters by which spreadsheets of some country open a CSV file. A tab has a name, since it is hard to type. */
export const OUT_DELIMITER: ValueSyntax = {
  words: '";", "," or tab',
  read(text) {
    const word = text.trim().toLowerCase();
    if (text === '\t' || word === 'tab' || word === '\\t') return '\t';
    return word === ';' || word === ',' ? word : undefined;
  },
};

export const NUMBER: ValueSyntax = { words: 'a number', read: numberIn };

export const POSITIVE: ValueSyntax = {
  words: 'a number above 0',
  read(text) {
    const value = numberIn(text);
    return value !== undefined && value > 0 && Number.isFinite(value) ? value : undefined;
  },
};

export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): ValueSyntax {
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
  return {
    words: `a whole number ${range}`,
    read(text) {
      const value = numberIn(text);
      return Number.isInteger(value) && (value as number) >= least && (value as number) <= most
        ? value
        : undefined;
    },
  };
}

export function oneOf(choices: readonly string[]): ValueSyntax {
  const words = choices.length > 1 ? `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}` : choices[0];
  return { words: words ?? '', read: (text) => (choices.includes(text.trim()) ? text.trim() : undefined) };
}

/** Validates only: the value stays text, as the ledger stores it with the run. */
export const DURATION: ValueSyntax = {
  words: 'a duration such as 500ms, 30s, 15m or 2h',
  read: (text) => (durationIn(text) === undefined ? undefined : text),
};

/** Validates only, as `DURATION` does. */
export const AGE: ValueSyntax = {
  words: 'an age such as 36h, 90d or 12w',
  read: (text) => (ageIn(text) === undefined ? undefined : text),
};

export const AGE_OR_ZERO: ValueSyntax = {
  words: `${AGE.words}, or 0`,
  read: (text) => (text.trim() === '0' ? '0' : AGE.read(text)),
};

export const SIZE: ValueSyntax = {
  words: 'a size such as 500KB or 20MB',
  read: (text) => (bytesIn(text) === undefined ? undefined : text),
};

export const MAX_ERRORS: ValueSyntax = {
  words: 'a whole number or a part such as 5%',
  read: (text) => (maxErrorsIn(text) === undefined ? undefined : text),
};

export const ASSIGNMENT: ValueSyntax = {
  words: 'path=value, such as status=DRAFT',
  read: (text) => (/^[^=]+=./s.test(text) ? text : undefined),
};

export const CELL_RULE: ValueSyntax = {
  words: 'column=text, such as SKU=TOTAL',
  read: (text) => (/^[^=]+=/.test(text) ? text : undefined),
};

/** Validates only, as `DURATION` does. */
export const ROW_RANGES: ValueSyntax = {
  words: ROW_RANGES_WORDS,
  read: (text) => (rowRangesIn(text) === undefined ? undefined : text),
};

export const COUNTRY: ValueSyntax = { words: COUNTRY_WORDS, read: countryCode };

export const DATABASE_ADDRESS: ValueSyntax = {
  words: 'an address of Postgres, such as postgres://user@host:5432/name',
  read: (text) => (/^postgres(?:ql)?:\/\/./.test(text.trim()) ? text.trim() : undefined),
};

export const WEB_ADDRESS: ValueSyntax = {
  words: 'a web address that begins with https:// or http://',
  read: (text) => (/^https?:\/\//i.test(text.trim()) && URL.canParse(text.trim()) ? text.trim() : undefined),
};

export const WEB_FOLDER: ValueSyntax = {
  words: 'the web address of a folder, such as https://shop.example.com/media/catalog/product',
  read(text) {
    const base = text.trim();
    return /^https?:\/\/[^/?#\s]+[^?#\s]*$/i.test(base) && URL.canParse(base) ? base : undefined;
  },
};
