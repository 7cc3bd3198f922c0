import { Readable } from 'node:stream';
import {
  asTransferError,
  type FileClient,
  type FileReply,
  MOST_ATTEMPTS,
  strongTagOf,
  TransferError,
} from './file-client.ts';

export interface ResumedBodyOptions {
  readonly client: FileClient;
  /** Shown in errors. */
  readonly name: string;
  readonly first: FileReply;
  /** Asks for the rest from a byte, if the object still has the tag. Rejects with TransferError. */
  readonly askFrom: (byte: number, tag: string) => Promise<FileReply>;
  readonly signal?: AbortSignal | undefined;
}

const PARTIAL = 206;
const WHOLE = 200;

/**
 * Streams the body of an answer. After a broken connection it asks for the rest, if the server identifies the object by a
 * strong tag. Attempts are counted anew whenever bytes have arrived.
 */
export function resumedBody(options: ResumedBodyOptions): Readable {
  return Readable.from(chunksOf(options), { objectMode: false });
}

async function* chunksOf({
  client,
  name,
  first,
  askFrom,
  signal,
}: ResumedBodyOptions): AsyncGenerator<Buffer, void, undefined> {
  const tag = strongTagOf(first.headers);
  let received = 0;
  let reply = first;
  let skip = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      for await (const chunk of reply.body as AsyncIterable<Buffer>) {
        const kept = chunk.subarray(skip);
        skip -= chunk.length - kept.length;
        if (kept.length === 0) continue;
        received += kept.length;
        attempt = 1;
        yield kept;
      }
      if (skip > 0) throw changed(name);
      return;
    } catch (error) {
      const failure = asTransferError(error, name, signal);
      if (tag === undefined || attempt >= MOST_ATTEMPTS || !failure.isPassing) throw failure;
    }
    [reply, skip] = await askAgain(attempt, received, tag);
  }

  /** Returns the answer with the rest, and how many of its bytes are known. */
  async function askAgain(attempt: number, byte: number, tag: string): Promise<[FileReply, number]> {
    await client.waitAfter(attempt, undefined, signal);
    const next = await askFrom(byte, tag);
    const isSame = strongTagOf(next.headers) === tag;
    if (isSame && next.status === PARTIAL && rangeStart(next) === byte) return [next, 0];
    if (isSame && next.status === WHOLE) return [next, byte];
    next.body.destroy();
    throw changed(name);
  }
}

function rangeStart({ headers }: FileReply): number | undefined {
  const start = /^bytes (\d{1,15})-/.exec(String(headers['content-range'] ?? ''))?.[1];
  return start === undefined ? undefined : Number(start);
}

export const CHANGED = 'CHANGED';

function changed(name: string): TransferError {
  return new TransferError(`${name} was changed while it was read.`, CHANGED, 412);
}
