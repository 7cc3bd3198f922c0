import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { cookiesIn, type Gate, isSame, type Refusal } from '../http/index.ts';

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
export function createGuard(port: number): Gate {
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
    answer({ method, headers }, { pathname, searchParams }) {
      // A link with the token must not work under another name.
      if (method !== 'GET' || pathname !== '/' || !isOwnHost(headers)) return undefined;
      const given = searchParams.get('token');
      if (given === null || !isSame(given, token)) return undefined;
      const cookie = `${name}=${token}; HttpOnly; SameSite=Strict; Path=/`;
      // The token leaves the address at once, so that it is in no history and no link.
      return { status: 303, headers: { 'Set-Cookie': cookie, Location: '/' } };
    },
  };
}
