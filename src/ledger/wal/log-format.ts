import { crc32 } from 'node:zlib';

// The bytes of a log; numbers are uint32, little endian, and checksums are crc32:
//
//     512 bytes: length of the text, checksum; then the owner as JSON, and zeros
//     each entry: epoch, number in the epoch (from 0), length of the text, checksum; then the entry
//
// Lengths are in bytes. A new epoch begins when the entries were moved into the tables: then the log is written from its
// beginning again.

/** The run that a log belongs to. */
export interface LogOwner {
  readonly run: string;
  readonly store: string;
}

/** Size of the block that names the owner. */
export const OWNER_BYTES = 512;
/** Size of what an entry has before its text. */
export const HEADER_BYTES = 16;

/** Throws if the owner is too long, since the log could not be read back. */
export function ownerBlock(owner: LogOwner): Buffer {
  const text = Buffer.from(JSON.stringify(owner));
  if (text.length > OWNER_BYTES - 8) throw new Error(`the owner of a log has ${text.length} bytes`);
  const bytes = Buffer.alloc(8 + text.length);
  bytes.writeUInt32LE(text.length, 0);
  bytes.writeUInt32LE(crc32(text), 4);
  text.copy(bytes, 8);
  return bytes;
}

/** The owner at the beginning of a log; undefined for another file. */
export function ownerIn(bytes: Buffer): LogOwner | undefined {
  const length = bytes.length < OWNER_BYTES ? 0 : bytes.readUInt32LE(0);
  if (length === 0 || length > OWNER_BYTES - 8) return undefined;
  const text = bytes.subarray(8, 8 + length);
  return bytes.readUInt32LE(4) === crc32(text) ? (JSON.parse(text.toString()) as LogOwner) : undefined;
}

/** `pieces`: the text of the entry. */
export function encodeEntry(epoch: number, number: number, pieces: readonly (string | Buffer)[]): Buffer {
  let length = 0;
  for (const piece of pieces) length += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length;
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + length);
  bytes.writeUInt32LE(epoch, 0);
  bytes.writeUInt32LE(number, 4);
  bytes.writeUInt32LE(length, 8);
  let at = HEADER_BYTES;
  for (const piece of pieces)
    at += typeof piece === 'string' ? bytes.write(piece, at) : piece.copy(bytes, at);
  bytes.writeUInt32LE(checksum(bytes, 0, length), 12);
  return bytes;
}

/** Identifies an entry in a log: its epoch, and its index in that epoch. */
export interface EntryId {
  readonly epoch: number;
  readonly number: number;
}

/** Returns the text (UTF-8) of the entry at `position`; undefined if it is not whole, or not the expected one. */
export function decodeEntry(bytes: Buffer, position: number, { epoch, number }: EntryId): Buffer | undefined {
  if (position + HEADER_BYTES > bytes.length) return undefined;
  if (bytes.readUInt32LE(position) !== epoch || bytes.readUInt32LE(position + 4) !== number) return undefined;
  const length = bytes.readUInt32LE(position + 8);
  if (length === 0 || position + HEADER_BYTES + length > bytes.length) return undefined;
  if (bytes.readUInt32LE(position + 12) !== checksum(bytes, position, length)) return undefined;
  return bytes.subarray(position + HEADER_BYTES, position + HEADER_BYTES + length);
}

/** The crc32 of an entry, leaving out the checksum field. */
function checksum(bytes: Buffer, position: number, length: number): number {
  const start = position + HEADER_BYTES;
  return crc32(bytes.subarray(start, start + length), crc32(bytes.subarray(position, position + 12)));
}

/** The epoch of the first entry; undefined if it is not whole. */
export function firstEpochIn(bytes: Buffer): number | undefined {
  if (bytes.length < OWNER_BYTES + HEADER_BYTES) return undefined;
  const epoch = bytes.readUInt32LE(OWNER_BYTES);
  return decodeEntry(bytes, OWNER_BYTES, { epoch, number: 0 }) ? epoch : undefined;
}
