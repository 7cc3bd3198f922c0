import { createHmac } from 'node:crypto';
import { hostname } from 'node:os';
import { type CommandFacts, countsIn, endStateOf } from '../command-facts.ts';
import type { CommandContext } from '../context.ts';

/** Variable with the key of the signature. Not an option: others on the machine see command lines. */
export const NOTIFY_SECRET = 'STOREPORT_NOTIFY_SECRET';

const TIMEOUT_MS = 10_000;
const PAUSES_MS = [1_000, 5_000];

/** The body of a notification. Chat programs show `text`. It has figures only: no cells and no secrets. */
export function notificationOf(facts: CommandFacts, exitCode: number): object {
  const { command, resource, store = null, profile = null, run = null, error = null } = facts;
  return {
    text: sentenceOf(facts, exitCode),
    command,
    resource: resource ?? null,
    state: endStateOf(exitCode),
    exit_code: exitCode,
    ...{ store, profile, run, error },
    host: hostname(),
    started_at: facts.stopwatch.startedAt.toISOString(),
    finished_at: facts.stopwatch.date().toISOString(),
    duration_ms: facts.stopwatch.elapsedMs(),
    counts: countsIn(facts),
    summary: figuresIn(facts.summary),
  };
}

/** `storeport import products (paris): 20 created, 5 invalid. Exit code 1, run 20261121-093012-a1b2.` */
function sentenceOf(facts: CommandFacts, exitCode: number): string {
  const { command, resource, profile, run, error } = facts;
  const what = ['storeport', command, resource].filter(Boolean).join(' ');
  const counts = Object.entries(countsIn(facts)).map(([word, count]) => `${count} ${word}`);
  const said = error ? error.message : counts.length > 0 ? `${counts.join(', ')}.` : 'ended.';
  return `${what}${profile === undefined ? '' : ` (${profile})`}: ${said} Exit code ${exitCode}${run === undefined ? '' : `, run ${run}`}.`;
}

/** The values of a summary that are no lists: those may hold cells of the file. */
function figuresIn(summary: CommandFacts['summary']): object {
  return Object.fromEntries(Object.entries(summary ?? {}).filter(([, value]) => !Array.isArray(value)));
}

interface Signing {
  /** Key of the signature; undefined for none. */
  readonly secret: string | undefined;
  /** Seconds since 1970. */
  readonly time: string;
}

/** Sends one POST, and tries again twice. Resolves with the reason if it did not arrive. */
export async function postNotification(
  address: string,
  body: string,
  { environment, secret, time }: Signing & Pick<CommandContext, 'environment'>,
  sleep: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<string | undefined> {
  const { createTransport, proxyFor } = await import('../../store/index.ts');
  const url = new URL(address);
  const transport = createTransport({
    origin: url.origin,
    concurrency: 1,
    timeoutMs: TIMEOUT_MS,
    proxy: proxyFor(url.origin, environment),
  });
  try {
    for (let tries = 0; ; tries++) {
      const { status, error } = await transport.exchange({
        method: 'POST',
        path: url.pathname + url.search,
        headers: headersFor(url, body, { secret, time }),
        body,
      });
      if (status !== undefined && status >= 200 && status < 300) return undefined;
      const reason = error ? error.code : `it answered with ${status}`;
      const pause = PAUSES_MS[tries];
      // A refusal stays one, unless it is about the rate.
      const isFinal = status !== undefined && status < 500 && status !== 429;
      if (pause === undefined || isFinal) return reason;
      await sleep(pause);
    }
  } finally {
    await transport.close();
  }
}

function headersFor(url: URL, body: string, { secret, time }: Signing): string[] {
  const headers = ['content-type', 'application/json', 'user-agent', 'storeport'];
  if (url.username !== '')
    headers.push(
      'authorization',
      `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`,
    );
  if (secret === undefined) return headers;
  return [
    ...headers,
    'storeport-timestamp',
    time,
    'storeport-signature',
    signatureOf(`${time}.${body}`, secret),
  ];
}

/** HMAC with SHA-256 of the time, a dot and the body. The receiver compares it, and refuses old times. */
export function signatureOf(text: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
}
