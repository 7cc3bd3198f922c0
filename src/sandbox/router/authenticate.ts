import { type FieldError, ok, type Reply, refuse, refuseQuery } from '../reply.ts';
import { bodyReader } from './body.ts';
import type { Handler, Store } from './call.ts';

/** Handles GET: issues both tokens for client id and secret (API document, Authentication, step 2). */
export function obtainTokens(store: Store): Handler {
  return ({ query }) => {
    const parameters = new URLSearchParams(query);
    return (
      refuseCredentials(store, parameters) ??
      ok(JSON.stringify({ refreshToken: store.tokens.issueRefresh(), ...store.tokens.issueAccess() }))
    );
  };
}

/** Handles POST: issues an access token for a refresh token (API document, Authentication, step 4). */
export function refreshToken(store: Store): Handler {
  const readBody = bodyReader(store, 'refreshToken');
  return ({ query, body: text }) => {
    const parameters = new URLSearchParams(query);
    const refused = refuseCredentials(
      store,
      parameters,
      parameters.get('refresh') === 'true' ? [] : [{ field: 'refresh', reason: 'must be true' }],
    );
    if (refused) return refused;
    const read = readBody(text);
    if ('refusal' in read) return read.refusal;
    if (!store.tokens.knowsRefresh(read.body.refreshToken as string)) {
      return refuse(401, 'INVALID_REFRESH_TOKEN', 'This refresh token was not issued here.');
    }
    return ok(JSON.stringify(store.tokens.issueAccess()));
  };
}

function refuseCredentials(
  { clientId, clientSecret }: Store,
  parameters: URLSearchParams,
  errors: readonly FieldError[] = [],
): Reply | undefined {
  const missing = ['clientId', 'clientSecret']
    .filter((name) => !parameters.get(name))
    .map((field) => ({ field, reason: 'is required' }));
  if (missing.length + errors.length > 0) return refuseQuery([...missing, ...errors]);
  if (parameters.get('clientId') === clientId && parameters.get('clientSecret') === clientSecret) {
    return undefined;
  }
  // Does not say which of the two is wrong, since that would help to guess.
  return refuse(401, 'INVALID_CREDENTIALS', 'The client id or the client secret is wrong.');
}
