import { existsSync } from 'node:fs';
import { onTestFinished } from 'vitest';

/** Returns an `onStart` that interrupts the process once this file is there. */
export function interruptOnceThere(path: string) {
  return (child: { kill(signal: 'SIGINT'): boolean }): void => {
    const timer = setInterval(() => {
      if (!existsSync(path)) return;
      clearInterval(timer);
      child.kill('SIGINT');
    }, 5);
  };
}

/** A signal for a command line in this process. It aborts once the condition holds. */
export function interruptWhen(isDue: () => boolean): AbortSignal {
  const controller = new AbortController();
  const timer = setInterval(() => {
    if (!isDue()) return;
    clearInterval(timer);
    controller.abort();
  }, 5);
  onTestFinished(() => clearInterval(timer));
  return controller.signal;
}
