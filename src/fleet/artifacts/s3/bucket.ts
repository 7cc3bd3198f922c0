import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import {
  createFileClient,
  type FileClient,
  type FileReply,
  type FileRequest,
  MOST_ATTEMPTS,
  readShortBody,
  TransferError,
} from '../http/file-client.ts';
import type { ObjectStoreOptions } from '../types.ts';
import { bucketSettings } from './settings.ts';
import { elementOf } from './xml.ts';

/** One request to a bucket. */
export interface BucketRequest {
  readonly method: FileRequest['method'];
  /** Undefined: the bucket itself. */
  readonly key?: string | undefined;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Signed requests to a bucket. */
export interface Bucket {
  readonly client: FileClient;
  /** Sends a request again after trouble that may pass. Rejects with TransferError for any other answer than 2xx. */
  request(request: BucketRequest): Promise<FileReply>;
  /** Reads the whole answer of a request, which is short. */
  requestText(request: BucketRequest): Promise<string>;
  close(): Promise<void>;
}

/** A list of 1,000 keys of 1,024 characters, percent-encoded. */
const LONGEST_ANSWER = 8 * 1024 * 1024;

/** Opens a bucket. `name` is shown in errors. */
export function openBucket(name: string, bucket: string, options: ObjectStoreOptions): Bucket {
  const { url: base, region, ...keys } = bucketSettings(bucket, options);
  const client = createFileClient(options);
  const cache = new Map<string, ArrayBuffer>();

  async function signed({ method, key, query = {}, headers = {}, body }: BucketRequest) {
    const search = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`);
    const path = key === undefined ? '/' : `/${key.split('/').map(encode).join('/')}`;
    const url = `${base}${path}${search.length > 0 ? `?${search.join('&')}` : ''}`;
    const signer = new AwsV4Signer({
      method,
      url,
      // The digest is signed, so the server refuses a body that was damaged on the way.
      headers: { ...headers, 'x-amz-content-sha256': sha256Of(body) },
      service: 's3',
      region,
      cache,
      accessKeyId: keys.accessKeyId,
      secretAccessKey: keys.secretAccessKey,
      ...(keys.sessionToken !== undefined && { sessionToken: keys.sessionToken }),
    });
    const { headers: all } = await signer.sign();
    return { url: new URL(url), headers: Object.fromEntries(all) };
  }

  /** Signs each attempt anew, since a signature is valid for minutes. */
  async function attempt(request: BucketRequest): Promise<FileReply> {
    const { method, body, signal } = request;
    const reply = await client.request({ ...(await signed(request)), method, body, signal });
    if (reply.status >= 200 && reply.status < 300) return reply;
    throw await refusal(reply);
  }

  async function refusal(reply: FileReply): Promise<TransferError & { headers?: FileReply['headers'] }> {
    const text = await readShortBody(reply, name, LONGEST_ANSWER);
    return Object.assign(refusedBy(name, text, reply.status), { headers: reply.headers });
  }

  async function withRetries<Result>(
    work: () => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    for (let count = 1; ; count++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof TransferError && error.isPassing) || count >= MOST_ATTEMPTS) throw error;
        await client.waitAfter(count, (error as { headers?: FileReply['headers'] }).headers, signal);
      }
    }
  }

  return {
    client,
    request: (request) => withRetries(() => attempt(request), request.signal),
    requestText: (request) =>
      withRetries(async () => {
        const text = await readShortBody(await attempt(request), name, LONGEST_ANSWER);
        // Long operations answer 200 before they are done, and report an error in the body.
        if (/^\s*(?:<\?xml[^>]*>)?\s*<Error>/.test(text)) throw refusedBy(name, text, 500);
        return text;
      }, request.signal),
    close: () => client.close(),
  };
}

/** Describes a refusal by its code alone: other parts of the answer repeat keys and signatures. */
function refusedBy(name: string, text: string, status: number): TransferError {
  const code = /^[A-Za-z0-9.]{1,64}$/.exec(elementOf(text, 'Code') ?? '')?.[0] ?? `HTTP_${status}`;
  return new TransferError(`${name} refused a request (${code}, ${status}).`, code, status);
}

/** Also encodes the characters that a server's own computation of the signature encodes. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256Of(body: Buffer | undefined): string {
  return createHash('sha256')
    .update(body ?? '')
    .digest('hex');
}
