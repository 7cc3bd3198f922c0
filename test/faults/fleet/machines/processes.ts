import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

// Processes and sockets as Linux shows them in /proc.

/** State of a process in one letter, and its parent; undefined if it has ended. */
function statusOf(pid: number): { state: string; parent: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in parentheses, and may contain blanks.
    const [state = '', parent = ''] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  const state = statusOf(pid)?.state;
  return state !== undefined && state !== 'Z';
}

/** True if the process was stopped by SIGSTOP. */
export function isStopped(pid: number): boolean {
  return statusOf(pid)?.state === 'T';
}

/** Direct children whose command line matches. */
export function childrenOf(parent: number, title = /^/): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all.map(Number).filter((pid) => statusOf(pid)?.parent === parent && title.test(commandLine(pid)));
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Signals processes; one that has ended already is no error. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

/**
 * The process among these that has the TCP socket from one local port to another; undefined if none has. Connections to other
 * ports may have the same first one.
 */
export function ownerOfConnection(from: number, to: number, pids: readonly number[]): number | undefined {
  const inode = inodeOf(from, to);
  return inode === undefined ? undefined : pids.find((pid) => hasSocket(pid, inode));
}

function inodeOf(from: number, to: number): string | undefined {
  const [near, far] = [from, to].map((port) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`);
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6'])
    for (const line of readFileSync(file, 'utf8').split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      if (fields[1]?.endsWith(near ?? '') && fields[2]?.endsWith(far ?? '') && fields[9] !== '0')
        return fields[9];
    }
  return undefined;
}

function hasSocket(pid: number, inode: string): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((name) => linkOf(`${folder}/${name}`) === `socket:[${inode}]`);
  } catch {
    return false;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** CPU time of processes that run, in ms. */
export function cpuMsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuMs(pid), 0);
}

function cpuMs(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // In hundredths of a second on every Linux that Node supports.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

/** Resident memory of a process in MB; 0 if it has ended. */
export function rssMb(pid: number): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    return (pages * 4096) / 2 ** 20;
  } catch {
    return 0;
  }
}
