/**
 * Loaded into every measured process, and by Node into each of its threads, with `node --import`. Writes the counters of
 * the operating system at the end of the process. The same for all programs, so that storeport is measured in the same way
 * as the others.
 */
import { appendFileSync, existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isMainThread, Worker } from 'node:worker_threads';

/** A line that a worker writes at its start, and once more, with its CPU time, if it ends by itself. */
interface ThreadNote {
  readonly thread: string;
  readonly name: string;
  readonly us?: number | undefined;
}

const file = process.env.BENCH_USAGE;
const TASKS = '/proc/self/task';

if (file && isMainThread) measureProcess(file, `${file}.threads`);
else if (file && existsSync(TASKS)) measureWorker(`${file}.threads`);

function measureProcess(file: string, notes: string): void {
  writeFileSync(notes, '');
  /** CPU time of threads before a `terminate`, which ends a worker without its `exit` event. */
  const terminated = new Map<string, number>();
  const { terminate } = Worker.prototype;
  Worker.prototype.terminate = function () {
    for (const thread of existsSync(TASKS) ? readdirSync(TASKS) : []) {
      const us = threadUs(thread);
      if (us !== undefined) terminated.set(thread, us);
    }
    return terminate.call(this);
  };
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const cpuUs = userCPUTime + systemCPUTime;
    const main = threadUs(`${process.pid}`);
    const usage = { peakKb: maxRSS, cpuUs, threadUs: main && { main, ...workersUs() } };
    writeFileSync(file, JSON.stringify(usage));
  });

  /** CPU time of threads by their names; that of threads with the same name is added up. */
  function workersUs(): Record<string, number> {
    const threads = new Map<string, ThreadNote>();
    for (const line of readFileSync(notes, 'utf8').split('\n').filter(Boolean)) {
      const note = JSON.parse(line) as ThreadNote;
      threads.set(note.thread, note);
    }
    const sums: Record<string, number> = {};
    for (const { thread, name, us } of threads.values())
      sums[name] = (sums[name] ?? 0) + (us ?? threadUs(thread) ?? terminated.get(thread) ?? 0);
    return sums;
  }
}

function measureWorker(notes: string): void {
  const thread = basename(readlinkSync('/proc/thread-self'));
  // A thread has the name of its program, such as fold-worker.cjs.
  const name = basename(process.argv[1] ?? '').replace(/(-worker)?\.\w+$/, '');
  const note = (us?: number) =>
    appendFileSync(notes, `${JSON.stringify({ thread, name, us } satisfies ThreadNote)}\n`);
  note();
  process.on('exit', () => note(threadUs(thread)));
}

/**
 * CPU time of a running thread of this process. Undefined where the system does not tell, and for a thread that has
 * ended. `stat` has it as well, but only to a hundredth of a second.
 */
function threadUs(thread: string): number | undefined {
  try {
    const [ns] = readFileSync(`${TASKS}/${thread}/schedstat`, 'utf8').split(' ');
    return Number(ns) / 1000;
  } catch {
    return undefined;
  }
}
