/**
 * Runs `validate` and `import --dry-run` with hostile files of all formats, many in one process, two processes at a time.
 * Reports ends outside of the contract: bugs, other exit codes, books that do not balance, more than 250 MB, and commands
 * that do not end. Each file has a number that repeats it.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { collectUnderPressure } from '../../src/model/memory-pressure.ts';
import { builtMain, type HostileEnd, runHostile, writeHostile } from '../support/hostile-runs.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    processes: { type: 'string', default: '2' },
    only: { type: 'string' },
    worker: { type: 'string' },
  },
});
const MAX_PEAK_MB = 250;
const MAX_MS = 60_000;
/** Inputs of one process. */
const MAX_INPUTS = 400;
/** Memory that earlier inputs may leave behind. A process above it collects, and ends if that does not help. */
const MAX_LEFT_MB = 190;
const CHECK_MS = 50;
const NOTE_EVERY = 1000;

const root = process.cwd();
const newFolder = () => mkdtempSync(join(tmpdir(), 'storeport-fuzz-'));

function memoryOf(pid: number | 'self' | undefined, field: 'VmHWM' | 'VmRSS'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s*(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  } catch {
    // The process has ended, or this is not Linux.
    return 0;
  }
}

interface Ended extends HostileEnd {
  readonly peakMb: number;
}

/** Runs files in this process, until all have run or too much memory is left behind. */
async function work(from: number, to: number): Promise<void> {
  const folder = newFolder();
  const main = builtMain();
  collectUnderPressure(() => {});
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  let isFull = false;
  for (let number = from; number < to && !isFull; number++) {
    process.send?.({ begun: number });
    const end = await runHostile(main, number, folder, () => {
      if (memoryOf('self', 'VmRSS') > MAX_LEFT_MB) collect();
      // Forgets the peak of earlier files, and of the bytes of this one.
      if (process.platform === 'linux') writeFileSync('/proc/self/clear_refs', '5');
      process.send?.({ begun: number });
    });
    const peakMb = memoryOf('self', 'VmHWM');
    if (memoryOf('self', 'VmRSS') > MAX_LEFT_MB) {
      collect();
      isFull = memoryOf('self', 'VmRSS') > MAX_LEFT_MB;
    }
    await new Promise((resolve) => process.send?.({ end: { ...end, peakMb } }, resolve as never));
  }
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

interface Watched {
  readonly code: number | null;
  readonly peakMb: number;
  /** The reason for which a process was ended. */
  readonly trouble?: string | undefined;
}

/** Watches a process until it ends, and ends it if it needs too much. `msOfInput`: time since its input began. */
async function watch(child: ChildProcess, msOfInput: () => number): Promise<Watched> {
  let peakMb = 0;
  let trouble: string | undefined;
  const timer = setInterval(() => {
    const now = memoryOf(child.pid, 'VmHWM');
    peakMb = Math.max(peakMb, now);
    if (now > MAX_PEAK_MB) trouble ??= `takes ${Math.round(now)} MB`;
    if (msOfInput() > MAX_MS) trouble ??= `does not end within ${MAX_MS / 1000} s`;
    if (trouble) child.kill('SIGKILL');
  }, CHECK_MS);
  // Messages may arrive after the exit, until the channel is empty.
  const emptied = child.channel ? once(child, 'disconnect') : Promise.resolve();
  const [[code]] = await Promise.all([once(child, 'exit'), emptied]);
  clearInterval(timer);
  return { code, peakMb, trouble };
}

const startAt = Number(values.only ?? values.seed);
const beyond = startAt + (values.only === undefined ? Number(values.count) : 1);
const begunAt = performance.now();
const formats = new Map<string, number>();
const codes = new Map<string, number>();
let longest: { readonly ms: number; readonly number: number } = { ms: 0, number: 0 };
let largest: { readonly peakMb: number; readonly number: number } = { peakMb: 0, number: 0 };
let [inputs, faults, alone] = [0, 0, 0];

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function note({ number, ending, args, code, records, ms, fault, peakMb }: Ended): void {
  inputs++;
  count(formats, ending);
  const isRead = records === undefined ? '' : records === 0 ? ' without a record' : ' with records';
  count(codes, typeof code === 'number' ? `${code}${isRead}` : 'thrown');
  if (ms > longest.ms) longest = { ms, number };
  if (peakMb > largest.peakMb) largest = { peakMb, number };
  if (fault !== undefined) report(number, `${args.join(' ')}\n${fault}`);
  if (inputs % NOTE_EVERY === 0) tell();
}

function report(number: number, words: string): void {
  faults++;
  console.log(`\n--only ${number}: ${words}`);
}

function tell(): void {
  const listed = (counts: Map<string, number>) =>
    [...counts]
      .sort()
      .map(([name, number]) => `${name} ${number}`)
      .join(', ');
  const seconds = (performance.now() - begunAt) / 1000;
  console.log(
    `${inputs} inputs from ${startAt} on, ${(inputs / seconds).toFixed(1)} a second; ${faults} faults; ` +
      `peak ${Math.round(largest.peakMb)} MB (${largest.number}); longest ${longest.ms} ms (${longest.number}); ` +
      `${alone} repeated alone; exit codes: ${listed(codes)}; formats: ${listed(formats)}`,
  );
}

/** Runs the files of one batch, in a process for as many of them as possible. */
async function runBatch(begin: number, end: number): Promise<void> {
  let from = begin;
  while (from < end) {
    const child = fork(process.argv[1] as string, ['--worker', `${from}-${end}`]);
    let at = performance.now();
    child.on('message', (message: { begun?: number; end?: Ended }) => {
      at = performance.now();
      if (message.begun !== undefined) from = message.begun;
      if (!message.end) return;
      from = message.end.number + 1;
      // Files before it may have filled the memory.
      if (message.end.peakMb <= MAX_PEAK_MB) note(message.end);
      else late.push(message.end.number);
    });
    const late: number[] = [];
    const { code, trouble } = await watch(child, () => performance.now() - at);
    for (const number of late) await runAlone(number);
    if (trouble === undefined && code === 0) continue;
    if (from < end) await runAlone(from, trouble ?? `ends the process with ${code}`);
    from++;
  }
}

/** Runs one file with the built command in a process of its own, as a user does. `before`: what happened among others. */
async function runAlone(number: number, before?: string): Promise<void> {
  alone++;
  const folder = newFolder();
  const { ending, suggest, args } = await writeHostile(number, folder);
  const at = performance.now();
  let code: number | null = 0;
  let peakMb = 0;
  for (const words of suggest ? [suggest, args] : [args]) {
    const command = [join(root, 'dist', 'storeport.js'), ...words];
    const child = spawn(process.execPath, command, { cwd: folder, stdio: 'ignore' });
    const ended = await watch(child, () => performance.now() - at);
    code = ended.code;
    peakMb = Math.max(peakMb, ended.peakMb);
    const isRight = code !== null && code >= 0 && code <= 3;
    if (ended.trouble ?? !isRight)
      report(number, `${words.join(' ')}\n${ended.trouble ?? `ends with ${code}`}`);
  }
  rmSync(folder, { recursive: true, force: true });
  if (before?.startsWith('ends the process')) report(number, `${before}, among other files`);
  const ms = Math.round(performance.now() - at);
  note({ ...{ number, ending, args, ms, peakMb }, code: code ?? 'ended' });
}

if (values.worker !== undefined) {
  const [from = 0, to = 0] = values.worker.split('-').map(Number);
  await work(from, to);
}

let next = startAt;

async function runBatches(): Promise<void> {
  while (next < beyond) {
    const from = next;
    next = Math.min(beyond, from + MAX_INPUTS);
    await runBatch(from, next);
  }
}

await Promise.all(Array.from({ length: Number(values.processes) }, runBatches));
// The words of the output, which a process of its own does not give.
if (values.only !== undefined) await runAlone(startAt);
tell();
process.exitCode = faults === 0 ? 0 : 1;
