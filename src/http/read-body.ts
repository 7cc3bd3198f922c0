import type { IncomingMessage } from 'node:http';
import { ConfigError, exceededLimit, JSON_LIMIT_WORDS } from '../model/index.ts';

/** A mapping is a few kilobytes, and cells are pasted by hand. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Parses the body of a request; undefined if there is none. Throws ConfigError. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES)
      throw new ConfigError(`The request is larger than ${MOST_BYTES / 1024 / 1024} MiB.`, [
        'Send less at once.',
      ]);
    chunks.push(chunk);
  }
  if (bytes === 0) return undefined;
  // A form of another site can send text, but not this type without being asked first.
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new ConfigError('The body of a request must be JSON.', ['Send Content-Type: application/json.']);
  const body = Buffer.concat(chunks);
  const limit = exceededLimit(body);
  if (limit)
    throw new ConfigError(`The body of the request ${JSON_LIMIT_WORDS[limit]}.`, ['Send less at once.']);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new ConfigError('The body of the request is not JSON.', ['Reload the page.']);
  }
}
