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

export const TEXT: ValueSyntax = { words: 'text', read: (text) => text };

export const ANY_TEXT: ValueSyntax = { ...TEXT, blank: true };

/** Parses a decimal number. Refuses `0x10` and `Infinity`, which `Number` accepts. */
function numberIn(text: string): number | undefined {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : undefined;
}

/** Delimiters by which spreadsheets of some country open a CSV file. A tab has a name, since it is hard to type. */
export const OUT_DELIMITER: ValueSyntax = {
  words: '";", "," or tab',
  read(text) {
    const word = text.trim().toLowerCase();
    if (word === 'tab' || word === '\\t') return '\t';
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

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, '': 1000 };

/** Longest delay of a timer in Node. */
const LONGEST_MS = 2_147_483_647;

/** Parses `30s`, `15m`, `500ms`, `2h` to milliseconds; a bare number is seconds. Undefined for other text. */
function durationIn(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  const factor = UNITS[unit];
  if (amount === undefined || factor === undefined) return undefined;
  const duration = Number(amount) * factor;
  return duration > 0 && duration <= LONGEST_MS ? duration : undefined;
}

/** Validates only: the value stays text, as the ledger stores it with the run. */
export const DURATION: ValueSyntax = {
  words: 'a duration such as 500ms, 30s, 15m or 2h',
  read: (text) => (durationIn(text) === undefined ? undefined : text),
};

/** Converts text that `DURATION` accepted. */
export function milliseconds(text: string): number {
  const duration = durationIn(text);
  if (duration === undefined) throw new Error(`"${text}" is no duration`);
  return duration;
}

const DAY_MS = 86_400_000;
const AGE_UNITS: Readonly<Record<string, number>> = { h: DAY_MS / 24, d: DAY_MS, w: 7 * DAY_MS };

/** Parses `36h`, `90d`, `12w` to milliseconds. A bare number has no unit that everybody expects. Undefined for other text. */
function ageIn(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*(h|d|w)$/i.exec(text.trim()) ?? [];
  const factor = AGE_UNITS[unit.toLowerCase()];
  const age = amount === undefined || factor === undefined ? Number.NaN : Number(amount) * factor;
  return age <= Number.MAX_SAFE_INTEGER ? age : undefined;
}

/** Validates only, as `DURATION` does. */
export const AGE: ValueSyntax = {
  words: 'an age such as 36h, 90d or 12w',
  read: (text) => (ageIn(text) === undefined ? undefined : text),
};

export const AGE_OR_ZERO: ValueSyntax = {
  words: `${AGE.words}, or 0`,
  read: (text) => (text.trim() === '0' ? '0' : AGE.read(text)),
};

/** Converts text that `AGE` or `AGE_OR_ZERO` accepted. */
export function ageMilliseconds(text: string): number {
  const age = text === '0' ? 0 : ageIn(text);
  if (age === undefined) throw new Error(`"${text}" is no age`);
  return age;
}

const SIZE_UNITS: Readonly<Record<string, number>> = { kb: 1e3, mb: 1e6, gb: 1e9 };

/** Parses `500KB`, `20MB`, `1.5 GB` to bytes. Undefined for other text. */
export function bytesIn(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*(kb|mb|gb)$/i.exec(text.trim()) ?? [];
  const bytes = Math.round(Number(amount) * (SIZE_UNITS[unit.toLowerCase()] ?? Number.NaN));
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined;
}

export const SIZE: ValueSyntax = {
  words: 'a size such as 500KB or 20MB',
  read: (text) => (bytesIn(text) === undefined ? undefined : text),
};

/** Parses `20` or `5%`. Undefined for other text. */
export function maxErrorsIn(text: string): { count: number } | { percent: number } | undefined {
  const [, amount, percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim()) ?? [];
  if (percent === '%' && Number(amount) <= 100) return { percent: Number(amount) };
  return percent === '' && Number.isSafeInteger(Number(amount)) ? { count: Number(amount) } : undefined;
}

export const MAX_ERRORS: ValueSyntax = {
  words: 'a whole number or a part such as 5%',
  read: (text) => (maxErrorsIn(text) === undefined ? undefined : text),
};

export const ASSIGNMENT: ValueSyntax = {
  words: 'path=value, such as status=DRAFT',
  read: (text) => (/^[^=]+=./s.test(text) ? text : undefined),
};

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

/** `["status=DRAFT", …]` → `{ status: "DRAFT" }`. */
export function constants(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}
