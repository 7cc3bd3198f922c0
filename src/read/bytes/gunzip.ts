import { once } from 'node:events';
import { crc32, createInflateRaw } from 'node:zlib';
import { RunStopped } from '../../model/index.ts';
import { type ByteReader, byteReader } from './byte-reader.ts';
import { type Bytes, CHUNK_BYTES } from './bytes.ts';

/**
 * A file that is packed to less than 1/200 is made to fill a disk: exports shrink to a fifth or a twentieth. Small
 * files may be as regular as they like. Memory does not grow in any case; the limit saves time.
 */
const MAX_RATIO = 200;
const FREE_BYTES = 256 * 1024 * 1024;

/** Some programs leave a line end or a note after the data. More than this is damaged data. */
const MAX_RUBBISH_BYTES = 64 * 1024;

/** The first bytes of each member. */
const MAGIC = Buffer.from([0x1f, 0x8b, 8]);
/** The header of a member, before its packed data (RFC 1952). It is skipped, since nothing in it is needed here. */
const HEADER = { bytes: 10, flagsAt: 3 };
const FLAGS = { checked: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 };
/** Limit for the file name and for the comment in a header. */
const MAX_TEXT_BYTES = 64 * 1024;

export function isGzip(head: Buffer): boolean {
  return MAGIC.every((byte, at) => head[at] === byte);
}

export interface GunzipOptions {
  readonly freeBytes?: number;
  /** Called with a sentence about bytes after the data that were not read. */
  readonly onWarning?: (message: string) => void;
}

/**
 * Unpacks gzip with any number of members, no faster than the result is read. Each member is unpacked separately, since
 * zlib drops the end of the data if other bytes follow. Throws RunStopped if the data are damaged.
 */
export async function* gunzip(
  name: string,
  input: Bytes,
  { freeBytes = FREE_BYTES, onWarning = () => {} }: GunzipOptions = {},
): Bytes {
  const reader = byteReader(input);
  let unpacked = 0;
  try {
    do {
      await passHeader(name, reader);
      for await (const bytes of inflated(name, reader)) {
        unpacked += bytes.length;
        const packed = reader.position;
        if (unpacked > freeBytes && unpacked > packed * MAX_RATIO) throw bomb(name, unpacked, packed);
        yield bytes;
      }
    } while (await hasMember(name, reader, onWarning));
  } finally {
    await input.return();
  }
}

async function passHeader(name: string, reader: ByteReader): Promise<void> {
  const head = await take(name, reader, HEADER.bytes);
  const flags = head[HEADER.flagsAt] ?? 0;
  if (flags & FLAGS.reserved) throw damaged(name, 'unknown header flags set');
  if (flags & FLAGS.extra) await take(name, reader, (await take(name, reader, 2)).readUInt16LE());
  for (const text of [FLAGS.name, FLAGS.comment]) if (flags & text) await passText(name, reader);
  if (flags & FLAGS.checked) await take(name, reader, 2);
}

/** Skips a text of the header, up to the zero byte at its end. */
async function passText(name: string, reader: ByteReader): Promise<void> {
  for (let length = 0; length < MAX_TEXT_BYTES; ) {
    const bytes = await reader.next();
    if (bytes === undefined) throw cutOff(name);
    const end = bytes.indexOf(0);
    if (end >= 0) return reader.giveBack(bytes.subarray(end + 1));
    length += bytes.length;
  }
  throw damaged(name, 'a name in it has no end');
}

async function take(name: string, reader: ByteReader, length: number): Promise<Buffer> {
  const bytes = await reader.take(length);
  if (bytes === undefined) throw cutOff(name);
  return bytes;
}

/** Unpacks one member, and compares it with the checksum and the length in its trailer. */
async function* inflated(name: string, reader: ByteReader): Bytes {
  const engine = createInflateRaw({ chunkSize: CHUNK_BYTES });
  let sum = 0;
  let length = 0;
  let failure: unknown;
  const over = once(engine, 'close').catch(() => {});
  /** Passes chunks to the engine until the data end in one of them. Puts back the rest of that chunk. */
  async function feed(): Promise<void> {
    let fed = 0;
    for (;;) {
      const bytes = await reader.next();
      if (bytes === undefined) return void engine.end();
      fed += bytes.length;
      // The engine may never call back for the chunk in which the data end.
      await Promise.race([new Promise((done) => engine.write(bytes, done)), over]);
      const left = fed - engine.bytesWritten;
      if (left > 0) return reader.giveBack(bytes.subarray(bytes.length - left));
    }
  }
  const fed = feed().catch((error: unknown) => {
    failure = error;
    engine.destroy();
  });
  try {
    for await (const chunk of engine) {
      const bytes = chunk as Buffer;
      sum = crc32(bytes, sum);
      length += bytes.length;
      yield bytes;
    }
  } catch (error) {
    if (failure !== undefined) throw failure;
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === 'Z_BUF_ERROR' ? cutOff(name) : damaged(name, message);
  } finally {
    engine.destroy();
    await fed;
  }
  if (failure !== undefined) throw failure;
  const trailer = await take(name, reader, 8);
  if (trailer.readUInt32LE() !== sum) throw damaged(name, 'incorrect data check');
  // The trailer has the length modulo 4 GiB.
  if (trailer.readUInt32LE(4) !== length % 2 ** 32) throw damaged(name, 'incorrect length check');
}

/**
 * Returns true if another member follows. Zeros after the data are padding, and a few other bytes are worth a warning.
 * Throws RunStopped if the bytes contain the beginning of a member or are many, since data are lost then.
 */
async function hasMember(
  name: string,
  reader: ByteReader,
  onWarning: (message: string) => void,
): Promise<boolean> {
  const dataEnd = reader.position;
  const begin = await reader.upTo(MAGIC.length);
  if (begin.equals(MAGIC)) {
    reader.giveBack(begin);
    return true;
  }
  if (begin.equals(MAGIC.subarray(0, begin.length)) && begin.length > 0) throw cutOff(name);
  let isPadding = isZeros(begin);
  let before = begin;
  for (let bytes = await reader.next(); bytes !== undefined; bytes = await reader.next()) {
    isPadding &&= isZeros(bytes);
    const seen = Buffer.concat([before, bytes]);
    const isMuch = !isPadding && reader.position - dataEnd > MAX_RUBBISH_BYTES;
    if (isMuch || seen.includes(MAGIC))
      throw damaged(name, `what follows its byte ${dataEnd} does not belong there`);
    before = seen.subarray(1 - MAGIC.length);
  }
  if (isPadding) return false;
  const found = reader.position - dataEnd;
  onWarning(
    `${name} has ${found} ${found === 1 ? 'byte' : 'bytes'} after its gzip data, from byte ${dataEnd + 1} on, that are not gzip data and were not read. gzip --test FILE says whether it is whole.`,
  );
  return false;
}

function isZeros(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}

const COPY_AGAIN = ['Copy or download it again; gzip --test FILE says whether it is whole.'];

function cutOff(name: string): RunStopped {
  return new RunStopped('source-failed', `${name} is cut off: its gzip data ends too early.`, COPY_AGAIN);
}

function damaged(name: string, why: string): RunStopped {
  const message = `${name} is damaged: its gzip data cannot be unpacked (${why}).`;
  return new RunStopped('source-failed', message, COPY_AGAIN);
}

function bomb(name: string, unpacked: number, packed: number): RunStopped {
  const times = Math.floor(unpacked / packed);
  return new RunStopped(
    'source-failed',
    `${name} was not read further: it unpacks to ${times} times its size, and more than ${MAX_RATIO} times is not a data file.`,
    ['If that is intended, unpack it first: gunzip --keep FILE'],
  );
}
