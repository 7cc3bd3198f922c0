import { isObject } from '../../model/index.ts';
import type { Token } from '../auth/token-source.ts';
import type { HttpResult } from '../http/types.ts';
import { parseJson, saysFailed } from '../response/body.ts';
import { complainsOfToken } from '../response/token-complaint.ts';

export interface RefusalsOptions {
  /** Reads once with this token, which changes nothing in the store. */
  readonly read: (token: Token) => Promise<HttpResult>;
  /** Number of requests of all deliveries that the store has carried out. */
  readonly done: () => number;
}

/**
 * Records that may be refused with a 401 before any got through, while reads are answered. A token without permission
 * to write looks the same, and then the run should stop soon.
 */
const MOST_AT_START = 4;

/** `isLast`: the record will not be tried with another token. */
export type IsOwnRefusal = (token: Token, isLast: boolean) => Promise<boolean>;

/**
 * Decides whether a 401 with a new token refuses the record, as a 403 would, or the token: one record must not end
 * every run. The same token is used for a read. If that is answered, the token was valid when the record was refused.
 */
export function createRefusals({ read, done }: RefusalsOptions): IsOwnRefusal {
  const underWay = new Map<Token, Promise<HttpResult>>();
  let atStart = 0;
  let doneAtLast = 0;

  function readOnce(token: Token): Promise<HttpResult> {
    const reading = underWay.get(token) ?? read(token).finally(() => underWay.delete(token));
    underWay.set(token, reading);
    return reading;
  }

  return async (token, isLast) => {
    const got = await readOnce(token);
    const answer = parseJson(got.body);
    if (got.status === 401 || complainsOfToken(answer)) return false;
    const isAnswered = got.status !== undefined && got.status >= 200 && got.status < 300;
    if (isAnswered && isObject(answer) && !saysFailed(answer))
      return done() > 0 || ++atStart <= MOST_AT_START;
    // Not every store has that list. Then other records decide. If one got through with this token, the token may have
    // ended since, so other tokens are tried first. Else one must have got through since the last record was refused.
    if (token.proven) return isLast;
    const othersGotThrough = done() > doneAtLast;
    doneAtLast = done();
    return othersGotThrough;
  };
}
