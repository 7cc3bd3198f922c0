import { createHash } from 'node:crypto';
import { lengthOf, singleHeader, TransferError } from '../http/file-client.ts';
import type { WriteOptions, WrittenObject } from '../types.ts';
import type { Bucket } from './bucket.ts';
import { elementOf, escapeXml } from './xml.ts';

export interface ObjectTarget {
  readonly bucket: Bucket;
  /** Key in the bucket. */
  readonly key: string;
  /** Shown in errors. */
  readonly name: string;
  readonly partBytes: number;
}

/** Limit of object stores. */
const MOST_PARTS = 10_000;

/**
 * Writes an object. One that fits into a part is written by one request, a larger one in parts. While a part is sent, the
 * next one is filled; no more is in memory.
 */
export async function writeObject(
  target: ObjectTarget,
  content: AsyncIterable<Uint8Array>,
  { bytes: size = 0, signal }: WriteOptions,
): Promise<Omit<WrittenObject, 'key'>> {
  const partBytes = Math.max(target.partBytes, Math.ceil(size / MOST_PARTS));
  const parts = partsOf(content, partBytes, size);
  try {
    const first = (await parts.next()).value ?? Buffer.alloc(0);
    return await (first.length < partBytes ? putWhole : putParts)(target, first, parts, signal);
  } finally {
    // Also ends the source.
    await parts.return();
  }
}

async function putWhole(
  { bucket, key }: ObjectTarget,
  body: Buffer,
  _: unknown,
  signal: AbortSignal | undefined,
): Promise<Omit<WrittenObject, 'key'>> {
  await bucket.requestText({ method: 'PUT', key, body, signal });
  return { bytes: body.length, sha256: createHash('sha256').update(body).digest('hex') };
}

async function putParts(
  target: ObjectTarget,
  first: Buffer,
  rest: AsyncIterable<Buffer>,
  signal: AbortSignal | undefined,
): Promise<Omit<WrittenObject, 'key'>> {
  const hash = createHash('sha256').update(first);
  let bytes = first.length;
  const upload = await beginUpload(target, signal);
  let sending = upload.send(first);
  // Here and below, the error is thrown where `sending` is awaited.
  sending.catch(() => {});
  try {
    for await (const part of rest) {
      hash.update(part);
      bytes += part.length;
      await sending;
      sending = upload.send(part);
      sending.catch(() => {});
    }
    await sending;
    await upload.complete(bytes);
  } catch (error) {
    await sending.catch(() => {});
    await upload.abort();
    throw error;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** An upload in parts, which are numbered as they are sent. */
interface Upload {
  send(part: Buffer): Promise<void>;
  complete(bytes: number): Promise<void>;
  /** Never rejects: a sweep removes an upload that could not be ended. */
  abort(): Promise<void>;
}

async function beginUpload(
  { bucket, key, name }: ObjectTarget,
  signal: AbortSignal | undefined,
): Promise<Upload> {
  const begun = await bucket.requestText({ method: 'POST', key, query: { uploads: '' }, signal });
  const uploadId = elementOf(begun, 'UploadId') ?? '';
  if (uploadId === '') throw new TransferError(`${name} did not begin an upload.`, 'NO_UPLOAD', 400);
  const tags: string[] = [];

  async function send(body: Buffer): Promise<void> {
    if (tags.length >= MOST_PARTS)
      throw new TransferError(`A file for ${name} is larger than can be uploaded.`, 'TOO_LARGE', 400);
    const query = { partNumber: String(tags.length + 1), uploadId };
    const reply = await bucket.request({ method: 'PUT', key, query, body, signal });
    await reply.body.dump();
    const tag = singleHeader(reply.headers, 'etag');
    if (tag === undefined)
      throw new TransferError(`${name} did not acknowledge a part of a file.`, 'NO_ETAG', 400);
    tags.push(tag);
  }

  async function complete(bytes: number): Promise<void> {
    const parts = tags.map(
      (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
    );
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
    try {
      await bucket.requestText({ method: 'POST', key, query: { uploadId }, body, signal });
    } catch (error) {
      // An earlier attempt may have completed it, and its answer was lost.
      if (!(error instanceof TransferError && error.code === 'NoSuchUpload')) throw error;
    }
    const { headers } = await bucket.request({ method: 'HEAD', key, signal });
    if (lengthOf(headers) !== bytes)
      throw new TransferError(`${name} has not all bytes of a file that was uploaded.`, 'WRONG_SIZE', 400);
  }

  return {
    send,
    complete,
    async abort() {
      await bucket
        .request({ method: 'DELETE', key, query: { uploadId } })
        .then(({ body }) => body.dump())
        .catch(() => {});
    },
  };
}

/**
 * Cuts a stream into parts. All but the last have the full size. Each uses the memory of the last but one, which must have been
 * sent when the next part is asked for.
 */
async function* partsOf(
  content: AsyncIterable<Uint8Array>,
  partBytes: number,
  size: number,
): AsyncGenerator<Buffer, void, undefined> {
  // A small file does not need the memory of a whole part. One byte more shows that a file has grown.
  let room: Buffer = Buffer.allocUnsafe(size > 0 ? Math.min(partBytes, size + 1) : partBytes);
  let spare: Buffer | undefined;
  let used = 0;
  for await (const chunk of content) {
    for (let from = 0; from < chunk.length; ) {
      if (used === room.length && room.length < partBytes) {
        const larger = Buffer.allocUnsafe(partBytes);
        room.copy(larger, 0, 0, used);
        room = larger;
      }
      const taken = Math.min(chunk.length - from, room.length - used);
      room.set(chunk.subarray(from, from + taken), used);
      used += taken;
      from += taken;
      if (used === partBytes) {
        yield room;
        [room, spare] = [spare ?? Buffer.allocUnsafe(partBytes), room];
        used = 0;
      }
    }
  }
  if (used > 0) yield room.subarray(0, used);
}
