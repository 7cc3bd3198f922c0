/**
 * Runs `validate` and `import --dry-run` with hostile files of all formats, many in one process. Reports ends outside of the
 * contract: bugs, other exit codes, more than 250 MB, and commands that do not end. Each file has a number that repeats it.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { collectUnderPressure } from '../../src/model/memory-pressure.ts';
import { builtMain, endingOf, type HostileEnd, runHostile, writeHostile } from '../support/hostile-runs.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    worker: { type: 'string' },
  },
});
const MAX_PEAK_MB = 250;
const MAX_MS = 60_000;
/** Inputs of one process: what one leaves behind must not count for the next. */
const MAX_INPUTS = 500;
const CHECK_MS = 50;

if (values.worker !== undefined) {
  const [from = 0, to = 0] = values.worker.split('-').map(Number);
  const folder = mkdtempSync(join(tmpdir(), 'storeport-fuzz-'));
  const main = builtMain();
  collectUnderPressure(() => {});
  for (let number = from; number < to; number++) {
    process.send?.({ begun: number });
    const end = await runHostile(main, number, folder);
    await new Promise((resolve) => process.send?.({ end }, resolve as never));
  }
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

interface Ran {
  /** The next number to run. */
  readonly next: number;
  readonly peakMb: number;
  /** The reason for which a process was ended. */
  readonly trouble?: string | undefined;
}

function peakOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Watches a process until it ends, and ends it if it needs too much. `msOfInput`: time since its input began. */
function watch(
  child: ChildProcess,
  msOfInput: () => number,
): Promise<Pick<Ran, 'peakMb' | 'trouble'> & { code: number | null }> {
  let peakMb = 0;
  let trouble: string | undefined;
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid));
    if (peakMb > MAX_PEAK_MB) trouble ??= `takes ${Math.round(peakMb)} MB`;
    if (msOfInput() > MAX_MS) trouble ??= `does not end within ${MAX_MS / 1000} s`;
    if (trouble) child.kill('SIGKILL');
  }, CHECK_MS);
  return new Promise((resolve) => {
    child.on('exit', (code) => {
      clearInterval(timer);
      resolve({ code, peakMb, trouble });
    });
  });
}

/** Runs the files from a number on in one process, until it ends or is ended. */
async function run(from: number, to: number, onEnd: (end: HostileEnd) => void): Promise<Ran> {
  const child = fork(process.argv[1] as string, ['--worker', `${from}-${to}`]);
  let next = from;
  let begunAt = performance.now();
  child.on('message', (message: { begun?: number; end?: HostileEnd }) => {
    if (message.begun !== undefined) [next, begunAt] = [message.begun, performance.now()];
    if (!message.end) return;
    onEnd(message.end);
    next = message.end.number + 1;
  });
  const { code, peakMb, trouble } = await watch(child, () => performance.now() - begunAt);
  return { next, peakMb, trouble: trouble ?? (code === 0 ? undefined : `ends the process with ${code}`) };
}

/** Runs one file with the built command in a process of its own, as a user does. */
async function runAlone(number: number): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'storeport-fuzz-'));
  const { args, name } = await writeHostile(number, folder);
  const begunAt = performance.now();
  const child = spawn(process.execPath, [join(process.cwd(), 'dist', 'storeport.js'), ...args], {
    cwd: folder,
    stdio: 'ignore',
  });
  const { code, peakMb, trouble } = await watch(child, () => performance.now() - begunAt);
  rmSync(folder, { recursive: true, force: true });
  note({
    number,
    ending: endingOf(name),
    args,
    code: code ?? 'ended',
    ms: Math.round(performance.now() - begunAt),
  });
  const isRight = code !== null && code >= 0 && code <= 3;
  return { next: number + 1, peakMb, trouble: trouble ?? (isRight ? undefined : `ends with ${code}`) };
}

const first = Number(values.only ?? values.seed);
const beyond = first + (values.only === undefined ? Number(values.count) : 1);
const byFormat = new Map<string, number>();
const byCode = new Map<string, number>();
let longest: { readonly ms: number; readonly number: number } = { ms: 0, number: 0 };
let peak = 0;
let faults = 0;

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function note({ number, ending, args, code, ms, fault }: HostileEnd): void {
  count(byFormat, ending);
  count(byCode, typeof code === 'number' ? String(code) : 'thrown');
  if (ms > longest.ms) longest = { ms, number };
  if (fault !== undefined) report(number, `${args.join(' ')}\n${fault}`);
}

function report(number: number, words: string): void {
  faults++;
  console.log(`\n--only ${number}: ${words}`);
}

for (let from = first; from < beyond; ) {
  const ran = await run(from, Math.min(beyond, from + MAX_INPUTS), note);
  from = ran.next;
  if (ran.trouble === undefined) {
    peak = Math.max(peak, ran.peakMb);
    continue;
  }
  // Files before it, and what makes the files, may have filled the memory.
  const alone = await runAlone(from);
  peak = Math.max(peak, alone.peakMb);
  if (alone.trouble !== undefined) report(from, alone.trouble);
  from++;
}

const listed = (counts: Map<string, number>) =>
  [...counts].map(([name, number]) => `${name} ${number}`).join(', ');
console.log(`seeds ${first} to ${beyond - 1}; formats: ${listed(byFormat)}; exit codes: ${listed(byCode)}`);
console.log(`peak ${Math.round(peak)} MB; longest ${longest.ms} ms (${longest.number}); ${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;
