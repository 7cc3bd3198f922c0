import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { createReadStream, mkdir, stat } from '../../../model/files/fs.ts';
import {
  ConfigError,
  missingFile,
  PRIVATE_FILE,
  PRIVATE_FOLDER,
  RunStopped,
  shownLocation,
} from '../../../model/index.ts';
import { ANY_ADDRESS, type AnswerHeaders, publicAddresses } from '../../../store/index.ts';
import { openAtomicFile } from '../../../write/index.ts';
import {
  asTransferError,
  createFileClient,
  lengthOf,
  MOST_ATTEMPTS,
  strongTagOf,
  TransferError,
} from '../http/file-client.ts';
import { CHANGED } from '../http/resumed-body.ts';
import { type FilePlace, readLocation } from '../location.ts';
import { openBucket } from '../s3/bucket.ts';
import { getObject } from '../s3/bucket-storage.ts';
import type { FetchedFile, FetchOptions } from '../types.ts';
import { openWebFile } from './web-file.ts';
import { realPathWithin } from './within.ts';

/**
 * Brings an input file to this machine. A path is used where it is; other files are downloaded into `folder`, and appear
 * there whole or not at all. Rejects with ConfigError if there is no such file or it may not be read, with RunStopped
 * (`source-failed`) after trouble that may pass, and (`source-changed`) if it is not the file that is expected.
 */
export async function fetchSource(location: string, options: FetchOptions): Promise<FetchedFile> {
  const place = readLocation(location);
  const name = shownLocation(location);
  if (place.kind === 'path') return localFile(place.path, options);
  const target = await targetOf(location, place, options.folder);
  for (let attempt = 1; ; attempt++) {
    const download = openDownload(place, name, options);
    let isOpen = false;
    try {
      const opened = await download.open();
      isOpen = true;
      return await save(opened, { name, target, options });
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof TransferError)) throw error;
      // Opening has been tried again already; a body that broke off and cannot be resumed has not.
      const mayRestart = isOpen && (error.status === undefined || error.code === CHANGED);
      if (!mayRestart || attempt >= MOST_ATTEMPTS) throw described(error, name);
      await download.waitAfter(attempt);
    } finally {
      await download.close();
    }
  }
}

interface Download {
  open(): Promise<{ readonly headers: AnswerHeaders; readonly content: Readable }>;
  waitAfter(attempt: number): Promise<void>;
  close(): Promise<void>;
}

function openDownload(
  place: Exclude<FilePlace, { kind: 'path' }>,
  name: string,
  options: FetchOptions,
): Download {
  const { signal } = options;
  if (place.kind === 'web') {
    // The endpoint of a bucket is a setting of the worker, and this address is data.
    const guard = options.allowsPrivate ? ANY_ADDRESS : publicAddresses();
    const client = createFileClient({ ...options, guard });
    return {
      open: () => openWebFile(client, place.url, name, signal),
      waitAfter: (attempt) => client.waitAfter(attempt, undefined, signal),
      close: () => client.close(),
    };
  }
  const bucket = openBucket(name, place.bucket, options);
  return {
    async open() {
      const found = await getObject(bucket, name, place.key, signal);
      if (found === undefined) throw new TransferError(`There is no file ${name}.`, 'MISSING', 404);
      return found;
    },
    waitAfter: (attempt) => bucket.client.waitAfter(attempt, undefined, signal),
    close: () => bucket.close(),
  };
}

/** Files of the same name from different places do not meet. */
async function targetOf(location: string, place: FilePlace, folder: string): Promise<string> {
  const path = place.kind === 'web' ? place.url.pathname : place.kind === 's3' ? place.key : '';
  const own = join(folder, createHash('sha256').update(location).digest('hex').slice(0, 16));
  await mkdir(own, { recursive: true, mode: PRIVATE_FOLDER });
  return join(own, fileNameOf(path));
}

const LONGEST_FILE_NAME = 120;

/** The ending is kept, since the format of a file is recognised by it. */
function fileNameOf(path: string): string {
  const last = path.slice(path.lastIndexOf('/') + 1);
  const plain = decoded(last)
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^\.+/, '');
  return plain.slice(-LONGEST_FILE_NAME) || 'file';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface Saving {
  readonly name: string;
  readonly target: string;
  readonly options: FetchOptions;
}

async function save(
  { headers, content }: { readonly headers: AnswerHeaders; readonly content: Readable },
  { name, target, options: { mostBytes, expected, signal } }: Saving,
): Promise<FetchedFile> {
  const etag = strongTagOf(headers);
  const announced = lengthOf(headers);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    checkSize(name, announced ?? 0, mostBytes);
    const isOther = expected?.etag !== undefined && etag !== undefined && expected.etag !== etag;
    // A server may tag the same bytes anew, so the digest decides if there is one.
    if (isOther && expected?.sha256 === undefined) throw changedSource(name);
    const file = await openAtomicFile(target, { mode: PRIVATE_FILE });
    try {
      for await (const chunk of bodyOf(content, name, signal)) {
        bytes += chunk.length;
        checkSize(name, bytes, mostBytes);
        hash.update(chunk);
        await file.write(chunk);
      }
      if (announced !== undefined && announced !== bytes)
        throw new TransferError(`${name} broke off after ${bytes} of ${announced} bytes.`, 'CUT');
      const sha256 = hash.digest('hex');
      checkExpected(name, { bytes, sha256 }, expected);
      await file.commit();
      return { path: target, name, bytes, sha256, etag };
    } finally {
      await file.abort();
    }
  } finally {
    content.destroy();
  }
}

async function* bodyOf(content: Readable, name: string, signal: AbortSignal | undefined) {
  try {
    yield* content as AsyncIterable<Buffer>;
  } catch (error) {
    throw asTransferError(error, name, signal);
  }
}

function checkSize(name: string, bytes: number, mostBytes: number | undefined): void {
  if (mostBytes !== undefined && bytes > mostBytes)
    throw new ConfigError(`${name} is larger than the ${mostBytes} bytes that are allowed.`);
}

function checkExpected(
  name: string,
  found: { readonly bytes: number; readonly sha256?: string | undefined },
  expected: FetchOptions['expected'],
): void {
  const isOther =
    (expected?.bytes !== undefined && expected.bytes !== found.bytes) ||
    (expected?.sha256 !== undefined && expected.sha256 !== found.sha256);
  if (isOther) throw changedSource(name);
}

function changedSource(name: string): RunStopped {
  return new RunStopped('source-changed', `${name} is not the same file as before.`, [
    'Import the new file as a task of its own.',
  ]);
}

/** Refusals concern the location or the keys, so they are configuration. */
function described(error: TransferError, name: string): Error {
  const { status, code } = error;
  if (status === 404 || status === 410) return new ConfigError(`There is no file ${name}.`);
  if (status !== undefined && !error.isPassing && code !== CHANGED) return new ConfigError(error.message);
  return new RunStopped('source-failed', `${name} could not be fetched: ${error.message}`, [
    'Resume the task later.',
  ]);
}

async function localFile(
  location: string,
  { mostBytes, within, expected, signal }: FetchOptions,
): Promise<FetchedFile> {
  // The real path is what is opened later, so that a link which is changed meanwhile leads nowhere else.
  const path = within === undefined ? location : await realPathWithin(location, within);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') throw missingFile(path);
    throw new ConfigError(`${path} cannot be read: ${error.message}.`);
  });
  if (!found.isFile()) throw new ConfigError(`${basename(path)} is not a file: ${path}.`);
  checkSize(path, found.size, mostBytes);
  const sha256 = expected?.sha256 === undefined ? undefined : await digestOf(path, signal);
  checkExpected(path, { bytes: found.size, sha256 }, expected);
  return { path, name: location, bytes: found.size, sha256 };
}

async function digestOf(path: string, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash('sha256');
  const content = createReadStream(path, signal && { signal });
  for await (const chunk of content) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
