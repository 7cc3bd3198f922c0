import { chmodSync, lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function modeOf(path: string): number {
  return lstatSync(path).mode & 0o777;
}

/** True if the file system keeps permissions: Windows does not, nor do some mounts. */
export const hasModes: boolean = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'storeport-modes-'));
  try {
    chmodSync(folder, 0o700);
    const isPrivate = modeOf(folder) === 0o700;
    chmodSync(folder, 0o755);
    return isPrivate && modeOf(folder) === 0o755;
  } finally {
    rmSync(folder, { recursive: true });
  }
})();
