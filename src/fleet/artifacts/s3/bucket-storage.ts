import type { Readable } from 'node:stream';
import { type FileReply, TransferError } from '../http/file-client.ts';
import { resumedBody } from '../http/resumed-body.ts';
import type { ArtifactStorage, ListedObject, ObjectStoreOptions } from '../types.ts';
import { type Bucket, openBucket } from './bucket.ts';
import { writeObject } from './write-object.ts';
import { elementOf, elementsOf } from './xml.ts';

const PART_BYTES = 8 * 1024 * 1024;

/** Opens a part of a bucket. Sends nothing yet. */
export function openBucketStorage(
  { bucket: bucketName, key: prefix }: { readonly bucket: string; readonly key: string },
  options: ObjectStoreOptions,
): ArtifactStorage {
  const name = `s3://${bucketName}${prefix === '' ? '' : `/${prefix}`}`;
  const bucket = openBucket(name, bucketName, options);
  const below = prefix === '' ? '' : `${prefix}/`;
  const { partBytes = PART_BYTES } = options;

  return {
    name,
    async put(key, content, how = {}) {
      const target = { bucket, key: `${below}${key}`, name, partBytes };
      return { key, ...(await writeObject(target, content, how)) };
    },
    get: async (key, signal) => (await getObject(bucket, name, `${below}${key}`, signal))?.content,
    async remove({ key, upload }) {
      const query = upload === undefined ? {} : { uploadId: upload };
      await ignoreMissing(async () => {
        const { body } = await bucket.request({ method: 'DELETE', key: `${below}${key}`, query });
        await body.dump();
      });
    },
    async *list() {
      yield* listObjects(bucket, below);
      yield* listUploads(bucket, below);
    },
    close: () => bucket.close(),
  };
}

/** Asks for an object. Undefined if there is none. */
export async function getObject(
  bucket: Bucket,
  name: string,
  key: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly headers: FileReply['headers']; readonly content: Readable } | undefined> {
  const first = await ignoreMissing(() => bucket.request({ method: 'GET', key, signal }));
  if (first === undefined) return undefined;
  const content = resumedBody({
    client: bucket.client,
    name,
    first,
    askFrom: (byte, tag) =>
      bucket.request({ method: 'GET', key, headers: { range: `bytes=${byte}-`, 'if-match': tag }, signal }),
    signal,
  });
  return { headers: first.headers, content };
}

const MISSING: ReadonlySet<string> = new Set(['NoSuchKey', 'NoSuchUpload', 'HTTP_404']);

async function ignoreMissing<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TransferError && error.status === 404 && MISSING.has(error.code)) return undefined;
    throw error;
  }
}

async function* listObjects(bucket: Bucket, below: string): AsyncGenerator<ListedObject, void, undefined> {
  for (let token: string | undefined; ; ) {
    const page = await bucket.requestText({
      method: 'GET',
      query: {
        'list-type': '2',
        'encoding-type': 'url',
        prefix: below,
        ...(token !== undefined && { 'continuation-token': token }),
      },
    });
    for (const entry of elementsOf(page, 'Contents')) yield* listed(entry, below, 'LastModified');
    token = elementOf(page, 'NextContinuationToken');
    if (elementOf(page, 'IsTruncated') !== 'true' || token === undefined) return;
  }
}

async function* listUploads(bucket: Bucket, below: string): AsyncGenerator<ListedObject, void, undefined> {
  for (let after: Readonly<Record<string, string>> = {}; ; ) {
    const page = await bucket.requestText({
      method: 'GET',
      query: { uploads: '', 'encoding-type': 'url', prefix: below, ...after },
    });
    for (const entry of elementsOf(page, 'Upload')) yield* listed(entry, below, 'Initiated');
    const key = elementOf(page, 'NextKeyMarker');
    const upload = elementOf(page, 'NextUploadIdMarker');
    if (elementOf(page, 'IsTruncated') !== 'true' || !key || !upload) return;
    after = { 'key-marker': decodeKey(key), 'upload-id-marker': upload };
  }
}

function* listed(entry: string, below: string, dateName: string): Generator<ListedObject, void, undefined> {
  const key = decodeKey(elementOf(entry, 'Key') ?? '');
  const at = new Date(elementOf(entry, dateName) ?? '');
  if (!key.startsWith(below) || Number.isNaN(at.getTime())) return;
  const upload = elementOf(entry, 'UploadId');
  yield { key: key.slice(below.length), at, ...(upload !== undefined && { upload }) };
}

/** Keys in lists are encoded as in forms. */
function decodeKey(text: string): string {
  return decodeURIComponent(text.replaceAll('+', '%20'));
}
