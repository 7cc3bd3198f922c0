import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Why a request is refused. Its words are shown to whoever opened the address. */
export interface Refusal {
  readonly status: 403 | 421;
  readonly message: string;
}

export interface Guard {
  /** The address to open, with the token. */
  readonly link: string;
  /** The reason to refuse a request; undefined if it is admitted. */
  refusal(request: IncomingMessage): Refusal | undefined;
  /** The cookie for a request that brings the token in its address; undefined if it does not, or under another name. */
  cookieFor(request: IncomingMessage, address: URL): string | undefined;
}

/** Bytes of the token. Nobody guesses 256 bits. */
const TOKEN_BYTES = 32;

/** Methods that change nothing. */
const READING = new Set(['GET', 'HEAD']);

/**
 * Admits only the page that this server itself sent to the person who started it. Four checks, each against another way
 * in: the Host header against names that resolve to 127.0.0.1 (DNS rebinding), a cookie against other programs and users
 * of the machine, and Sec-Fetch-Site and Origin against pages of other sites in the same browser. Cookies do not depend
 * on the port, so the name has it, and two servers do not overwrite each other's.
 */
export function createGuard(port: number): Guard {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const origins = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
  const hosts = origins.map((origin) => new URL(origin).host);
  const name = `storeport-${port}`;

  const isOwnHost = ({ host = '' }: IncomingMessage['headers']) => hosts.includes(host);

  function refusal({ method = '', headers }: IncomingMessage): Refusal | undefined {
    if (!isOwnHost(headers)) return { status: 421, message: `This server answers only to ${origins[0]}.` };
    const site = headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none')
      return { status: 403, message: 'This server does not answer pages of other sites.' };
    const { origin } = headers;
    if (origin === undefined ? !READING.has(method) : !origins.includes(origin))
      return { status: 403, message: 'This server does not answer pages of other sites.' };
    if (!cookiesIn(headers.cookie).some(([key, value]) => key === name && isSame(value, token)))
      return {
        status: 403,
        message: 'Open the address that storeport ui printed: it has the key to this page.',
      };
    return undefined;
  }
  return {
    link: `${origins[0]}/?token=${token}`,
    refusal,
    cookieFor({ method, headers }, address) {
      // A link with the token must not work under another name.
      if (method !== 'GET' || !isOwnHost(headers)) return undefined;
      const given = address.searchParams.get('token');
      if (given === null || !isSame(given, token)) return undefined;
      return `${name}=${token}; HttpOnly; SameSite=Strict; Path=/`;
    },
  };
}

function cookiesIn(header = ''): (readonly [string, string])[] {
  return header.split(';').map((part) => {
    const at = part.indexOf('=');
    return [part.slice(0, at).trim(), part.slice(at + 1).trim()] as const;
  });
}

/** Compares in a time that does not depend on the place of the first difference. */
function isSame(text: string, token: string): boolean {
  const [a, b] = [Buffer.from(text), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
