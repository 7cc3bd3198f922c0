import { readFileSync, rmSync, writeFileSync } from '../../model/files/fs.ts';
import { isOfDeadProcess } from '../../model/index.ts';
import { DataFileError } from './data-file-error.ts';

/**
 * Locks a data file against a second sandbox, by a file beside it with the process id. The lock of a dead process does
 * not count. Returns a function that unlocks. Throws DataFileError.
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
    if (isAlive(lock, holder))
      throw new DataFileError(
        `${file} is in use by another sandbox (process ${holder}): stop it, or name another file. If that process is not a sandbox, remove ${lock}.`,
        { inUse: true },
      );
    rmSync(lock, { force: true });
  }
}

/** A text that is no number is of a lock that a power cut has emptied. */
function isAlive(lock: string, pid: number): boolean {
  return Number.isInteger(pid) && pid > 0 && !isOfDeadProcess(lock, pid);
}
