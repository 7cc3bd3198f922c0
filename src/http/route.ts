import type { IncomingMessage } from 'node:http';
import type * as z from 'zod';
import { ConfigError, shownWord } from '../model/index.ts';

/** One request to the API, after the gate admitted it. */
export interface ApiRequest {
  /** Decoded parts of the path, by the names in `ApiRoute.path`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed JSON body; undefined if there is none. At most 4 MiB. */
  readonly body: unknown;
  /** Fires when the page does not wait for the answer any more. */
  readonly left: AbortSignal;
  /** The request itself, for routes with `readsBody`. */
  readonly incoming: IncomingMessage;
}

/** An answer that is not JSON: a file, or events. */
export interface RawAnswer {
  /** Default: 200. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array | string> | string;
}

/** One line of the API. */
export interface ApiRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below API_BASE, such as `/works/:id`. */
  readonly path: string;
  /** Returns the JSON of the answer, undefined for an empty one. Throws ConfigError, NotFound. */
  readonly run: (request: ApiRequest) => unknown;
  /** The route reads the body itself. */
  readonly readsBody?: true;
  /** `run` returns a RawAnswer. */
  readonly isRaw?: true;
}

/** Whoever asks may not see it (403). */
export class Forbidden extends ConfigError {}

/** The thing that an address names does not exist (404). */
export class NotFound extends ConfigError {}

/** The page that asks shows an earlier state (409). */
export class Stale extends ConfigError {}

/** Throws Stale if a request names another state than the current one. Without a name it is for any state. */
export function refuseStale(named: string | null | undefined, current: string, what: string): void {
  if (named === null || named === undefined || named === current) return;
  throw new Stale(`${what} changed elsewhere meanwhile, such as in another tab. Your change was not kept.`, [
    'The page shows the newer state: look at it, and make your change again.',
  ]);
}

/** Something that the server needs for the answer does not work now (503). */
export class Unavailable extends ConfigError {}

/** Checks a body. Throws ConfigError with the first fault. */
export function bodyOf<Body>(schema: z.ZodType<Body>, body: unknown): Body {
  const { data, error } = schema.safeParse(body);
  const [issue] = error?.issues ?? [];
  if (issue)
    throw new ConfigError(`The request is wrong at ${issue.path.join('.') || 'its top'}: ${issue.message}.`, [
      'Reload the page: it may be of another version.',
    ]);
  return data as Body;
}

/** A whole number of the query, within limits. Default if it is missing. Throws ConfigError if it is none. */
export function numberIn(
  query: URLSearchParams,
  name: string,
  { default: normal, most }: { readonly default: number; readonly most: number },
): number {
  const text = query.get(name);
  if (text === null) return normal;
  if (!/^\d{1,15}$/.test(text))
    throw new ConfigError(`${name} in the address must be a whole number, found "${shownWord(text)}".`);
  return Math.min(Number(text), most);
}
