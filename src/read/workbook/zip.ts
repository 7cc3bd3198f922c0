import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import * as yauzl from 'yauzl';
import { ConfigError, RunStopped } from '../../model/index.ts';
import { type Bytes, CHUNK_BYTES } from '../bytes/bytes.ts';
import type { RandomAccess } from '../bytes/random-access.ts';

/** A part of a zip file. */
export interface ZipPart {
  /** As the file spells it, with slashes. */
  readonly name: string;
  /** Unpacked size, as the file says. */
  readonly size: number;
  /** Unpacks it, and compares the checksum at its end. Throws RunStopped if it is damaged. */
  bytes(): Bytes;
}

/** The parts of a zip file, by their names in lower case, since workbooks do not always spell them alike. */
export type ZipParts = ReadonlyMap<string, ZipPart>;

/**
 * A part that is packed to less than 1/200 is made to fill a disk: sheets shrink to a tenth or a thirtieth. Small parts
 * may be as regular as they like. Memory does not grow in any case; the limit saves time.
 */
const MAX_RATIO = 200;
const FREE_BYTES = 256 * 1024 * 1024;
/** A workbook has a few parts for each sheet and image. */
const MOST_PARTS = 10_000;
/** Bytes of the name of a part. Parts with longer names are not read: no other part can name them. */
const MAX_NAME_BYTES = 1000;

export interface ZipOptions {
  readonly freeBytes?: number;
}

/** Reads the index of a zip file. Throws ConfigError if it is damaged. */
export async function readZip(
  name: string,
  access: RandomAccess,
  { freeBytes = FREE_BYTES }: ZipOptions = {},
): Promise<ZipParts> {
  const parts = new Map<string, ZipPart>();
  try {
    const zip = await yauzl.fromRandomAccessReaderPromise(readerOn(access), access.size, {
      autoClose: false,
      // Names are read here: yauzl refuses a file if one of them begins with a slash.
      decodeStrings: false,
    });
    for await (const entry of zip.eachEntry()) {
      if (parts.size >= MOST_PARTS)
        throw new ConfigError(
          `${name} is a zip file with more than ${MOST_PARTS} parts, and not a workbook.`,
        );
      if (entry.fileNameRaw.length > MAX_NAME_BYTES) continue;
      const part = entry.fileNameRaw.toString().replaceAll('\\', '/').replace(/^\/+/, '');
      const known = parts.get(part.toLowerCase());
      if (known === undefined)
        parts.set(part.toLowerCase(), partOf({ name, part, access, freeBytes }, zip, entry));
    }
  } catch (error) {
    if (error instanceof ConfigError || error instanceof RunStopped) throw error;
    throw new ConfigError(
      `${name} is a zip file, such as a workbook, that is cut off or damaged: its index at the end cannot be read.`,
      [COPY_AGAIN],
    );
  }
  return parts;
}

const COPY_AGAIN = 'Copy or download it again, or open it in a spreadsheet and save it anew.';

interface PartPlace {
  /** Name of the file in messages. */
  readonly name: string;
  readonly part: string;
  readonly access: RandomAccess;
  readonly freeBytes: number;
}

function partOf(
  { name, part, access, freeBytes }: PartPlace,
  zip: yauzl.ZipFile,
  entry: yauzl.Entry,
): ZipPart {
  const damaged = (why: string) =>
    new RunStopped('source-failed', `${name} is damaged: its part ${part} ${why}.`, [COPY_AGAIN]);

  async function* packed(): Bytes {
    const { fileDataStart } = await zip
      .readLocalFileHeaderPromise(entry, { minimal: true })
      .catch((error) => {
        throw error instanceof RunStopped ? error : damaged(`cannot be found (${(error as Error).message})`);
      });
    const end = fileDataStart + entry.compressedSize;
    for (let at = fileDataStart; at < end; ) {
      const bytes = await access.read(at, Math.min(CHUNK_BYTES, end - at));
      if (bytes.length === 0) throw damaged('is cut off');
      at += bytes.length;
      yield bytes;
    }
  }

  async function* unpacked(): Bytes {
    if (entry.isEncrypted())
      throw new ConfigError(`${name} is a zip file with a password, which cannot be read.`, [
        'Save it without a password.',
      ]);
    if (entry.compressionMethod === 0) return yield* packed();
    if (entry.compressionMethod !== DEFLATE)
      throw damaged(`is packed by method ${entry.compressionMethod}, which is not known`);
    const engine = createInflateRaw({ chunkSize: CHUNK_BYTES });
    // Its errors arrive in the loop, since they destroy the engine.
    pipeline(Readable.from(packed(), { objectMode: false }), engine).catch(() => {});
    try {
      for await (const bytes of engine) yield bytes as Buffer;
    } catch (error) {
      if (error instanceof RunStopped) throw error;
      throw damaged(`cannot be unpacked (${(error as Error).message})`);
    }
  }

  async function* checked(): Bytes {
    let [sum, length] = [0, 0];
    for await (const bytes of unpacked()) {
      sum = crc32(bytes, sum);
      length += bytes.length;
      if (length > freeBytes && length > entry.compressedSize * MAX_RATIO)
        throw bomb(name, part, length / entry.compressedSize);
      yield bytes;
    }
    if (sum !== entry.crc32) throw damaged('has an incorrect checksum');
  }

  return { name: part, size: entry.uncompressedSize, bytes: checked };
}

const DEFLATE = 8;

function bomb(name: string, part: string, times: number): RunStopped {
  return new RunStopped(
    'source-failed',
    `${name} was not read further: its part ${part} unpacks to ${Math.floor(times)} times its size, and more than ${MAX_RATIO} times is not a sheet.`,
    ['If that is intended, save the sheet as "CSV UTF-8 (comma delimited)".'],
  );
}

/** Lets yauzl read the index. It reads parts by `access` alone. */
function readerOn(access: RandomAccess): yauzl.RandomAccessReader {
  class Reader extends yauzl.RandomAccessReader {
    override read(
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      callback: (error: Error | null) => void,
    ): void {
      access.read(position, length).then((bytes) => {
        bytes.copy(buffer, offset);
        callback(bytes.length < length ? new Error('it ends too early') : null);
      }, callback);
    }
  }
  return new Reader();
}
