import { existsSync } from 'node:fs';

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
