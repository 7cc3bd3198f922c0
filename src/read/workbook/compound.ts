import { ConfigError } from '../../model/index.ts';
import type { RandomAccess } from '../bytes/random-access.ts';

/** First bytes of a compound file: an old workbook, or a new one with a password (MS-CFB 2.2). */
const MAGIC = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

export function isCompound(head: Buffer): boolean {
  return head.subarray(0, MAGIC.length).equals(MAGIC);
}

/** Size of the header, and positions in it: the size of a sector as a power of two, and the sector of the directory. */
const HEADER = { bytes: 512, sectorShiftAt: 30, directoryAt: 48 };
/** The names of the parts are at the beginning of the directory. */
const DIRECTORY_BYTES = 4096;
/** Name of the part that holds an encrypted workbook (MS-OFFCRYPTO 2.3.4.4). */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

/** Throws ConfigError that says what kind of compound file it is. */
export async function refuseCompound(name: string, access: RandomAccess): Promise<never> {
  const header = await access.read(0, HEADER.bytes);
  const sector = header.length < HEADER.bytes ? 0 : header.readUInt32LE(HEADER.directoryAt);
  const shift = header.length < HEADER.bytes ? 0 : Math.min(16, header.readUInt16LE(HEADER.sectorShiftAt));
  // The header takes the place of the first sector.
  const directory = await access.read((sector + 1) * 2 ** shift, DIRECTORY_BYTES);
  if (directory.includes(ENCRYPTED))
    throw new ConfigError(`${name} is an Excel workbook with a password, which cannot be read.`, [
      'Open it in a spreadsheet, remove the password, and save it.',
    ]);
  throw new ConfigError(`${name} is an old Excel workbook (.xls), which cannot be read.`, [
    'Open it in a spreadsheet and save it as an Excel workbook (.xlsx), or as "CSV UTF-8 (comma delimited)".',
  ]);
}
