/** What the text of an option must be, wherever it was written: on the command line, in the environment, in `.env`. */
export interface Taking {
  /** Completes "it takes …". */
  readonly words: string;
  /** `undefined` where the text is something else. Never called with text that is empty or blank, but for `ANY_TEXT`. */
  readonly read: (text: string) => string | number | boolean | undefined;
  /** Empty and blank text means something too. */
  readonly blank?: boolean;
}

const YES: ReadonlySet<string> = new Set(['true', 'yes', 'y', 'on', '1']);
const NO: ReadonlySet<string> = new Set(['false', 'no', 'n', 'off', '0']);

export const YES_OR_NO: Taking = {
  words: 'yes or no (or true, false, on, off, 1, 0)',
  read(text) {
    const word = text.trim().toLowerCase();
    return YES.has(word) ? true : NO.has(word) ? false : undefined;
  },
};

export const TEXT: Taking = { words: 'text', read: (text) => text };

export const ANY_TEXT: Taking = { ...TEXT, blank: true };

/** Digits as people write them: no `0x10`, no `Infinity`. */
function numberIn(text: string): number | undefined {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : undefined;
}

export const NUMBER: Taking = { words: 'a number', read: numberIn };

export const POSITIVE: Taking = {
  words: 'a number above 0',
  read(text) {
    const value = numberIn(text);
    return value !== undefined && value > 0 && Number.isFinite(value) ? value : undefined;
  },
};

export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): Taking {
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

export function oneOf(choices: readonly string[]): Taking {
  const words = choices.length > 1 ? `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}` : choices[0];
  return { words: words ?? '', read: (text) => (choices.includes(text.trim()) ? text.trim() : undefined) };
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, '': 1000 };

/** The longest that a timer of Node waits. */
const LONGEST_MS = 2_147_483_647;

/** `30s`, `15m`, `500ms`, `2h`; a bare number is seconds. Undefined for text that is no duration. */
function durationIn(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  const factor = UNITS[unit];
  if (amount === undefined || factor === undefined) return undefined;
  const duration = Number(amount) * factor;
  return duration > 0 && duration <= LONGEST_MS ? duration : undefined;
}

/** It stays text, as the ledger keeps it with the run. */
export const DURATION: Taking = {
  words: 'a duration such as 500ms, 30s, 15m or 2h',
  read: (text) => (durationIn(text) === undefined ? undefined : text),
};

/** Of text that `DURATION` took. */
export function milliseconds(text: string): number {
  const duration = durationIn(text);
  if (duration === undefined) throw new Error(`"${text}" is no duration`);
  return duration;
}

/** `20` or `5%`. Undefined for other text. */
export function maxErrorsIn(text: string): { count: number } | { percent: number } | undefined {
  const [, amount, percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim()) ?? [];
  if (percent === '%' && Number(amount) <= 100) return { percent: Number(amount) };
  return percent === '' && Number.isSafeInteger(Number(amount)) ? { count: Number(amount) } : undefined;
}

export const MAX_ERRORS: Taking = {
  words: 'a whole number or a part such as 5%',
  read: (text) => (maxErrorsIn(text) === undefined ? undefined : text),
};

export const ASSIGNMENT: Taking = {
  words: 'path=value, such as status=DRAFT',
  read: (text) => (/^[^=]+=./s.test(text) ? text : undefined),
};

export const WEB_FOLDER: Taking = {
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
