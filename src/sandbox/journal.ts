import { closeSync } from 'node:fs';
import { appendFileSync, openSync } from '../model/files/fs.ts';
import type { RequestKind } from './misbehave/values.ts';
import type { StoreChange } from './reply.ts';

/** One request and its real effect and end, without secrets. */
export interface JournalEntry {
  /** Number in order of arrival, from 1. */
  readonly n: number;
  /** Time of arrival, in milliseconds since the start, on a monotonic clock. */
  readonly at: number;
  readonly method: string;
  /** Path and query. The query is left out if it carries, or may carry, credentials. */
  readonly path: string;
  readonly kind: RequestKind;
  /** The change in the store; absent if there was none. */
  readonly did?: StoreChange | undefined;
  /** Name of the fault that was applied. */
  readonly fault?: string | undefined;
  /** Status of the answer; null while there is none. Null without a fault: the client left before the answer. */
  readonly status: number | null;
  /** True if a whole answer was sent. False if it was cut or spoilt by a fault, or the client had left. */
  readonly whole: boolean;
}

/** Maximum number of entries in memory. A file has all. */
const MAX_ENTRIES = 100_000;

/** A request whose effect on the store is known, though not yet how its exchange ends. */
interface ProcessedRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly kind: RequestKind;
  readonly did?: StoreChange | undefined;
  readonly fault?: string | undefined;
}

/** Called at the end of an exchange, with `status` and `whole` as in `JournalEntry`. */
export type FinishEntry = (status: number | null, whole: boolean) => void;

export interface SandboxJournal {
  readonly entries: readonly JournalEntry[];
  /** Notes a request that was processed. Call the returned function once, at the end of the exchange. */
  record(request: ProcessedRequest): FinishEntry;
  /** Writes all entries to the file, also those of exchanges that have not ended, and closes it. */
  close(): void;
}

export interface JournalOptions {
  /** NDJSON file to which a line is appended when an exchange ends. Throws if it cannot be opened. */
  readonly file: string | undefined;
  /** Returns milliseconds since the start. */
  readonly now: () => number;
}

/** Creates a journal. Its entries are in order of arrival; lines of the file in the order in which exchanges ended. */
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
    // Lines are written together, to save writes in a busy store, but in the same turn, so that a kill loses few.
    if (waiting === '') setImmediate(flush);
    waiting += `${JSON.stringify(entry)}\n`;
  }

  return {
    entries,
    record({ method, url, kind, did, fault }) {
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

/** Parameters that never carry credentials. */
const HARMLESS = new Set(['page', 'limit', 'product', 'product._id', 'rating', 'published', 'field3', 'id']);

/** Goes by the parameters, not by the route: a request with a mistyped path carries the same credentials. */
function withoutSecrets(url: string): string {
  const mark = url.indexOf('?');
  if (mark < 0) return url;
  const names = url
    .slice(mark + 1)
    .split('&')
    .map((pair) => pair.split('=', 1)[0] as string);
  return names.every((name) => HARMLESS.has(name)) ? url : url.slice(0, mark);
}
