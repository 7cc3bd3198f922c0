import type { AnswerHeaders } from './types.ts';

/** First delay's upper end; it doubles with each attempt. */
const BASE_MS = 500;

/** Upper end of a delay that the store did not ask for. */
const CAP_MS = 30_000;

/**
 * The longest that a Retry-After is obeyed. A store that says `Retry-After: 86400` by mistake must not hang a run for
 * a day: asking again after five minutes does no harm, and the answer says whether it meant it.
 */
export const RETRY_AFTER_MAX_MS = 300_000;

/** Many requests get the same second; this spreads them a little. Never earlier than asked. */
const SPREAD_MS = 250;

/** Clock and random numbers, for a delay. */
export interface DelayClock {
  /** Returns wall-clock time, for an HTTP-date if the answer itself has no date. */
  readonly wallNow: () => number;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
}

/**
 * Computes the delay before the next attempt, in ms. `attempt` counts from 1.
 *
 * A Retry-After wins, clamped to {@link RETRY_AFTER_MAX_MS}; one that is malformed, zero or past is ignored.
 * Otherwise exponential backoff with full jitter: anything from 0 to 500 ms, 1 s, 2 s … 30 s.
 */
export function retryDelay(
  attempt: number,
  headers: AnswerHeaders | undefined,
  { wallNow, random }: DelayClock,
): number {
  const asked = retryAfterMs(headers?.['retry-after'], answeredAt(headers, wallNow()));
  if (asked !== undefined && asked > 0) {
    return Math.min(asked, RETRY_AFTER_MAX_MS) + random() * SPREAD_MS;
  }
  // 2 ** 16 × BASE_MS is past the cap; a larger exponent would end in Infinity.
  const exponent = Math.min(Math.max(attempt, 1), 16) - 1;
  return random() * Math.min(CAP_MS, BASE_MS * 2 ** exponent);
}

/**
 * The time of an answer, in epoch ms, by the store's clock if the answer has a date: this machine's may be wrong by
 * hours, and dates in the answer are the store's. `now` otherwise.
 */
export function answeredAt(headers: AnswerHeaders | undefined, now: number): number {
  const date = headers?.date;
  return (typeof date === 'string' ? httpDate(date, now) : undefined) ?? now;
}

/**
 * Retry-After in ms from now: delta seconds or an HTTP-date (RFC 9110, section 10.2.3). Two such headers arrive as
 * one, joined by a comma, or as a list: the longer wait counts. undefined for anything else.
 */
export function retryAfterMs(value: string | readonly string[] | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const waits = (typeof value === 'string' ? [value] : value)
    .flatMap((text) => (isSecondsList(text) ? text.split(',') : [text]))
    .map((text) => oneWait(text.trim(), now))
    .filter((ms) => ms !== undefined);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

// A date contains a comma of its own ("Wed, 21 Oct …"), so only lists of numbers are split.
function isSecondsList(text: string): boolean {
  return /^[\s\d,]*$/.test(text);
}

function oneWait(text: string, now: number): number | undefined {
  // Date.parse would read "120" as the year 120, and Number() would accept "", "0x1F" and "1e400".
  if (/^\d+$/.test(text)) return Number(text.slice(0, 12)) * 1000;
  const date = httpDate(text, now);
  return date === undefined ? undefined : Math.max(0, date - now);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The three forms of an HTTP-date (RFC 9110, section 5.6.7): `d`ay, `m`onth, `y`ear and the time, always in GMT. */
const HTTP_DATES = [
  /^\w{3}, (?<d>\d{2}) (?<m>\w{3}) (?<y>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/i,
  /^\w+, (?<d>\d{2})-(?<m>\w{3})-(?<y>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/i,
  /^\w{3} (?<m>\w{3}) (?<d>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<y>\d{4})$/i,
] as const;

function httpDate(text: string, now: number): number | undefined {
  for (const form of HTTP_DATES) {
    const parts = form.exec(text)?.groups;
    if (parts === undefined) continue;
    const month = MONTHS.indexOf((parts.m ?? '').toLowerCase());
    const [hours = 0, minutes = 0, seconds = 0] = (parts.time ?? '').split(':').map(Number);
    if (month < 0 || hours > 23 || minutes > 59 || seconds > 60) return undefined;
    return Date.UTC(fullYear(parts.y ?? '', now), month, Number(parts.d), hours, minutes, seconds);
  }
  return undefined;
}

/** A two-digit year more than 50 years ahead means the past one with these digits (RFC 9110). */
function fullYear(digits: string, now: number): number {
  if (digits.length === 4) return Number(digits);
  const thisYear = new Date(now).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + Number(digits);
  return year > thisYear + 50 ? year - 100 : year;
}
