import { spawn } from 'node:child_process';
import { request as httpRequest } from 'node:http';
import { onTestFinished } from 'vitest';
import { API_BASE, type JobView, type StartJob, type WorkView } from '../../src/ui/api/index.ts';
import { binary, cleanEnvironment, storeport } from './run.ts';
import { keptOutput } from './test-io.ts';

export interface UiAnswer<Value = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed text; undefined if it is not JSON. */
  readonly value: Value;
}

/** A running `storeport ui`. */
export interface RunningUi {
  /** The address with the key. */
  readonly link: string;
  readonly origin: string;
  readonly cookie: string;
  /** Text of standard error so far. */
  stderr(): string;
  /** A request as the page sends it. */
  call<Value>(method: string, path: string, body?: unknown): Promise<UiAnswer<Value>>;
  open(path: string): Promise<WorkView>;
  start(job: StartJob): Promise<JobView>;
  /** Waits until a job fits. */
  until(id: string, fits: (job: JobView) => boolean): Promise<JobView>;
  /** Starts a job and waits for its end. */
  finish(job: StartJob): Promise<JobView>;
  stop(): Promise<number | null>;
}

export interface UiOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Not called if the process outlives the test. */
  readonly whenFinished?: (stop: () => Promise<unknown>) => void;
}

/** A server that was started, and prints its address. */
interface Launched {
  /** Standard output until the address is there. */
  readonly printed: Promise<string>;
  readonly ended: Promise<number | null>;
  interrupt(): void;
  stderr(): string;
}

/** Starts the page in a folder, within this process. It is stopped after the test. */
export function startUi(cwd: string, options: UiOptions = {}): Promise<RunningUi> {
  const stdout = keptOutput();
  const stderr = keptOutput();
  const controller = new AbortController();
  const printed = new Promise<string>((resolve) => stdout.once('data', (text) => resolve(String(text))));
  const args = ['ui', ...(options.args ?? []), '--json'];
  const { env = {} } = options;
  const ended = storeport(args, { cwd, env, stdout, stderr, signal: controller.signal });
  return running(
    {
      printed,
      ended: ended.then(({ code }) => code),
      interrupt: () => controller.abort(),
      stderr: stderr.text,
    },
    options,
  );
}

/** Starts the page by the real binary. */
export function startUiProcess(cwd: string, options: UiOptions = {}): Promise<RunningUi> {
  const { args = [], env = {} } = options;
  const child = spawn(process.execPath, [binary, 'ui', ...args, '--json'], {
    cwd,
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  return running(
    {
      printed: new Promise((resolve) => child.stdout.setEncoding('utf8').once('data', resolve)),
      ended: new Promise((resolve) => child.once('exit', resolve)),
      interrupt: () => void (child.exitCode === null && child.kill('SIGINT')),
      stderr: () => stderr,
    },
    options,
  );
}

async function running(
  { printed, ended, interrupt, stderr }: Launched,
  { whenFinished = (stop) => onTestFinished(() => stop().then(() => {})) }: UiOptions,
): Promise<RunningUi> {
  const stop = () => {
    interrupt();
    return ended;
  };
  whenFinished(stop);
  const link = await Promise.race([
    printed.then((text) => String(JSON.parse(text).url)),
    ended.then((code) => Promise.reject(new Error(`storeport ui ended with ${code}: ${stderr()}`))),
  ]);
  const { origin } = new URL(link);
  const first = await fetch(link, { redirect: 'manual' });
  const [cookie = ''] = (first.headers.get('set-cookie') ?? '').split(';');

  async function call<Value>(method: string, path: string, body?: unknown): Promise<UiAnswer<Value>> {
    const isBytes = body instanceof Uint8Array;
    const answer = await fetch(`${origin}${API_BASE}${path}`, {
      method,
      headers: {
        ...{ cookie, origin },
        ...(body === undefined || isBytes ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined
        ? {}
        : { body: isBytes ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, value: parsed(text) as Value };
  }
  async function until(id: string, fits: (job: JobView) => boolean): Promise<JobView> {
    for (;;) {
      const { value } = await call<JobView>('GET', `/jobs/${id}`);
      if (fits(value)) return value;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  async function start(job: StartJob): Promise<JobView> {
    const { status, value, text } = await call<JobView>('POST', '/jobs', job);
    if (status !== 200) throw new Error(text);
    return value;
  }
  return {
    ...{ link, origin, cookie, call, until, start, stop, stderr },
    async open(path) {
      const { status, value, text } = await call<WorkView>('POST', '/works', { path });
      if (status !== 200) throw new Error(text);
      return value;
    },
    finish: async (job) => until((await start(job)).id, ({ state }) => state === 'ended'),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A request with headers that fetch does not let one choose, such as Host. */
export function rawRequest(
  origin: string,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  },
): Promise<{
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const call = httpRequest({ hostname, port, path, method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    call.on('error', reject);
    call.end(body);
  });
}
