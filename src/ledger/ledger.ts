import { join } from 'node:path';
import type { OutcomeWord, Settled, StopReason } from '../model/index.ts';
import { ledgerFailed, openDatabase } from './database.ts';
import { type Journal, openJournal } from './journal.ts';
import { createLog, type Log, removeLog } from './log.ts';
import { unpackRows } from './rows.ts';
import { STATEMENTS } from './statements.ts';
import { openTables } from './tables.ts';

/** What is known of a run when it begins. */
export interface NewRun {
  readonly id: string;
  readonly resource: string;
  readonly mode: string;
  /** Effective base URL, without credentials. */
  readonly store: string;
  readonly mappingName: string;
  readonly mappingDigest: string;
  readonly files: readonly SourceFile[];
  readonly header: readonly string[];
  readonly out: string;
  readonly version: string;
}

export interface SourceFile {
  readonly file: string;
  /** Of all its bytes; absent while it has not been read to the end. */
  readonly sha256?: string;
}

/** The durable local record of every run and outcome. STATES.md says what it promises. */
export interface Ledger {
  /** `slots`: requests in flight at most. */
  begin(run: NewRun, slots: number): OpenRun;
  close(): void;
}

/** A run that is being executed. */
export interface OpenRun extends Journal {
  /** Settled records in source order, with the rows that are given back. Streams from disk; adds what is unwritten. */
  settled(): Iterable<Settled>;
  /** All that was noted is in the tables: the log goes. */
  end(state: 'done' | 'stopped', files: readonly SourceFile[], reason?: StopReason): void;
  /** Without an end, what the tables do not have stays in the log. */
  close(): void;
}

/** Opens (or makes) the ledger under `home`. Throws ConfigError. `now`: milliseconds since 1970. */
export function openLedger(home: string, now: () => number = Date.now): Ledger {
  const database = openDatabase(home);
  return {
    begin(run, slots) {
      const { lastInsertRowid } = database
        .prepare(STATEMENTS.beginRun)
        .run(
          run.id,
          run.resource,
          run.mode,
          run.store,
          run.mappingName,
          run.mappingDigest,
          JSON.stringify(run.files),
          JSON.stringify(run.header),
          run.out,
          run.version,
          now(),
        );
      const number = Number(lastInsertRowid);
      const logFile = join(home, `${run.id}.log`);
      const log = startLog(logFile);
      const journal = openJournal(log, openTables(database, number, now), slots);
      return {
        ...journal,
        *settled() {
          const lines = database.prepare(STATEMENTS.settled).iterate(number) as Iterable<Line>;
          yield* inOrder(lines, journal.unwritten());
        },
        end(state, files, reason) {
          database
            .prepare(STATEMENTS.endRun)
            .run(state, reason ?? null, JSON.stringify(files), now(), number);
          removeLog(logFile);
        },
        close: log.close,
      };
    },
    close: () => {
      database.close();
    },
  };
}

function startLog(file: string): Log {
  try {
    return createLog(file);
  } catch (error) {
    throw ledgerFailed(error);
  }
}

/** What is on disk and what could not be written, both in source order already. */
function* inOrder(lines: Iterable<Line>, unwritten: readonly Settled[]): Generator<Settled> {
  let next = 0;
  for (const line of lines) {
    for (; next < unwritten.length && (unwritten[next]?.seq ?? 0) < line.seq; next++)
      yield unwritten[next] as Settled;
    yield toSettled(line);
  }
  yield* unwritten.slice(next);
}

interface Line {
  readonly seq: number;
  readonly row: number;
  readonly key: string;
  readonly outcome: OutcomeWord;
  readonly id: string | null;
  readonly http_status: number | null;
  readonly attempts: number;
  readonly duration_ms: number;
  readonly code: string | null;
  readonly field: string | null;
  readonly message: string | null;
  readonly rows: string | null;
}

function toSettled(line: Line): Settled {
  return {
    seq: line.seq,
    row: line.row,
    key: line.key,
    outcome: {
      outcome: line.outcome,
      id: line.id ?? undefined,
      httpStatus: line.http_status ?? undefined,
      attempts: line.attempts,
      durationMs: line.duration_ms,
      code: line.code ?? undefined,
      field: line.field ?? undefined,
      message: line.message ?? undefined,
    },
    ...(line.rows === null ? {} : { rows: unpackRows(line.rows) }),
  };
}
