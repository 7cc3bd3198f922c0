import { setFlagsFromString } from 'node:v8';

/** Memory of the process from which on V8 collects sooner. Commands stay below it unless their input is large. */
const PRESSURE_BYTES = 160 * 1024 * 1024;
const CHECK_MS = 100;

/**
 * Lets V8 collect at one and a half times what is alive, once the process has much memory. By itself it waits until the heap
 * is four times as large, and a file of bad rows, each with a long issue, then keeps 200 MB of garbage.
 *
 * The flag is for all threads. It is taken back at the end, since compiled code is kept for the same flags only.
 */
export function collectUnderPressure(): void {
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() < PRESSURE_BYTES) return;
    clearInterval(timer);
    setFlagsFromString('--heap-growing-percent=50');
    process.prependListener('exit', () => setFlagsFromString('--heap-growing-percent=0'));
  }, CHECK_MS).unref();
}
