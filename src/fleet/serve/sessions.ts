import { createHash, randomBytes } from 'node:crypto';
import type { FleetRole } from './api.ts';

/** Sessions of people. In memory: after a restart everybody signs in again. */
export interface Sessions {
  /** Returns the secret of a new session, for a cookie. */
  begin(role: FleetRole): string;
  /** Undefined if the secret is of no session, or of one that is over. */
  roleOf(secret: string): FleetRole | undefined;
  end(secret: string): void;
}

/** A working day. */
export const SESSION_S = 12 * 3600;
/** The oldest session ends for a new one, so that memory has a limit. */
const MOST_SESSIONS = 10_000;
const SECRET_BYTES = 32;

/** `now`: monotonic milliseconds. */
export function createSessions(now: () => number = () => performance.now()): Sessions {
  // Keyed by digest: the time that a look-up takes says nothing about the secret.
  const sessions = new Map<string, { readonly role: FleetRole; readonly until: number }>();
  return {
    begin(role) {
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      const [oldest] = sessions.keys();
      if (sessions.size >= MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest);
      sessions.set(keyOf(secret), { role, until: now() + SESSION_S * 1000 });
      return secret;
    },
    roleOf(secret) {
      const key = keyOf(secret);
      const session = sessions.get(key);
      if (session && session.until > now()) return session.role;
      sessions.delete(key);
      return undefined;
    },
    end: (secret) => void sessions.delete(keyOf(secret)),
  };
}

function keyOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
