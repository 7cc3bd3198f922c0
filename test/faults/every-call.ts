import { type CaseResult, runCase } from './kill-case.ts';

/**
 * Every system call by which a run changes files. Calls that a machine does not have are skipped. `write` is
 * left out, since pipes and sockets use it too.
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

/** The process that is killed: the import, or the resume of an import that was killed in the middle. */
export const WHO = ['import', 'resume'] as const;

export interface EveryCall {
  readonly records: number;
  readonly concurrency: number;
  /** To repeat one: this call only, in this range only. */
  readonly call?: string | undefined;
  readonly from: number;
  readonly to: number;
  readonly onEnd: (who: string, call: string, k: number, result: CaseResult) => void;
}

/** Kills a small import before its k-th call of each kind, for k = 1 and up until the import completes. */
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
        // In the middle: some records are created, some are in flight, some have not begun.
        const death = (attempt: number) => {
          if (who === 'import') return attempt === 0 ? { under } : {};
          return attempt === 0 ? { under: killedAt('fdatasync', 6) } : attempt === 1 ? { under } : {};
        };
        const result = await runCase({ records, concurrency, faults: ['latency=1ms'], death });
        onEnd(who, call, k, result);
        if (who === 'resume' && result.kills === 0) throw new Error('strace does not kill anything here');
        // The process had ended before this call.
        if (result.kills < (who === 'import' ? 1 : 2)) break;
      }
    }
}

/** strace counts the calls of each thread separately, so all of them must come from the same threads. */
export function killedAt(call: string, k: number): string[] {
  const inject = `${call}:signal=KILL:when=${k}`;
  return [
    ...['env', 'UV_THREADPOOL_SIZE=1', 'UV_USE_IO_URING=0'],
    ...['strace', '-f', '-qq', '-o', '/dev/null', '-e', `trace=${call}`, '-e', `inject=${inject}`],
  ];
}
