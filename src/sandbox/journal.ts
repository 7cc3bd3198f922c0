import { openSync, writeSync } from 'node:fs';
import type { Kind } from './misbehave/values.ts';
import type { Deed } from './reply.ts';

/** One request and what really became of it, without anything secret. In order of arrival. */
export interface JournalEntry {
  /** From 1. */
  readonly n: number;
  /** Arrival, in milliseconds since the start, on a clock that only goes forward. */
  readonly at: number;
  readonly method: string;
  /** Path and query. The query is left out where it carries, or may carry, credentials. */
  readonly path: string;
  readonly kind: Kind;
  /** What it changed in the store; absent when it changed nothing. */
  readonly did?: Deed;
  /** The fault that struck. */
  readonly fault?: string;
  /** Status that was answered; null while there is none. */
  readonly status: number | null;
  /** Whether a whole answer was sent: not when it was cut, spoilt on purpose, or the client had left. */
  readonly whole: boolean;
}

/** Requests remembered in memory: enough for any test, and 100,000 small objects are cheap. A file has them all. */
const MAX_ENTRIES = 100_000;

export interface Journal {
  readonly entries: readonly JournalEntry[];
  /** A request arrived, and the store did what it did. Call what it returns once, when the exchange is over. */
  record(
    method: string,
    url: string,
    kind: Kind,
    done: Done,
  ): (status: number | null, whole: boolean) => void;
  /** Writes what is still waiting to the file. */
  flush(): void;
}

export type Done = Pick<JournalEntry, 'did' | 'fault'>;

export interface JournalOptions {
  /** NDJSON, a line a request, appended as requests end. Throws where it cannot be opened. */
  readonly file: string | undefined;
  /** Milliseconds since the start. */
  readonly now: () => number;
}

/** The entries stand in order of arrival; lines of the file in the order in which requests ended. */
export function createJournal({ file, now }: JournalOptions): Journal {
  const entries: JournalEntry[] = [];
  const descriptor = file === undefined ? undefined : openSync(file, 'a');
  let waiting = '';
  let count = 0;

  function flush(): void {
    if (descriptor !== undefined && waiting !== '') writeSync(descriptor, waiting);
    waiting = '';
  }

  return {
    entries,
    record(method, url, kind, { did, fault }) {
      count += 1;
      const n = count;
      const arrival = {
        ...{ n, at: Math.round(now() * 10) / 10, method, path: withoutSecrets(url), kind },
        ...(did && { did }),
        ...(fault !== undefined && { fault }),
      };
      if (n <= MAX_ENTRIES) entries.push({ ...arrival, status: null, whole: false });
      return (status, whole) => {
        const entry = { ...arrival, status, whole };
        if (n <= MAX_ENTRIES) entries[n - 1] = entry;
        if (descriptor === undefined) return;
        // Together, so that a busy store does not write once for each; and soon, so that a kill loses next to nothing.
        if (waiting === '') setImmediate(flush);
        waiting += `${JSON.stringify(entry)}\n`;
      };
    },
    flush,
  };
}

/** Parameters that carry no credentials. */
const HARMLESS = new Set(['page', 'limit', 'product', 'product._id', 'rating', 'published', 'field3', 'id']);

/** Judged by the parameters, not by the route: a mistyped path carries the same credentials. */
function withoutSecrets(url: string): string {
  const mark = url.indexOf('?');
  if (mark < 0) return url;
  const names = url
    .slice(mark + 1)
    .split('&')
    .map((pair) => pair.split('=', 1)[0] as string);
  return names.every((name) => HARMLESS.has(name)) ? url : url.slice(0, mark);
}
