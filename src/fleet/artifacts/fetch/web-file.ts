import type { Readable } from 'node:stream';
import { type AnswerHeaders, isPlainHttpElsewhere } from '../../../store/index.ts';
import {
  type FileClient,
  type FileReply,
  type FileRequest,
  MOST_ATTEMPTS,
  singleHeader,
  TransferError,
} from '../http/file-client.ts';
import { resumedBody } from '../http/resumed-body.ts';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 5;
const WHOLE = 200;
const PARTIAL = 206;

/** Asks for a file at a web address. Rejects with TransferError, which has no part of the address but `name`. */
export async function openWebFile(
  client: FileClient,
  url: URL,
  name: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly headers: AnswerHeaders; readonly content: Readable }> {
  const ask = (headers: FileRequest['headers'] = {}) =>
    askRepeatedly(client, { method: 'GET', url, headers, signal }, name);
  const first = await ask();
  const content = resumedBody({
    client,
    name,
    first,
    // The tag makes a server send the whole file if it was changed.
    askFrom: (byte, tag) => ask({ range: `bytes=${byte}-`, 'if-range': tag }),
    signal,
  });
  return { headers: first.headers, content };
}

async function askRepeatedly(client: FileClient, request: FileRequest, name: string): Promise<FileReply> {
  for (let attempt = 1; ; attempt++) {
    let headers: AnswerHeaders | undefined;
    try {
      const reply = await followRedirects(client, request, name);
      const { status } = reply;
      if (status === WHOLE || (status === PARTIAL && request.headers.range !== undefined)) return reply;
      headers = reply.headers;
      reply.body.destroy();
      throw new TransferError(`${name} was refused (${status}).`, `HTTP_${status}`, status);
    } catch (error) {
      if (!(error instanceof TransferError && error.isPassing) || attempt >= MOST_ATTEMPTS) throw error;
      await client.waitAfter(attempt, headers, request.signal);
    }
  }
}

/** Redirects start anew with each attempt, since their targets may be signed for minutes only. */
async function followRedirects(client: FileClient, request: FileRequest, name: string): Promise<FileReply> {
  let { url } = request;
  for (let count = 0; count <= MOST_REDIRECTS; count++) {
    if (isPlainHttpElsewhere(url.origin))
      throw new TransferError(`${name} is not at an https address.`, 'PLAIN_HTTP', 400);
    const reply = await client.request({ ...request, url });
    if (!REDIRECTS.has(reply.status)) return reply;
    reply.body.destroy();
    url = redirectTarget(singleHeader(reply.headers, 'location'), url, name);
  }
  throw new TransferError(`${name} is redirected more than ${MOST_REDIRECTS} times.`, 'REDIRECTS', 400);
}

/** A redirect never leads from https to http, and its credentials are not sent. */
function redirectTarget(location: string | undefined, from: URL, name: string): URL {
  const to =
    location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  const isAllowed = to?.protocol === 'https:' || (to?.protocol === 'http:' && from.protocol === 'http:');
  if (to === undefined || !isAllowed)
    throw new TransferError(`${name} is redirected to an address that is not used.`, 'REDIRECT', 400);
  to.username = '';
  to.password = '';
  to.hash = '';
  return to;
}
