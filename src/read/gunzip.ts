import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { RunStopped } from '../model/index.ts';
import { type Bytes, CHUNK_BYTES } from './bytes.ts';

/**
 * What is packed to less than a two-hundredth is made to fill a disk, not to be read: exports pack to a fifth or a
 * twentieth. Small files may be as regular as they like. (Memory stays as it is in any case; time is what is saved.)
 */
const MAX_RATIO = 200;
const FREE_BYTES = 256 * 1024 * 1024;

export function isGzip(head: Buffer): boolean {
  return head[0] === 0x1f && head[1] === 0x8b && head[2] === 8;
}

/** Unpacks gzip of any number of members, no faster than it is read. Throws RunStopped where it is damaged. */
export async function* gunzip(
  name: string,
  input: Bytes,
  { freeBytes = FREE_BYTES }: { readonly freeBytes?: number } = {},
): Bytes {
  const engine = createGunzip({ chunkSize: CHUNK_BYTES });
  let failure: unknown;
  let packed = 0;
  let unpacked = 0;
  async function* counted(): Bytes {
    for await (const chunk of input) {
      packed += chunk.length;
      yield chunk;
    }
  }
  // It ends with the engine, whose own error is thrown below; what went wrong with the file is told apart here.
  const fed = pipeline(counted(), engine).catch((error: unknown) => {
    failure = error;
  });
  try {
    for await (const chunk of engine) {
      unpacked += (chunk as Buffer).length;
      if (unpacked > freeBytes && unpacked > packed * MAX_RATIO) throw bomb(name, unpacked, packed);
      yield chunk as Buffer;
    }
  } catch (error) {
    if (error instanceof RunStopped) throw error;
    if (failure instanceof RunStopped) throw failure;
    throw damaged(name, error as NodeJS.ErrnoException);
  } finally {
    engine.destroy();
    await fed;
  }
}

function damaged(name: string, { code, message }: NodeJS.ErrnoException): RunStopped {
  if (code === 'Z_BUF_ERROR')
    return new RunStopped('source-failed', `${name} is cut off: its gzip data ends too early.`, [
      'Copy or download it again; gzip --test FILE says whether it is whole.',
    ]);
  return new RunStopped(
    'source-failed',
    `${name} is damaged: its gzip data cannot be unpacked (${message}).`,
    ['Copy or download it again; gzip --test FILE says whether it is whole.'],
  );
}

function bomb(name: string, unpacked: number, packed: number): RunStopped {
  const times = Math.floor(unpacked / packed);
  return new RunStopped(
    'source-failed',
    `${name} was not read further: it unpacks to ${times} times its size, and more than ${MAX_RATIO} times is no data file.`,
    ['If it is meant so, unpack it first: gunzip --keep FILE'],
  );
}
