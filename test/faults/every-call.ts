import { type CaseResult, runCase } from './kill-case.ts';

/**
 * Every way in which a run changes what is on disk, by system call. What one machine does not have is passed over; a
 * write of a whole file (`write`) is left out, since pipes and sockets are written with it too.
 */
export const CALLS = [
  'pwrite64',
  'fdatasync',
  'fsync',
  'unlink',
  'rename',
  'ftruncate',
  'openat',
  'mkdir',
] as const;

/** Which process dies: the import, or the one that goes on with an import that was killed in the middle. */
export const WHO = ['import', 'resume'] as const;

export interface EveryCall {
  readonly records: number;
  readonly concurrency: number;
  /** To repeat one: only this call, and only from this one on to that one. */
  readonly call?: string | undefined;
  readonly from: number;
  readonly to: number;
  readonly onEnd: (who: string, call: string, k: number, result: CaseResult) => void;
}

/** Kills a small import before its k-th call of each kind, for k = 1 and on until it runs through. */
export async function everyCall({
  records,
  concurrency,
  call: only,
  from,
  to,
  onEnd,
}: EveryCall): Promise<void> {
  for (const who of WHO)
    for (const call of CALLS) {
      if (only !== undefined && only !== call) continue;
      for (let k = from; k <= to; k++) {
        const under = killedAt(call, k);
        // The middle of it: some records are made, some are under way, some are not begun.
        const death = (attempt: number) => {
          if (who === 'import') return attempt === 0 ? { under } : {};
          return attempt === 0 ? { under: killedAt('fdatasync', 6) } : attempt === 1 ? { under } : {};
        };
        const result = await runCase({ records, concurrency, faults: ['latency=1ms'], death });
        onEnd(who, call, k, result);
        if (who === 'resume' && result.kills === 0) throw new Error('strace does not kill anything here');
        // Nobody was there any more for this kill to strike.
        if (result.kills < (who === 'import' ? 1 : 2)) break;
      }
    }
}

/** strace counts the calls of each thread by itself, so all of them must come from the same ones. */
function killedAt(call: string, k: number): string[] {
  const inject = `${call}:signal=KILL:when=${k}`;
  return [
    ...['env', 'UV_THREADPOOL_SIZE=1', 'UV_USE_IO_URING=0'],
    ...['strace', '-f', '-qq', '-o', '/dev/null', '-e', `trace=${call}`, '-e', `inject=${inject}`],
  ];
}
