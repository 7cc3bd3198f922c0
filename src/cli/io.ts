/** The variables of a command line, including those of `.env` after it is read. */
export type Environment = Readonly<Record<string, string | undefined>> & {
  /** Names of the variables that are from `.env`. A copy of the variables keeps them. */
  readonly [FROM_FILE]?: ReadonlySet<string> | undefined;
};

export const FROM_FILE: unique symbol = Symbol('variables of .env');

export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean };

export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Descriptor of a stream of the process: lines of the log are written to it at once. */
  readonly fd?: number;
};

/** All that a command line uses of the program that runs it. It touches nothing of the process otherwise. */
export interface CommandIo {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Environment;
  /** Working directory. Default: `process.cwd()`. */
  readonly cwd?: string | undefined;
  /** Aborted by an interrupt. Commands then stop in good order. */
  readonly signal?: AbortSignal | undefined;
  /** Path of the script that the user called, for hints. */
  readonly script?: string | undefined;
  /** Default: the end of the command line does not end the program. */
  readonly process?: ProcessPort | undefined;
}

/** The end of the process, for a command line that has a process of its own. */
export interface ProcessPort {
  /**
   * Makes the first interrupt abort the returned signal, and the second call `leaving` and exit at once. Without a call, the
   * first one ends the process.
   */
  onInterrupt(leaving?: () => void): AbortSignal;
  /** Calls back at the end of the process, also at once. Returns a function that forgets the listener. */
  onExit(listener: ExitListener): () => void;
  /** Reports errors that are thrown in timers and events, and exits with the code that `report` returns. */
  onUncaught(report: (error: unknown) => number): void;
  exit(code: number): void;
}

export type ExitListener = (code: number) => void;

/** The end of one command line. */
export interface Ending extends Omit<ProcessPort, 'onUncaught'> {
  /** Resolves with the code of `exit`, if it is called before the command line has ended. */
  readonly left: Promise<number>;
  /** To be called with the exit code when the command line has ended. */
  end(code: number): void;
}

/** The last listener is called first: what was opened last is closed first. */
export function openEnding({ process: port, signal }: Pick<CommandIo, 'process' | 'signal'>): Ending {
  const listeners: ExitListener[] = [];
  let leave: (code: number) => void = () => {};
  const left = new Promise<number>((resolve) => {
    leave = resolve;
  });
  if (port) return { ...port, left, end() {} };
  return {
    left,
    onInterrupt: () => signal ?? new AbortController().signal,
    onExit(listener) {
      listeners.unshift(listener);
      return () => {
        const at = listeners.indexOf(listener);
        if (at !== -1) listeners.splice(at, 1);
      };
    },
    exit: leave,
    end(code) {
      for (const listener of listeners.splice(0)) listener(code);
    },
  };
}
