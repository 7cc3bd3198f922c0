import { createHash, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export type S3Operation =
  | 'put-object'
  | 'get-object'
  | 'head-object'
  | 'delete-object'
  | 'list-objects'
  | 'begin-upload'
  | 'put-part'
  | 'complete-upload'
  | 'abort-upload'
  | 'list-uploads'
  | 'unknown';

export interface S3Call {
  readonly key: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** `code`: it is refused. */
export interface S3Answer {
  readonly status: number;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: Buffer;
}

export interface S3Object {
  readonly body: Buffer;
  readonly etag: string;
  readonly at: Date;
}

export interface S3Upload {
  readonly id: string;
  readonly key: string;
  readonly parts: Map<number, Buffer>;
  readonly at: Date;
}

export interface S3Objects {
  readonly objects: Map<string, S3Object>;
  readonly uploads: Map<string, S3Upload>;
  carryOut(operation: S3Operation, call: S3Call): S3Answer;
}

export function operationOf(
  method: string,
  key: string,
  query: Readonly<Record<string, string>>,
): S3Operation {
  const isUpload = query.uploadId !== undefined;
  if (key === '') return query.uploads === undefined ? 'list-objects' : 'list-uploads';
  if (method === 'PUT') return isUpload ? 'put-part' : 'put-object';
  if (method === 'POST') return isUpload ? 'complete-upload' : 'begin-upload';
  if (method === 'DELETE') return isUpload ? 'abort-upload' : 'delete-object';
  if (method === 'GET') return 'get-object';
  return method === 'HEAD' ? 'head-object' : 'unknown';
}

export function createObjects(pageSize: number): S3Objects {
  const objects = new Map<string, S3Object>();
  const uploads = new Map<string, S3Upload>();

  function put(key: string, body: Buffer, etag = tagOf(body)): S3Answer {
    objects.set(key, { body, etag, at: new Date() });
    return { status: 200, headers: { etag } };
  }

  function get({ key, headers }: S3Call): S3Answer {
    const found = objects.get(key);
    if (found === undefined) return { status: 404, code: 'NoSuchKey' };
    const { body, etag } = found;
    if (headers['if-match'] !== undefined && headers['if-match'] !== etag)
      return { status: 412, code: 'PreconditionFailed' };
    const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    if (headers.range === undefined) return { status: 200, headers: { etag }, body };
    const range = { etag, 'content-range': `bytes ${start}-${body.length - 1}/${body.length}` };
    return { status: 206, headers: range, body: body.subarray(start) };
  }

  function complete({ query, key, body }: S3Call): S3Answer {
    const upload = uploads.get(query.uploadId ?? '');
    if (upload === undefined) return { status: 404, code: 'NoSuchUpload' };
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)];
    const parts = named.map(([, number, tag = '']) => ({ part: upload.parts.get(Number(number)), tag }));
    if (parts.some(({ part, tag }) => part === undefined || tagOf(part) !== tag))
      return { status: 400, code: 'InvalidPart' };
    uploads.delete(upload.id);
    const whole = Buffer.concat(parts.flatMap(({ part }) => part ?? []));
    put(key, whole, `"${createHash('md5').update(whole).digest('hex')}-${parts.length}"`);
    return xml('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>');
  }

  function listObjects({ query }: S3Call): S3Answer {
    const all = [...objects.keys()].filter((key) => key.startsWith(query.prefix ?? '')).sort();
    const rest = all.filter((key) => key > (query['continuation-token'] ?? ''));
    const page = rest.slice(0, pageSize);
    const entries = page.map(
      (key) =>
        `<Contents><Key>${formEncoded(key)}</Key><LastModified>${objects.get(key)?.at.toISOString()}</LastModified></Contents>`,
    );
    const next = `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>`;
    return xml(listOf('ListBucketResult', entries, rest.length > page.length ? next : undefined));
  }

  function listUploads({ query }: S3Call): S3Answer {
    const rest = [...uploads.values()]
      .filter(({ key }) => key.startsWith(query.prefix ?? ''))
      .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
      .filter(
        (upload) => placeOf(upload) > `${query['key-marker'] ?? ''} ${query['upload-id-marker'] ?? ''}`,
      );
    const page = rest.slice(0, pageSize);
    const entries = page.map(
      ({ key, id, at }) =>
        `<Upload><Key>${formEncoded(key)}</Key><UploadId>${id}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`,
    );
    const last = page.at(-1);
    const next = `<NextKeyMarker>${formEncoded(last?.key ?? '')}</NextKeyMarker><NextUploadIdMarker>${last?.id}</NextUploadIdMarker>`;
    return xml(listOf('ListMultipartUploadsResult', entries, rest.length > page.length ? next : undefined));
  }

  const carriedOut: Readonly<Record<S3Operation, (call: S3Call) => S3Answer>> = {
    'put-object': ({ key, body }) => put(key, body),
    'get-object': get,
    'head-object': get,
    'delete-object': ({ key }) => {
      objects.delete(key);
      return { status: 204 };
    },
    'list-objects': listObjects,
    'list-uploads': listUploads,
    'begin-upload': ({ key }) => {
      const id = randomUUID();
      uploads.set(id, { id, key, parts: new Map(), at: new Date() });
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    },
    'put-part': ({ query, body }) => {
      const upload = uploads.get(query.uploadId ?? '');
      upload?.parts.set(Number(query.partNumber), body);
      return upload ? { status: 200, headers: { etag: tagOf(body) } } : { status: 404, code: 'NoSuchUpload' };
    },
    'complete-upload': complete,
    'abort-upload': ({ query }) =>
      uploads.delete(query.uploadId ?? '') ? { status: 204 } : { status: 404, code: 'NoSuchUpload' },
    unknown: () => ({ status: 405, code: 'MethodNotAllowed' }),
  };
  return { objects, uploads, carryOut: (operation, call) => carriedOut[operation](call) };
}

function placeOf({ key, id }: S3Upload): string {
  return `${key} ${id}`;
}

function listOf(name: string, entries: readonly string[], next: string | undefined): string {
  return `<${name}><IsTruncated>${next !== undefined}</IsTruncated>${next ?? ''}${entries.join('')}</${name}>`;
}

function xml(text: string): S3Answer {
  return { status: 200, body: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`) };
}

function tagOf(body: Buffer): string {
  return `"${createHash('md5').update(body).digest('hex')}"`;
}

function formEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%20', '+').replaceAll('%2F', '/');
}
