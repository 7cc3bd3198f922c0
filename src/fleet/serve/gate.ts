import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import {
  API_BASE,
  bodyOf,
  cookiesIn,
  type Gate,
  type GateAnswer,
  isSame,
  type Refusal,
  readJsonBody,
} from '../../http/index.ts';
import { printedCommand } from '../../model/index.ts';
import type { FleetRole, SessionView, SignIn } from './api.ts';
import { createAttempts } from './attempts.ts';
import { createSessions, SESSION_S } from './sessions.ts';

/** Tokens that sign in, each for its role. Without any, the printed address is the only way in. */
export interface FleetTokens {
  readonly viewer?: string | undefined;
  readonly operator?: string | undefined;
}

export interface FleetGateOptions {
  readonly tokens: FleetTokens;
  /** The address that people open, if a proxy is in front. */
  readonly publicUrl?: string | undefined;
  readonly version: string;
  /** Called with the role of each request that is admitted. */
  readonly onAdmitted: (request: IncomingMessage, role: FleetRole) => void;
}

const READING: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);
const SESSION_PATH = `${API_BASE}/session`;
const SIGN_IN = z.strictObject({ token: z.string().min(1).max(4096) });
const ELSEWHERE: Refusal = { status: 403, message: 'This server does not answer pages of other sites.' };
const SIGNED_OUT: Refusal = {
  status: 401,
  message: 'You are not signed in.',
  hints: ['Sign in with a token. Programs send it as "Authorization: Bearer TOKEN".'],
  headers: { 'WWW-Authenticate': 'Bearer' },
};
const LOOKING_ONLY: Refusal = {
  status: 403,
  message: 'Your token is for looking only.',
  hints: ['Sign in with the token of an operator.'],
};
const WRONG_TOKEN: Refusal = {
  status: 401,
  message: 'The token is wrong.',
  hints: ['Copy the whole token, without blanks.'],
  headers: { 'WWW-Authenticate': 'Bearer' },
};

/**
 * Admits people by a session and programs by a token. Everything that changes something needs the role of an operator, so a
 * new route cannot be open to viewers by mistake. Sec-Fetch-Site and Origin are checked against pages of other sites in the
 * same browser. Without tokens, only a key in the printed address signs in, and the Host header must be of this machine, as
 * for `storeport ui`.
 */
export function createFleetGate({
  tokens,
  publicUrl,
  version,
  onAdmitted,
}: FleetGateOptions): (port: number) => Gate {
  const sessions = createSessions();
  const attempts = createAttempts();
  const isOpen = tokens.viewer === undefined && tokens.operator === undefined;
  const key = randomBytes(32).toString('base64url');

  function roleOfToken(given: string): FleetRole | undefined {
    // Both are compared in any case, so that the time does not say which of them is near.
    const [operates, views] = [tokens.operator, tokens.viewer].map(
      (token) => isSame(given, token ?? key) && token !== undefined,
    );
    if (operates || (isOpen && isSame(given, key))) return 'operator';
    return views ? 'viewer' : undefined;
  }
  /** The role of a token, or why it is refused. */
  function admitToken(given: string, { socket }: IncomingMessage): FleetRole | Refusal {
    const address = socket.remoteAddress ?? '';
    // First: whoever has a right token is admitted, however many wrong ones came from a proxy in front of all.
    const role = roleOfToken(given);
    if (role !== undefined) return role;
    const wait = attempts.waitS(address, given);
    attempts.note(address, given);
    if (wait === 0) return WRONG_TOKEN;
    return {
      status: 429,
      message: `This wrong token came too often from your address. Try again with it in ${wait} s, or use the right one now.`,
      headers: { 'Retry-After': String(wait) },
    };
  }
  const isSecure = ({ headers }: IncomingMessage) =>
    publicUrl?.startsWith('https:') || headers['x-forwarded-proto'] === 'https';
  const cookieName = (request: IncomingMessage) =>
    isSecure(request) ? '__Host-storeport-fleet' : 'storeport-fleet';
  const secretOf = (request: IncomingMessage) =>
    cookiesIn(request.headers.cookie).find(([name]) => name === cookieName(request))?.[1];
  const cookie = (request: IncomingMessage, secret: string, seconds: number) =>
    `${cookieName(request)}=${secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${isSecure(request) ? '; Secure' : ''}`;
  const signedIn = (request: IncomingMessage, role: FleetRole) => ({
    'Set-Cookie': cookie(request, sessions.begin(role), SESSION_S),
  });

  return (port) => {
    const here = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
    const hosts = here.map((origin) => new URL(origin).host);

    /** Refuses pages of other sites, and names that resolve to this machine while the key is the only way in. */
    function refusalOfSite({ method, headers }: IncomingMessage): Refusal | undefined {
      const { host = '', origin } = headers;
      if (isOpen && !hosts.includes(host))
        return { status: 421, message: `This server answers only to ${here[0]}.` };
      const site = headers['sec-fetch-site'];
      if (site !== undefined && site !== 'same-origin' && site !== 'none') return ELSEWHERE;
      if (origin === undefined) return READING.has(method) ? undefined : ELSEWHERE;
      return isOwnOrigin(origin, host) ? undefined : ELSEWHERE;
    }
    function isOwnOrigin(origin: string, host: string): boolean {
      if (!URL.canParse(origin)) return false;
      return (
        new URL(origin).host === host || (publicUrl !== undefined && origin === new URL(publicUrl).origin)
      );
    }
    /** The key leaves the address at once, so that it is in no history and no link. */
    function openedByKey(request: IncomingMessage, { searchParams }: URL): GateAnswer | undefined {
      const given = searchParams.get('token');
      if (!isOpen || request.method !== 'GET' || given === null) return undefined;
      if (!hosts.includes(request.headers.host ?? '')) return undefined;
      const role = admitToken(given, request);
      if (typeof role !== 'string') return asAnswer(role);
      return { status: 303, headers: { ...signedIn(request, role), Location: '/' } };
    }
    async function session(request: IncomingMessage): Promise<GateAnswer | undefined> {
      const refused = refusalOfSite(request);
      if (refused) return asAnswer(refused);
      const secret = secretOf(request) ?? '';
      const view = (role: FleetRole | null): SessionView => ({
        ...{ role, takesTokens: !isOpen, version },
        commands: role && {
          stores: printedCommand('fleet store list'),
          schedules: printedCommand('fleet schedule list'),
        },
      });
      if (request.method === 'GET')
        return { status: 200, headers: {}, value: view(sessions.roleOf(secret) ?? null) };
      if (request.method === 'DELETE') {
        sessions.end(secret);
        return { status: 204, headers: { 'Set-Cookie': cookie(request, '', 0) } };
      }
      if (request.method !== 'POST') return undefined;
      const { token }: SignIn = bodyOf(SIGN_IN, await readJsonBody(request));
      const role = admitToken(token, request);
      if (typeof role !== 'string') return asAnswer(role);
      sessions.end(secret);
      return { status: 200, headers: signedIn(request, role), value: view(role) };
    }
    return {
      link: publicUrl ?? (isOpen ? `${here[0]}/?token=${key}` : `${here[0]}/`),
      answer(request, address) {
        if (address.pathname === SESSION_PATH) return session(request);
        return address.pathname === '/' ? openedByKey(request, address) : undefined;
      },
      refusal(request, { pathname }) {
        const { authorization } = request.headers;
        if (READING.has(request.method) && isPublic(pathname)) return undefined;
        const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
        // Another site cannot send this header, and a program sends no Origin.
        const refused = bearer === undefined ? refusalOfSite(request) : undefined;
        if (refused) return refused;
        const role =
          bearer === undefined ? sessions.roleOf(secretOf(request) ?? '') : admitToken(bearer, request);
        if (role === undefined) return SIGNED_OUT;
        if (typeof role !== 'string') return role;
        onAdmitted(request, role);
        return role === 'operator' || READING.has(request.method) ? undefined : LOOKING_ONLY;
      },
    };
  };
}

/** The page itself has no data, and shows the form to sign in. */
function isPublic(pathname: string): boolean {
  return pathname === '/' || pathname === '/healthz' || pathname.startsWith('/page/');
}

function asAnswer({ status, message, hints = [], headers = {} }: Refusal): GateAnswer {
  return { status, headers, value: { error: { message, hints } } };
}
