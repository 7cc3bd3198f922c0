import { readdirSync, readlinkSync } from 'node:fs';

/** The files that this process has open, as Linux tells them: also those that have no name any more. */
export function openFilesBelow(folder: string): string[] {
  return readdirSync('/proc/self/fd')
    .map((number) => `/proc/self/fd/${number}`)
    .filter((link) => {
      try {
        return readlinkSync(link).startsWith(folder);
      } catch {
        // That of the list itself.
        return false;
      }
    });
}
