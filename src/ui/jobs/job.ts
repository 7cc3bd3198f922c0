import { randomUUID } from 'node:crypto';
import { type NotedActivity, noteActivity } from '../../pipeline/index.ts';
import { type ControlJob, type JobEnd, type JobView, type LogLine, PAUSABLE_JOBS } from '../api/index.ts';
import type { CommandEnd, CommandPort, CommandQuestion, CommandWatch, LiveCommand } from '../command-port.ts';
import type { PlannedJob } from './plan-job.ts';
import { progressView } from './progress-view.ts';
import { createWorkClock } from './work-clock.ts';

/** A command that runs, or has run. */
export interface Job {
  readonly id: string;
  view(): JobView;
  /** Carries out what the user wants. Returns false if it does not fit the state of the job. */
  control(action: ControlJob): boolean;
  /** Resolves when the view has changed, or after this time, or at once if the job has ended. */
  changed(ms: number): Promise<void>;
  /** Resolves when the command has ended and its result is noted. Never rejects. */
  readonly ended: Promise<void>;
}

const MOST_LINES = 200;
/** Milliseconds over which the rate is measured. */
const RATE_MS = 5000;

/** Runs a command and follows it. `words`: see PlannedJob. */
export function startJob(planned: PlannedJob, commands: CommandPort): Job {
  const id = randomUUID();
  const startedAt = new Date();
  const beganMs = performance.now();
  const stop = new AbortController();
  const lines: LogLine[] = [];
  let count = 0;
  let live: LiveCommand = {};
  let noted: NotedActivity | undefined;
  let run: string | undefined;
  let store: string | undefined;
  let paused:
    | { readonly sinceMs: number; readonly end: Promise<void>; readonly open: () => void }
    | undefined;
  let asked:
    | {
        readonly question: CommandQuestion & { readonly isSecret?: true };
        readonly answer: (text: string | undefined) => void;
      }
    | undefined;
  let end: JobEnd | undefined;
  let endedMs: number | undefined;
  /** Called at the next change. Each waiter removes itself when its time is over. */
  const waiters = new Set<() => void>();
  const clock = createWorkClock();
  const canPause = PAUSABLE_JOBS.includes(planned.kind);
  const samples: { readonly atMs: number; readonly records: number }[] = [];

  function notify(): void {
    for (const done of [...waiters]) done();
  }
  function message(kind: LogLine['kind'], text: string): void {
    lines.push({ n: ++count, at: new Date().toISOString(), kind, text: planned.rename?.(text) ?? text });
    if (lines.length > MOST_LINES) lines.shift();
    notify();
  }
  function ask(question: CommandQuestion & { readonly isSecret?: true }): Promise<string | undefined> {
    // Nobody answers any more: the person has stopped the job, or the server is closing.
    if (stop.signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      clock.hold();
      asked = {
        question,
        answer(text) {
          asked = undefined;
          if (!paused) clock.release();
          resolve(text);
          notify();
        },
      };
      notify();
    });
  }
  function resume(): void {
    paused?.open();
    paused = undefined;
    if (!asked) clock.release();
  }

  const watch: CommandWatch = {
    stopped: stop.signal,
    pause: () => paused && { forMs: performance.now() - paused.sinceMs, end: paused.end },
    message,
    began(id, address) {
      run = id;
      store = address ?? undefined;
      notify();
    },
    follow(more) {
      if (more.progress && !live.progress) clock.start();
      live = { ...live, ...more };
      if (live.progress && live.client && !noted)
        noted = noteActivity({ records: () => live.progress?.records() ?? 0, client: live.client });
    },
    ask: async (question) => (await ask(question)) === 'yes',
    askSecret: (text) => ask({ text, lines: [], isSecret: true }),
  };
  async function carryOut(): Promise<JobEnd> {
    const result = await commands.run(planned.words, watch).finally(() => noted?.stop());
    const more = await noteEnd(result);
    return {
      exitCode: result.exitCode,
      meaning: commands.meaningOf(result.exitCode),
      ...(result.result === undefined ? {} : { result: result.result }),
      ...(result.failure === undefined ? {} : { failure: result.failure }),
      ...more,
    };
  }
  async function noteEnd(result: CommandEnd): Promise<Partial<JobEnd> | undefined> {
    try {
      return await planned.atEnd?.(result);
    } catch (error) {
      // The command has ended. Only the page could not note its result.
      const message = commands.mask((error as Error).message);
      return {
        failure: { message: `The command ended, but its result could not be noted: ${message}`, hints: [] },
      };
    }
  }
  const ended = carryOut()
    .catch((error: Error) => endOfBug(error, commands))
    .then((found) => {
      end = found;
      endedMs = performance.now();
      notify();
    });

  function perSecond(): number {
    const now = { atMs: performance.now(), records: live.progress?.records() ?? 0 };
    samples.push(now);
    while (samples.length > 2 && now.atMs - (samples[0]?.atMs ?? 0) > RATE_MS) samples.shift();
    const [first = now] = samples;
    return now.atMs > first.atMs ? ((now.records - first.records) * 1000) / (now.atMs - first.atMs) : 0;
  }
  function state(): JobView['state'] {
    if (end) return 'ended';
    if (asked) return 'asking';
    if (stop.signal.aborted) return 'stopping';
    return paused ? 'paused' : 'running';
  }

  return {
    id,
    ended,
    view() {
      const elapsedMs = (endedMs ?? performance.now()) - beganMs;
      const { kind, title, command, work, storeId, limit } = planned;
      const activity = noted?.activity();
      return {
        ...{ id, kind, title, command, state: state(), startedAt: startedAt.toISOString(), elapsedMs },
        ...(work === undefined ? {} : { work }),
        ...(storeId === undefined ? {} : { storeId }),
        ...(limit === undefined ? {} : { limit }),
        ...(run === undefined ? {} : { run }),
        ...(store === undefined ? {} : { store }),
        progress: progressView({ live, activity, perSecond: end ? 0 : perSecond(), workedMs: clock.ms() }),
        log: lines,
        ...(asked ? { question: asked.question } : {}),
        ...(end ? { end } : {}),
      };
    },
    control({ action, secret }) {
      if (end) return false;
      if (action === 'stop') {
        stop.abort();
        resume();
        asked?.answer(undefined);
      } else if (action === 'pause' && canPause && !paused && !stop.signal.aborted) {
        clock.hold();
        let open = () => {};
        const end = new Promise<void>((resolve) => {
          open = resolve;
        });
        paused = { sinceMs: performance.now(), end, open };
      } else if (action === 'continue' && paused) resume();
      else if (action === 'yes' && asked) asked.answer(asked.question.isSecret ? secret : 'yes');
      else if (action === 'no' && asked) asked.answer(undefined);
      else return false;
      notify();
      return true;
    },
    changed: (ms) =>
      new Promise((resolve) => {
        if (end) return resolve();
        const done = () => {
          clearTimeout(timer);
          waiters.delete(done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        waiters.add(done);
      }),
  };
}

/** Ends a job whose command has thrown, which no command should. Otherwise nothing could be started any more. */
function endOfBug({ message }: Error, commands: CommandPort): JobEnd {
  const exitCode = commands.exitCodeOf({}, 'internal-error');
  return {
    exitCode,
    meaning: commands.meaningOf(exitCode),
    failure: { message: commands.mask(`This is a bug in storeport: ${message}`), hints: [] },
  };
}
