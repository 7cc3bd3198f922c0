import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Faults } from './misbehave/faults.ts';

export interface SandboxTokenOptions {
  readonly storeId: string;
  readonly tokenLifeSeconds: number;
  readonly now: () => number;
  /** Returns the faults that are set. */
  readonly faults: () => Faults;
}

/** `expireTime` is the lifetime in seconds: the API document does not show its unit. A fault may change it. */
export interface AccessToken {
  readonly accessToken: string;
  readonly expireTime?: number | string;
}

export type TokenState = 'valid' | 'expired' | 'unknown';

export interface Tokens {
  issueAccess(): AccessToken;
  issueRefresh(): string;
  knowsRefresh(token: string): boolean;
  /** Revokes all access tokens that were issued until now. */
  revokeAccess(): void;
  /** Looks the token up instead of verifying its signature, since it is called for each request. */
  stateOf(accessToken: string | undefined): TokenState;
}

/** Maximum number of tokens of each kind. The oldest is forgotten then, so that a sandbox may run for months. */
const MAX_REMEMBERED = 10_000;

/** Creates the tokens of one sandbox. Access tokens are valid until they expire, also after a refresh. */
export function createTokens({ storeId, tokenLifeSeconds, now, faults }: SandboxTokenOptions): Tokens {
  const signingKey = randomBytes(32);
  const expiryByAccess = new Map<string, number>();
  const refresh = new Map<string, true>();
  let issued = 0;

  return {
    issueAccess() {
      const issuedMs = now();
      const { 'token-life': lifeMs = tokenLifeSeconds * 1000, 'token-form': form = 'jwt' } = faults();
      const expiresMs = issuedMs + lifeMs;
      issued += 1;
      // Without jti, two tokens of the same second would be equal.
      const accessToken =
        form === 'opaque'
          ? `access-${randomUUID()}`
          : signJwt(signingKey, {
              iat: Math.floor(issuedMs / 1000),
              exp: Math.floor(expiresMs / 1000),
              jti: String(issued),
              store: { _id: storeId },
            });
      remember(expiryByAccess, accessToken, expiresMs);
      const expireTime = EXPIRE_TIMES[faults()['expire-time'] ?? 'seconds'](lifeMs, expiresMs);
      return expireTime === undefined ? { accessToken } : { accessToken, expireTime };
    },
    issueRefresh() {
      const token = `refresh-${randomUUID()}`;
      remember(refresh, token, true);
      return token;
    },
    knowsRefresh: (token) => faults().refresh !== 'revoked' && refresh.has(token),
    revokeAccess: () => expiryByAccess.clear(),
    stateOf(accessToken) {
      const expiresMs = accessToken === undefined ? undefined : expiryByAccess.get(accessToken);
      if (expiresMs === undefined) return 'unknown';
      return now() < expiresMs ? 'valid' : 'expired';
    },
  };
}

/** Value of `expireTime`, by the fault `expire-time`. */
const EXPIRE_TIMES: Readonly<
  Record<
    NonNullable<Faults['expire-time']>,
    (lifeMs: number, expiresMs: number) => number | string | undefined
  >
> = {
  seconds: (lifeMs) => lifeMs / 1000,
  milliseconds: (lifeMs) => lifeMs,
  'epoch-seconds': (_, expiresMs) => Math.floor(expiresMs / 1000),
  'epoch-milliseconds': (_, expiresMs) => expiresMs,
  text: (lifeMs) => `${lifeMs / 1000}s`,
  absent: () => undefined,
  absurd: () => -1e21,
};

function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value);
  if (map.size <= MAX_REMEMBERED) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    break;
  }
}

/** RFC 7519, signed with HMAC SHA-256. */
function signJwt(key: Buffer, claims: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const unsigned = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${unsigned}.${createHmac('sha256', key).update(unsigned).digest('base64url')}`;
}
