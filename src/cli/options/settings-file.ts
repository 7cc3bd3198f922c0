import { statSync } from '../../model/files/fs.ts';
import { ConfigError, ownershipHints, readSmallFile } from '../../model/index.ts';

/** True if other users of this machine can read or change a file. Always false on Windows, which has no such bits. */
export function isReadableByOthers(file: string): boolean {
  if (process.platform === 'win32') return false;
  return ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
}

/** Reads a settings file of the working directory. Throws ConfigError if it cannot be read. */
export function readSettingsFile(file: string): string {
  try {
    return readSmallFile(file, file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(
      `${file} cannot be read: ${(error as Error).message}.`,
      ownershipHints(error, file),
    );
  }
}
