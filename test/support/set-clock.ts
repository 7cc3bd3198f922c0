import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Changes of the wall clock of a process, in ms, by the number of the request before which they happen, tokens
 * included.
 */
export type ClockShifts = Readonly<Record<number, number>>;

/** Environment of a process with these changes of the clock; `trace`: a file to which each change is appended. */
export function clockEnvironment(shifts: ClockShifts, trace: string): Record<string, string> {
  const preload = fileURLToPath(new URL('set-clock.mjs', import.meta.url));
  return {
    NODE_OPTIONS: `--import=${pathToFileURL(preload)}`,
    CLOCK_PLAN: JSON.stringify({ shifts, trace }),
  };
}

/** The changes that happened, in ms, in order. */
export function clockShiftsIn(trace: string): number[] {
  if (!existsSync(trace)) return [];
  return readFileSync(trace, 'utf8').split('\n').filter(Boolean).map(Number);
}
