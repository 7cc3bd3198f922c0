import { answeredAt, retryAfterMs } from '../http/backoff.ts';
import type { AnswerHeaders } from '../http/types.ts';
import type { PacedAnswer } from './paced-answer.ts';

/**
 * Reads the store's limit from the headers of an answer: Retry-After (RFC 9110), RateLimit
 * (draft-ietf-httpapi-ratelimit-headers, in its forms so far) and X-RateLimit. Malformed headers are ignored.
 * `wallNow`: milliseconds since 1970, for points in time if the answer does not have the store's own.
 */
export function rateHints(
  headers: AnswerHeaders | undefined,
  wallNow: number,
): Pick<PacedAnswer, 'retryAfterMs' | 'left'> {
  if (headers === undefined || !hasRateHeader(headers)) return NONE;
  const answered = answeredAt(headers, wallNow);
  return {
    retryAfterMs: retryAfterMs(headers['retry-after'], answered),
    left: leftIn(headers, answered),
  };
}

function leftIn(headers: AnswerHeaders, wallNow: number): PacedAnswer['left'] {
  for (const [remaining, reset] of PAIRS) {
    if (headers[remaining] === undefined) continue;
    return quota(number(headers[remaining]), number(headers[reset]), wallNow);
  }
  const line = headers.ratelimit;
  if (typeof line !== 'string' || line.length > MAX_LENGTH) return undefined;
  return quota(parameter(line, 'r', 'remaining'), parameter(line, 't', 'reset'), wallNow);
}

const PAIRS = [
  ['x-ratelimit-remaining', 'x-ratelimit-reset'],
  ['x-rate-limit-remaining', 'x-rate-limit-reset'],
  ['ratelimit-remaining', 'ratelimit-reset'],
] as const;

const NONE = {};

/** Almost no answer has one of these, and dates are slow to parse. Written out: a lookup of a name that varies is slow too. */
function hasRateHeader(headers: AnswerHeaders): boolean {
  return (
    headers['retry-after'] !== undefined ||
    headers.ratelimit !== undefined ||
    headers['x-ratelimit-remaining'] !== undefined ||
    headers['x-rate-limit-remaining'] !== undefined ||
    headers['ratelimit-remaining'] !== undefined
  );
}

const MAX_LENGTH = 1000;

function number(value: string | string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\s*\d{1,15}(\.\d{1,6})?\s*$/.test(value) ? Number(value) : undefined;
}

/** Reads a parameter of `"default";r=50;t=30`, or of `limit=100, remaining=50, reset=30` in older drafts. */
function parameter(line: string, ...names: readonly string[]): number | undefined {
  for (const part of line.split(/[;,]/)) {
    const [name = '', value] = part.split('=', 2);
    if (names.includes(name.trim().toLowerCase())) return number(value);
  }
  return undefined;
}

/** Some stores send seconds from now, others a point in time. No window is thirty years long. */
const LEAST_EPOCH_SECONDS = 1_000_000_000;
const LEAST_EPOCH_MS = 1_000 * LEAST_EPOCH_SECONDS;

function quota(
  requests: number | undefined,
  reset: number | undefined,
  wallNow: number,
): PacedAnswer['left'] {
  if (requests === undefined || reset === undefined) return undefined;
  if (reset >= LEAST_EPOCH_MS) return { requests, ms: reset - wallNow };
  return { requests, ms: reset >= LEAST_EPOCH_SECONDS ? reset * 1000 - wallNow : reset * 1000 };
}
