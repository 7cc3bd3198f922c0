import { readdirSync, readlinkSync } from 'node:fs';

/** The files that this process has open, from Linux: also deleted and unnamed ones. */
export function openFilesBelow(folder: string): string[] {
  return readdirSync('/proc/self/fd')
    .map((number) => `/proc/self/fd/${number}`)
    .filter((link) => {
      try {
        return readlinkSync(link).startsWith(folder);
      } catch {
        // The descriptor of the list itself.
        return false;
      }
    });
}
