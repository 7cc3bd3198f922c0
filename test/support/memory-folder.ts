import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';

/** Room in bytes. The tests need about 25 MB at once. */
const NEEDED = 256 << 20;

/** True if the folder exists and has the room. Docker gives it 64 MB. */
function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= NEEDED;
  } catch {
    return false;
  }
}

/**
 * Keeps the temporary files of all tests in memory if the system has such a folder, and removes them after the last test.
 * On a disk, tests wait for it, and write 20 GB in all. `TMPDIR` names another folder.
 */
export default function setup(): (() => void) | undefined {
  if (process.env.TMPDIR || !hasRoom(MEMORY)) return;
  const folder = mkdtempSync(join(MEMORY, 'storeport-'));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
