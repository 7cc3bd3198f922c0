import { isObject, type Json, type JsonObject } from '../../model/index.ts';
import { parseJson } from '../response/body.ts';

/** Longer lives count as misread: then only a 401 shows that a token has expired. */
const LONGEST_LIFE_MS = 100 * 365 * 24 * 3600 * 1000;

/**
 * An end nearer than this is ignored, unless the whole life of the token is this short: the clocks disagree. Otherwise
 * the token would be renewed with each request for as long as the clock is wrong.
 */
const NEAREST_MS = 5_000;

/** The claims of a JWT, unverified: they are the store's statement about its own token. undefined for other tokens. */
export function claims(accessToken: string): JsonObject | undefined {
  const parts = accessToken.split('.');
  if (parts.length !== 3 || parts[1] === undefined) return undefined;
  const json = parseJson(Buffer.from(parts[1], 'base64url').toString('utf8'));
  return isObject(json) ? json : undefined;
}

/** Reads the store of a token from its claims' `store._id`. */
export function storeIdOf(accessToken: string): string | undefined {
  const store = claims(accessToken)?.store;
  const id = isObject(store) ? store._id : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/**
 * Computes the life of a new token in ms; undefined if it is not known. `now` is epoch ms, by the store's clock if that
 * is known.
 *
 * The API document does not show the unit of `expireTime`, so it is inferred, and a mistake must be harmless: a life
 * read too short costs an early refresh, one read too long a 401, which refreshes as well.
 *
 *     a JWT's own `exp`        its life in seconds decides, whatever expireTime says
 *     expireTime below 1e5     a life in seconds (a day or so)
 *     below 1e9                a life in milliseconds; in seconds it would be the longer reading
 *     below 1e11               a point in time in seconds
 *     above                    a point in time in milliseconds
 *     absent, not a number, zero, past or about to be, or a century away: not known
 */
export function tokenLifeMs(
  accessToken: string,
  expireTime: Json | undefined,
  now: number,
): number | undefined {
  return sane(jwtLifeMs(accessToken, now)) ?? sane(inferredLifeMs(expireTime, now));
}

function sane(lifeMs: number | undefined): number | undefined {
  return lifeMs !== undefined && lifeMs > 0 && lifeMs <= LONGEST_LIFE_MS ? lifeMs : undefined;
}

function jwtLifeMs(accessToken: string, now: number): number | undefined {
  const { exp, iat } = claims(accessToken) ?? {};
  if (typeof exp !== 'number') return undefined;
  const lifeMs = typeof iat === 'number' && iat < exp ? (exp - iat) * 1000 : Number.POSITIVE_INFINITY;
  // The difference does not depend on any clock; the token may have been issued earlier, though.
  if (lifeMs < NEAREST_MS) return lifeMs;
  const untilMs = untilDate(exp * 1000, now);
  return untilMs === undefined ? undefined : Math.min(untilMs, lifeMs);
}

/** The time until then; undefined if it is past, or so near that a clock must be wrong. */
function untilDate(endMs: number, now: number): number | undefined {
  return endMs - now < NEAREST_MS ? undefined : endMs - now;
}

function inferredLifeMs(expireTime: Json | undefined, now: number): number | undefined {
  const value = typeof expireTime === 'string' && /^\d+$/.test(expireTime) ? Number(expireTime) : expireTime;
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return undefined;
  if (value < 1e5) return value * 1000;
  if (value < 1e9) return value;
  return untilDate(value < 1e11 ? value * 1000 : value, now);
}
