import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** How the wall clock of a process is set: by so many milliseconds, when it sends its n-th request, tokens included. */
export type ClockShifts = Readonly<Record<number, number>>;

/** Environment of a process whose clock is set so; `trace`: a file that is appended to each time. */
export function clockEnvironment(shifts: ClockShifts, trace: string): Record<string, string> {
  const preload = fileURLToPath(new URL('set-clock.mjs', import.meta.url));
  return {
    NODE_OPTIONS: `--import=${pathToFileURL(preload)}`,
    CLOCK_PLAN: JSON.stringify({ shifts, trace }),
  };
}

/** By how much it was set, in order. */
export function clockShiftsIn(trace: string): number[] {
  if (!existsSync(trace)) return [];
  return readFileSync(trace, 'utf8').split('\n').filter(Boolean).map(Number);
}
