import { constants, getPriority, setPriority } from 'node:os';

/** Steps of `nice` below the process. More would be faster on free cores, and too slow where other programs use them all. */
const STEPS_BEHIND = 5;

/** A test replaces it. */
interface System {
  readonly platform: string;
  readonly getPriority: () => number;
  readonly setPriority: (thread: 0, priority: number) => void;
}

/**
 * Gives the calling thread less priority than the main one, which sends. Otherwise the system may run a thread as soon as it
 * wakes. On few cores the main thread then stops for some milliseconds, with nothing on the wire.
 *
 * Only Linux has a priority for each thread. Elsewhere the call would change that of the whole process, so nothing is done. A
 * thread cannot raise its priority again without rights that few users have.
 */
export function runBehindSending(
  system: System = { platform: process.platform, getPriority, setPriority },
): void {
  if (system.platform !== 'linux') return;
  try {
    system.setPriority(0, Math.min(system.getPriority() + STEPS_BEHIND, constants.priority.PRIORITY_LOW));
  } catch {
    // A container may forbid it. Only speed depends on it.
  }
}
