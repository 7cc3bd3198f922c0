import type { ServerResponse } from 'node:http';
import type { ApiFailure } from './api.ts';
import type { RawAnswer } from './route.ts';

/**
 * Headers of every answer. The page runs its own scripts only, is shown in no frame, and sends nothing elsewhere. Other
 * sites can neither read nor embed an answer: there is no CORS header.
 */
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8', ...headers });
  response.end(text);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = value === undefined ? '' : JSON.stringify(value);
  sendText(response, status, text, { 'Content-Type': 'application/json; charset=utf-8', ...headers });
}

export function sendFailure(
  response: ServerResponse,
  status: number,
  { message, hints = [] }: { readonly message: string; readonly hints?: readonly string[] | undefined },
  headers?: Readonly<Record<string, string>>,
): void {
  sendJson(response, status, { error: { message, hints } } satisfies ApiFailure, headers);
}

/** Sends a file or events. A reader that is slow or leaves stops the source. */
export async function sendRaw(
  response: ServerResponse,
  { status = 200, headers, body }: RawAnswer,
): Promise<void> {
  response.writeHead(status, { ...HEADERS, ...headers });
  if (typeof body === 'string') {
    response.end(body);
    return;
  }
  for await (const chunk of body) {
    if (response.destroyed) break;
    if (!response.write(chunk)) await drained(response);
  }
  response.end();
}

/** Resolves when more can be written, or when nobody reads any more. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
    if (response.destroyed) done();
  });
}
