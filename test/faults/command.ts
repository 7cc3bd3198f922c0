import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { binary } from './store.ts';

export interface CommandOptions {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** A wrapper of the command, such as strace and its options. */
  readonly under?: readonly string[];
  /** Time from its start to the kill, in ms; it may have ended before. */
  readonly killAfterMs?: number | undefined;
  /** Called when the process runs, with a handle for signals. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** `code`: null if it was killed. */
export interface Ended {
  readonly code: number | null;
  readonly said: string;
}

/** Runs the real binary without the storeport settings of this machine. */
export function storeport(args: readonly string[], options: CommandOptions): Promise<Ended> {
  const { cwd, environment, under = [], killAfterMs, onStart } = options;
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('STOREPORT_'));
  const [program = '', ...rest] = [...under, process.execPath, binary, ...args];
  const env = { ...Object.fromEntries(clean), ...environment };
  const child = spawn(program, rest, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] } satisfies SpawnOptions);
  onStart?.(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, said });
    });
  });
}
