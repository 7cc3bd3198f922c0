import { statSync } from 'node:fs';

/** Whether others on this machine could read a file, or change it. Windows has no such bits. */
export function isReadableByOthers(file: string): boolean {
  if (process.platform === 'win32') return false;
  return ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
}
