import type { Reply } from '../reply.ts';

/** How an exchange ends on the wire. */
export type FaultEnding =
  | { readonly how: 'answer'; readonly reply: Reply }
  /** The connection is reset: the client sees ECONNRESET. */
  | { readonly how: 'reset' }
  /** No answer is sent, and the connection stays open. */
  | { readonly how: 'hang' }
  /** Half of the body is sent, then the connection is closed. `delimited`: a content-length was sent. */
  | { readonly how: 'cut'; readonly reply: Reply; readonly delimited: boolean }
  /** The answer is sent byte by byte. */
  | { readonly how: 'trickle'; readonly reply: Reply }
  /** Bytes that are not HTTP are sent. */
  | { readonly how: 'garbage' };

/** A fault of single requests. */
export interface RequestFault {
  readonly says: string;
  /** True if the store processes the request, and only the answer is lost or spoilt. */
  readonly late: boolean;
  /** Returns the ending. `reply` is the answer of the store; a fault that is not late must not use it. */
  readonly ending: (reply: Reply, retryAfter: readonly string[]) => FaultEnding;
}

const RESET: FaultEnding = { how: 'reset' };
const HANG: FaultEnding = { how: 'hang' };

/** Returns a page as proxies send it, in place of an answer of the API. */
function page(status: number, title: string): Reply {
  const text = `<!DOCTYPE html><html><head><title>${status} ${title}</title></head><body><h1>${title}</h1></body></html>`;
  return { status, text, type: 'text/html' };
}

const TITLES: Readonly<Record<number, string>> = {
  408: 'Request Timeout',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

function fails(status: number): Pick<RequestFault, 'ending'> {
  const reply = page(status, TITLES[status] ?? 'Error');
  return { ending: () => ({ how: 'answer', reply }) };
}

/** Returns a refusal in the form of the API, with the header Retry-After if the fault `retry-after` is set. */
export function busy(status: 429 | 503, retryAfter: readonly string[]): Reply {
  const [code, message] =
    status === 429
      ? ['TOO_MANY_REQUESTS', 'Too many requests.']
      : ['UNAVAILABLE', 'The store is not available for the moment.'];
  return { status, text: JSON.stringify({ status: 'error', code, message }), headers: retryAfter };
}

/** Changes the key and the `_id` in an answer, so that it looks like the answer to another request. */
function ofAnother(text: string): string {
  return text
    .replace(/"_id":"([^"]*)"/, (_, id: string) => `"_id":"${[...id].reverse().join('')}"`)
    .replace(/"(reference|code|email|phone|name)":"/g, '"$1":"other ');
}

/** Faults by name. If `late` is false, the request has no effect in the store. */
export const REQUEST_FAULTS = {
  reset: { late: false, says: 'resets the connection', ending: () => RESET },
  hang: { late: false, says: 'never answers', ending: () => HANG },
  'error-408': { late: false, says: "answers 408 with a proxy's page", ...fails(408) },
  'error-500': { late: false, says: "answers 500 with a proxy's page", ...fails(500) },
  'error-502': { late: false, says: "answers 502 with a proxy's page", ...fails(502) },
  'error-503': { late: false, says: "answers 503 with a proxy's page", ...fails(503) },
  'error-504': { late: false, says: "answers 504 with a proxy's page", ...fails(504) },
  'error-429': {
    late: false,
    says: 'answers 429, whatever the rate',
    ending: (_, retryAfter) => ({ how: 'answer', reply: busy(429, retryAfter) }),
  },
  'error-503-json': {
    late: false,
    says: 'answers 503 in the words of the API',
    ending: (_, retryAfter) => ({ how: 'answer', reply: busy(503, retryAfter) }),
  },
  redirect: {
    late: false,
    says: 'answers 302 to another address',
    ending: () => ({
      how: 'answer',
      reply: { ...page(302, 'Found'), headers: ['location', 'https://elsewhere.example/login'] },
    }),
  },
  'late-reset': { late: true, says: 'resets the connection instead of answering', ending: () => RESET },
  'late-hang': { late: true, says: 'never answers', ending: () => HANG },
  'late-500': { late: true, says: "answers 500 with a proxy's page", ...fails(500) },
  'late-502': { late: true, says: "answers 502 with a proxy's page", ...fails(502) },
  'late-503': { late: true, says: "answers 503 with a proxy's page", ...fails(503) },
  'late-504': { late: true, says: "answers 504 with a proxy's page", ...fails(504) },
  truncated: {
    late: true,
    says: 'announces the whole answer, sends half of it and closes the connection',
    ending: (reply) => ({ how: 'cut', reply, delimited: true }),
  },
  cut: {
    late: true,
    says: 'sends half of the answer without announcing a length, and closes the connection',
    ending: (reply) => ({ how: 'cut', reply, delimited: false }),
  },
  trickle: {
    late: true,
    says: 'sends the answer byte by byte',
    ending: (reply) => ({ how: 'trickle', reply }),
  },
  html: {
    late: true,
    says: 'answers 200 with a web page',
    ending: () => ({ how: 'answer', reply: page(200, 'Welcome') }),
  },
  empty: {
    late: true,
    says: 'answers 200 with no body',
    ending: () => ({ how: 'answer', reply: { status: 200, text: '' } }),
  },
  'no-id': {
    late: true,
    says: 'answers without the identifier',
    ending: (reply) => ({
      how: 'answer',
      reply: { ...reply, text: reply.text.replace(/"_id":"[^"]*",?/, '') },
    }),
  },
  'other-record': {
    late: true,
    says: 'answers with another record: its key and its `_id` are not those of the one that was sent',
    ending: (reply) => ({ how: 'answer', reply: { ...reply, text: ofAnother(reply.text) } }),
  },
  garbage: { late: true, says: 'sends bytes that are no HTTP', ending: () => ({ how: 'garbage' }) },
} satisfies Readonly<Record<string, RequestFault>>;
