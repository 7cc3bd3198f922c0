import { statSync } from './files/fs.ts';

/** True if a process with this number is running on this machine, as far as this process can see. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/**
 * True if the process that wrote a file is gone. `pid`: its number, which the file or its name has. In a container the
 * process of every start may have the same number: then the file's time decides.
 */
export function isOfDeadProcess(file: string, pid: number): boolean {
  return pid === process.pid ? writtenAt(file) < startedAt() : !isRunning(pid);
}

/**
 * Returns the start time of this process, in milliseconds since 1970. The clock may have been set since. The earlier of
 * both answers counts, so that a file that this process is writing never looks older than the process.
 */
function startedAt(): number {
  return Math.min(performance.timeOrigin, Date.now() - performance.now());
}

/** Returns the modification time in milliseconds since 1970; infinity for a file that cannot be examined. */
function writtenAt(file: string): number {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
