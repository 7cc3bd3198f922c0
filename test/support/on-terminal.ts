import { spawn } from 'node:child_process';
import { binary, type Ended } from './run.ts';

/** Text to wait for, and the text to type then. */
export type Answer = readonly [question: string, typed: string | (() => string)];

const LONGEST_MS = 40_000;

/**
 * Runs the real binary on a terminal and types each answer after its question. Standard output and standard error are one
 * stream there, `stdout`. Control sequences of the prompt are removed, colours stay.
 */
export function onTerminal(
  args: readonly string[],
  answers: readonly Answer[],
  options: TerminalOptions,
): Promise<Ended> {
  return commandOnTerminal([process.execPath, binary, ...args], answers, options);
}

interface TerminalOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The same for any command, by `script` of util-linux. */
export function commandOnTerminal(
  words: readonly string[],
  answers: readonly Answer[],
  { cwd, env = {} }: TerminalOptions,
): Promise<Ended> {
  const command = words.map((word) => `'${word}'`).join(' ');
  const clean = Object.entries(process.env).filter(
    ([name]) => !/^(?:STOREPORT_|CI$|NO_COLOR|FORCE_COLOR)/.test(name),
  );
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd,
    env: { ...Object.fromEntries(clean), TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const left = [...answers];
  let shown = '';
  let seen = 0;
  child.stdin.on('error', () => {});
  child.stdout.setEncoding('utf8').on('data', (text) => {
    shown += text;
    for (let next = left[0]; next !== undefined; next = left[0]) {
      const at = shown.indexOf(next[0], seen);
      if (at === -1) return;
      seen = at + next[0].length;
      left.shift();
      child.stdin.write(typeof next[1] === 'string' ? next[1] : next[1]());
    }
  });
  // A question that is never asked would leave the command waiting.
  const guard = setTimeout(() => child.kill(), LONGEST_MS);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(guard);
      child.stdin.end();
      const stdout = shown.replaceAll(/\u001b\[\d*[GJAK]/g, '').replaceAll('\r\n', '\n');
      resolve({
        code,
        stdout,
        stderr: left.length > 0 ? `not asked: ${left.map(([question]) => question)}\n${shown}` : '',
      });
    });
  });
}
