import type { RequestKind } from '../misbehave/values.ts';
import { type Reply, refuse } from '../reply.ts';
import type { Store } from './call.ts';
import type { Route } from './routes.ts';

/** An HTTP request that was read to its end. */
export interface Request {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  /** Value of the header `x-auth-token`. */
  readonly token: string | undefined;
  readonly body: string;
}

export interface Router {
  answer(request: Request): Reply;
  /** Returns the kind of a request; `other` if there is no such endpoint. */
  kindOf(request: Pick<Request, 'method' | 'url'>): RequestKind;
}

/** Creates a router. It checks path, method and token, in this order, before it calls the handler. */
export function createRouter(routes: readonly Route[], store: Pick<Store, 'tokens' | 'habits'>): Router {
  const byPath = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const methods = byPath.get(route.path) ?? new Map<string, Route>();
    byPath.set(route.path, methods.set(route.method, route));
  }

  return {
    answer({ method, url, token, body }) {
      const mark = url.indexOf('?');
      const path = mark < 0 ? url : url.slice(0, mark);
      const methods = byPath.get(path);
      if (!methods) return refuse(404, 'NOT_FOUND', `There is nothing at ${path}.`);
      const route = methods.get(method);
      if (!route) return refuseMethod(method, path, [...methods.keys()]);
      if (!route.open) {
        const refused = refuseToken(store, token);
        if (refused) return refused;
      }
      return route.handle({ query: mark < 0 ? '' : url.slice(mark + 1), body });
    },
    kindOf({ method, url }) {
      const mark = url.indexOf('?');
      return byPath.get(mark < 0 ? url : url.slice(0, mark))?.get(method)?.kind ?? 'other';
    },
  };
}

function refuseMethod(method: string, path: string, allowed: readonly string[]): Reply {
  const reply = refuse(405, 'METHOD_NOT_ALLOWED', `${path} takes ${allowed.join(' and ')}, not ${method}.`);
  return { ...reply, headers: ['allow', allowed.join(', ')] };
}

function refuseToken(
  { tokens, habits }: Pick<Store, 'tokens' | 'habits'>,
  token: string | undefined,
): Reply | undefined {
  const state = tokens.stateOf(token);
  if (state === 'valid') return undefined;
  if (state === 'expired') {
    const status = Number(habits().faults['expired-status'] ?? 401);
    return refuse(status, 'TOKEN_EXPIRED', 'The access token has expired.');
  }
  const message = token
    ? 'The access token was not issued here.'
    : 'The header x-auth-token is missing: it carries the access token.';
  return refuse(401, 'INVALID_TOKEN', message);
}
