import { appendFileSync, closeSync, openSync } from 'node:fs';
import type { FaultValueKind } from './misbehave/values.ts';
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
  readonly kind: FaultValueKind;
  /** What it changed in the store; absent when it changed nothing. */
  readonly did?: Deed | undefined;
  /** The fault that struck. */
  readonly fault?: string | undefined;
  /** Status that was answered; null while there is none. Null without a fault: the client left before. */
  readonly status: number | null;
  /** Whether a whole answer was sent: not when it was cut, spoilt on purpose, or the client had left. */
  readonly whole: boolean;
}

/** Requests remembered in memory: enough for any test, and 100,000 small objects are cheap. A file has them all. */
const MAX_ENTRIES = 100_000;

export interface SandboxJournal {
  readonly entries: readonly JournalEntry[];
  /** A request arrived, and the store did what it did. Call what it returns once, when the exchange is over. */
  record(
    method: string,
    url: string,
    kind: FaultValueKind,
    did: Deed | undefined,
    fault: string | undefined,
  ): (status: number | null, whole: boolean) => void;
  /** Writes everything to the file, what is not over as well, and closes it. */
  close(): void;
}

export interface JournalOptions {
  /** NDJSON, a line a request, appended as requests end. Throws where it cannot be opened. */
  readonly file: string | undefined;
  /** Milliseconds since the start. */
  readonly now: () => number;
}

/** The entries stand in order of arrival; lines of the file in the order in which requests ended. */
export function createJournal({ file, now }: JournalOptions): SandboxJournal {
  const entries: JournalEntry[] = [];
  let descriptor = file === undefined ? undefined : openSync(file, 'a');
  const underWay = new Set<JournalEntry>();
  let waiting = '';
  let count = 0;

  function flush(): void {
    if (descriptor !== undefined && waiting !== '') appendFileSync(descriptor, waiting);
    waiting = '';
  }

  function write(entry: JournalEntry): void {
    underWay.delete(entry);
    // Together, so that a busy store does not write once for each; and soon, so that a kill loses next to nothing.
    if (waiting === '') setImmediate(flush);
    waiting += `${JSON.stringify(entry)}\n`;
  }

  return {
    entries,
    record(method, url, kind, did, fault) {
      count += 1;
      const at = Math.round(now() * 10) / 10;
      const path = withoutSecrets(url);
      const entry: Writable<JournalEntry> = {
        n: count,
        at,
        method,
        path,
        kind,
        did,
        fault,
        status: null,
        whole: false,
      };
      if (count <= MAX_ENTRIES) entries.push(entry);
      if (descriptor !== undefined) underWay.add(entry);
      return (status, whole) => {
        entry.status = status;
        entry.whole = whole;
        if (descriptor !== undefined) write(entry);
      };
    },
    close() {
      if (descriptor === undefined) return;
      for (const entry of underWay) write(entry);
      flush();
      closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

type Writable<T> = { -readonly [field in keyof T]: T[field] };

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
