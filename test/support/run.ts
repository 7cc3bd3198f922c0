import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { onTestFinished } from 'vitest';
import { main } from '../../src/cli/main.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { type KeptOutput, keptOutput } from './test-io.ts';

export const binary = fileURLToPath(new URL('../../dist/storeport.js', import.meta.url));

export function sample(name: string): string {
  return fileURLToPath(new URL(`../../samples/${name}`, import.meta.url));
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  /** Interrupts the command once it is aborted. */
  readonly signal?: AbortSignal;
  /** Path of the script, for hints that name it. */
  readonly script?: string;
  /** For tests that read the outputs while the command runs. */
  readonly stdout?: KeptOutput;
  readonly stderr?: KeptOutput;
}

export interface ProcessOptions extends Pick<RunOptions, 'cwd' | 'env' | 'input'> {
  /** Written to standard input, which then stays open and silent. */
  readonly keepInputOpen?: string;
  /** Largest file that the process can write, in 512-byte blocks; simulates a full disk. */
  readonly fileBlocks?: number;
  /** Called when the process runs, with a handle for signals. */
  readonly onStart?: (child: ReturnType<typeof spawn>) => void;
}

/** Settings of this machine that would change what storeport does. */
const SETTINGS = /^(?:STOREPORT_.*|(?:https?|no)_proxy|(?:no|force)_color)$/i;

/** The variables of this machine without its settings of storeport. */
export function cleanEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => !SETTINGS.test(name));
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Variables that Node reads itself, or the code before the command line. */
const PROCESS_VARIABLES = ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'TMPDIR', 'XDG_CACHE_HOME'];

/** Runs a command line within this process, without the storeport settings of this machine. */
export async function storeport(
  args: readonly string[],
  { cwd, env, input = '', signal, script, stdout = keptOutput(), stderr = keptOutput() }: RunOptions,
): Promise<Ended> {
  const onlyOfProcess = PROCESS_VARIABLES.find((name) => env?.[name] !== undefined);
  if (onlyOfProcess) throw new Error(`${onlyOfProcess} has an effect in a process of its own only.`);
  const stdin = Readable.from([Buffer.from(input)]);
  const code = await main(args, {
    ...{ stdin, stdout, stderr, cwd, signal, script },
    env: { ...cleanEnvironment(), ...env },
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** Runs the real binary in a process of its own, for what only a process has: signals, pipes, threads, memory. */
export function storeportProcess(args: readonly string[], options: ProcessOptions): Promise<Ended> {
  const command = [process.execPath, binary, ...args];
  const limited = ['sh', '-c', `ulimit -f ${options.fileBlocks}; exec "$0" "$@"`, ...command];
  const [program = '', ...rest] = options.fileBlocks === undefined ? command : limited;
  const child = spawn(program, rest, {
    cwd: options.cwd,
    env: { ...cleanEnvironment(), ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  options.onStart?.(child);
  // A process that ends without reading its input closes the pipe, which is fine.
  child.stdin.on('error', () => {});
  if (options.keepInputOpen === undefined) child.stdin.end(options.input ?? '');
  else child.stdin.write(options.keepInputOpen);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Removes a folder, except on Windows if something in it is open: libsql closes files when their statements are freed. */
export function removeTestFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (process.platform !== 'win32') throw error;
  }
}

/** A folder that is removed after the test. Concurrent tests pass their own `onTestFinished`. */
export function temporaryFolder(whenFinished: (clean: () => void) => void = onTestFinished): string {
  // Without links and short names, as processes see it: on macOS the folder for temporary files is a link.
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'storeport-test-')));
  whenFinished(() => removeTestFolder(folder));
  return folder;
}

export function environmentOf({ url, clientId, clientSecret }: Sandbox): Record<string, string> {
  return { STOREPORT_BASE_URL: url, STOREPORT_CLIENT_ID: clientId, STOREPORT_CLIENT_SECRET: clientSecret };
}

/** Rows of a CSV file, by header. Parsed strictly, so a ragged report is an error. */
export function readTable(path: string): Record<string, string>[] {
  return parse(readFileSync(path), { columns: true }) as Record<string, string>[];
}

export function readHeader(path: string): string[] {
  return (parse(readFileSync(path), { to: 1 }) as string[][])[0] ?? [];
}

export interface Reports {
  readonly results: Record<string, string>[];
  readonly errors: Record<string, string>[];
  readonly inDoubt: Record<string, string>[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look at it from many sides
  readonly summary: any;
}

export function readReports(folder: string): Reports {
  return {
    results: readTable(join(folder, 'results.csv')),
    errors: readTable(join(folder, 'errors.csv')),
    inDoubt: readTable(join(folder, 'in-doubt.csv')),
    summary: JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')),
  };
}

/** Paths of all files below a folder, to search them for secrets. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Counts outcomes in the reports. `balanced`: every record has an outcome, and the numbers agree with the summary. */
export function booksOf({ results, errors, inDoubt, summary }: Reports) {
  const counted: Record<string, number> = {};
  for (const { outcome = '' } of results) counted[outcome] = (counted[outcome] ?? 0) + 1;
  const returned = new Set(errors.map((row) => row.storeport_outcome));
  return {
    balanced:
      results.length === summary.records &&
      JSON.stringify(sorted(counted)) === JSON.stringify(sorted(summary.outcomes)) &&
      [...returned].every((word) => ['invalid', 'rejected', 'failed', 'unsent'].includes(word ?? '')) &&
      inDoubt.every((row) => row.storeport_outcome === 'in-doubt'),
    counted,
  };
}

function sorted(counts: Record<string, number>): [string, number][] {
  return Object.entries(counts).sort(([a], [b]) => a.localeCompare(b));
}
