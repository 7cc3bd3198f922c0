import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DataFileError } from './data-file-error.ts';

/**
 * Keeps a second sandbox away from a data file, by a file beside it that holds a process id. One that a killed
 * process left behind is no lock. Returns what gives it back. Throws DataFileError.
 */
export function lockFile(file: string): () => void {
  const lock = `${file}.lock`;
  for (let attempt = 1; ; attempt++) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return () => rmSync(lock, { force: true });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST' || attempt > 2) throw new DataFileError(`${file} cannot be used: ${message}.`);
    }
    const holder = Number(readFileSync(lock, 'utf8'));
    if (isAlive(holder))
      throw new DataFileError(
        `${file} is in use by another sandbox (process ${holder}): stop it, or name another file. If that process is no sandbox, remove ${lock}.`,
        { inUse: true },
      );
    rmSync(lock, { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It may not be ours to signal, and still be there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
