import type { CommandIo, ProcessPort } from '../io.ts';

/**
 * Signals that end a command in good order. SIGHUP: the terminal was closed, or the connection dropped. SIGBREAK: Ctrl-Break
 * on Windows, where nobody sends SIGTERM: a process that is ended there is killed.
 */
const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

/** Exit code after a second interrupt. As in exit-codes.ts, which the start does not load. */
const INTERRUPTED = 130;

const port: ProcessPort = {
  onInterrupt(leaving) {
    const controller = new AbortController();
    const react = () => {
      if (controller.signal.aborted) {
        leaving?.();
        process.exit(INTERRUPTED);
      }
      controller.abort();
    };
    for (const signal of INTERRUPTS) process.on(signal, react);
    return controller.signal;
  },
  onExit(listener) {
    process.prependListener('exit', listener);
    return () => void process.off('exit', listener);
  },
  onUncaught(report) {
    process.on('uncaughtException', (error) => process.exit(report(error)));
  },
  exit: (code) => process.exit(code),
};

/** Gives a command line its own process. The streams are opened by their first use. */
export const PROCESS_IO: CommandIo = {
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
  env: process.env,
  script: process.argv[1],
  process: port,
};
