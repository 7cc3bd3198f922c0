import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** Memory of the process from which on V8 collects sooner. Commands stay below it unless their input is large. */
const PRESSURE_BYTES = 192 * 1024 * 1024;
const CHECK_MS = 100;

/** Environment data for threads: true if their process collects under pressure. */
const COLLECTS = 'storeport-collects';

/**
 * Lets V8 collect at one and a half times what is alive, once the process has much memory. By itself it waits until the heap
 * is four times as large, and a file of bad rows, each with a long issue, then keeps 200 MB of garbage.
 *
 * Changes flags of V8 for all threads, so only a process calls it that runs one command line. `onFlags` is called when they
 * are changed; `restoreFlags` changes them back.
 */
export function collectUnderPressure(onFlags: () => void): void {
  setEnvironmentData(COLLECTS, true);
  atPressure(() => {
    collect();
    onFlags();
  });
}

export function restoreFlags(): void {
  for (const flag of ['--heap-growing-percent=0', '--no-expose-gc']) setFlagsFromString(flag);
}

/** The same for a thread, if its process does: each has a heap, and a limit of it from its last collection. */
export function collectInThread(): void {
  if (getEnvironmentData(COLLECTS)) atPressure(collect);
}

function atPressure(then: () => void): void {
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() < PRESSURE_BYTES) return;
    clearInterval(timer);
    then();
  }, CHECK_MS).unref();
}

/** Sets the factor, and collects: until then, the former factor sets the limit. */
function collect(): void {
  for (const flag of ['--heap-growing-percent=50', '--expose-gc']) setFlagsFromString(flag);
  (runInNewContext('gc') as () => void)();
}
