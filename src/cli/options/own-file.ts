import { statSync } from 'node:fs';
import { ConfigError, readSmallFile } from '../../model/index.ts';

/** Whether others on this machine could read a file, or change it. Windows has no such bits. */
export function isReadableByOthers(file: string): boolean {
  if (process.platform === 'win32') return false;
  return ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
}

/** The text of a file of settings in the working directory. Throws ConfigError where it cannot be read. */
export function readOwnFile(file: string): string {
  try {
    return readSmallFile(file, file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${file} cannot be read: ${(error as Error).message}.`);
  }
}
