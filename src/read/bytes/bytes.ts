import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open } from '../../model/files/fs.ts';
import { ConfigError, missingFile, RunStopped } from '../../model/index.ts';
import { type Unchanged, watchFile } from './unchanged.ts';

export type Bytes = AsyncGenerator<Buffer, void>;

/** Bytes read from a file at once. */
export const CHUNK_BYTES = 64 * 1024;
/** Line ends needed to detect format and dialect: about twenty rows. */
export const HEAD_LINE_ENDS = 42;
export const NO_BYTES: Buffer = Buffer.alloc(0);

export const TAB = 9;
export const LF = 10;
export const CR = 13;
export const SPACE = 32;

/** A file that was opened; its bytes are not interpreted yet. */
export interface OpenFile {
  /** Closes the file at its end, and when the reader stops. */
  readonly chunks: Bytes;
  /** Closes the file also if nothing was read of it: a generator that has not begun skips its `finally`. */
  readonly close: () => Promise<void>;
  /** Undefined for a pipe. */
  readonly size: number | undefined;
  /** Undefined for a pipe, which nobody can change. */
  readonly unchanged: Unchanged | undefined;
}

export interface OpenOptions {
  /** The name of the file in messages. Default: its path. */
  readonly name?: string | undefined;
  readonly chunkBytes?: number;
  /** Undefined if a command opens the file for the first time. */
  readonly unchanged?: Unchanged | undefined;
}

/**
 * Opens a file. Throws ConfigError if there is nothing to read, and RunStopped if the file changed since `unchanged`
 * saw it.
 */
export async function openFile(
  file: string,
  { name = file, chunkBytes = CHUNK_BYTES, unchanged }: OpenOptions = {},
): Promise<OpenFile> {
  const handle = await openHandle(file);
  try {
    const stat = await handle.stat({ bigint: true });
    if (stat.isDirectory()) throw new ConfigError(`${file} is a folder: name the file in it.`);
    const close = () => handle.close();
    if (!stat.isFile())
      return { chunks: chunksOf(handle, chunkBytes), close, size: undefined, unchanged: undefined };
    const watched = unchanged ?? watchFile(file, name, stat);
    await watched.check(handle.fd);
    const chunks = chunksOf(handle, chunkBytes, watched);
    return { chunks, close, size: Number(stat.size), unchanged: watched };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Opens a file for reading. Throws ConfigError if that is not possible. */
export async function openHandle(file: string): Promise<FileHandle> {
  try {
    return await open(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw missingFile(file);
    if (code === 'EACCES' || code === 'EPERM')
      throw new ConfigError(`${file} may not be read: permission denied.`);
    throw new ConfigError(`${file} cannot be opened: ${message}.`);
  }
}

/** Reads chunks of a file. Each chunk has a buffer of its own, since the splitters keep views of it. */
async function* chunksOf(handle: FileHandle, chunkBytes: number, unchanged?: Unchanged): Bytes {
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, null);
      // Checked at the end too: the file may have been truncated there, within its last row.
      await unchanged?.check(handle.fd);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** Passes bytes on unchanged, counts and digests them. `unchanged` compares the digest with the known one. */
export function measure(name: string, chunks: AsyncIterable<Buffer | string>, unchanged?: Unchanged) {
  const hash = createHash('sha256');
  let bytesRead = 0;
  let digest: string | undefined;

  async function* measured(): Bytes {
    try {
      for await (const chunk of chunks) {
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        hash.update(bytes);
        bytesRead += bytes.length;
        yield bytes;
      }
    } catch (error) {
      if (error instanceof RunStopped) throw error;
      throw new RunStopped(
        'source-failed',
        `${name} could not be read further: ${(error as Error).message}.`,
      );
    }
    const whole = hash.digest('hex');
    unchanged?.expect(whole);
    digest = whole;
  }

  return { input: measured(), bytesRead: () => bytesRead, digest: () => digest };
}

/** The beginning of a stream, and the stream including that beginning. */
export interface Head {
  readonly head: Buffer;
  /** True if the head is the whole stream. */
  readonly ended: boolean;
  readonly input: Bytes;
}

/**
 * Reads until it has `enough` bytes or `lineEnds` line ends: a program may be silent after some lines. The content of
 * the head does not depend on chunk borders.
 */
export async function readHead(
  input: Bytes,
  enough: number,
  lineEnds = Number.POSITIVE_INFINITY,
): Promise<Head> {
  const chunks: Buffer[] = [];
  let length = 0;
  let end = enough;
  let ended = false;
  let rest = input;
  let linesLeft = lineEnds;
  try {
    while (length < end && !ended) {
      const next = await input.next();
      if (next.done === true) ended = true;
      else {
        const line = linesLeft === Number.POSITIVE_INFINITY ? -1 : passLines(next.value);
        if (line !== -1) end = Math.min(end, length + line);
        chunks.push(next.value);
        length += next.value.length;
      }
    }
  } catch (error) {
    // Return what can be read of a damaged file first; the error follows in `input`.
    if (!(error instanceof RunStopped) || error.reason === 'interrupted') throw error;
    rest = failing(error);
  }
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  return { head: bytes.subarray(0, end), ended: ended && length <= end, input: replay(bytes, rest) };

  /** Returns the index after the last wanted line end, or -1. CR and LF count separately. */
  function passLines(chunk: Buffer): number {
    for (const [at, byte] of chunk.entries())
      if ((byte === LF || byte === CR) && --linesLeft === 0) return at + 1;
    return -1;
  }
}

/** Puts bytes that were read back before the rest. */
export async function* replay(first: Buffer, rest: Bytes): Bytes {
  if (first.length > 0) yield first;
  yield* rest;
}

async function* failing(error: RunStopped): Bytes {
  yield await Promise.reject(error);
}

/** Cuts the bytes into pieces of at most `most`. */
export async function* inPieces(input: Bytes, most: number): Bytes {
  for await (const bytes of input)
    for (let at = 0; at < bytes.length; at += most) yield bytes.subarray(at, at + most);
}

/** Returns the bytes without an incomplete character at their end. */
export function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    const length = byte >= 0b1111_0000 ? 4 : byte >= 0b1110_0000 ? 3 : byte >= 0b1100_0000 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}
