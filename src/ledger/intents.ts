import type { KeptRow, Operation } from '../model/index.ts';
import type { Database } from './database.ts';
import { packed } from './rows.ts';
import { STATEMENTS } from './statements.ts';

/** A record that is about to be sent. */
export interface Intent {
  readonly seq: number;
  readonly row: number;
  readonly key: string;
  readonly kind: Operation['kind'];
  readonly rows: readonly KeptRow[];
}

/** The lines of `intents` that one run writes, one for each commit. Called within a transaction. */
export interface IntentLines {
  add(intents: readonly Intent[], at: number): void;
  /** The record has its outcome; the last one of a line takes the line with it. */
  settle(seq: number): void;
}

/** A line in the file, and how many of its intents are still open. */
interface Line {
  readonly batch: number;
  open: number;
}

export function openIntentLines(database: Database.Database, run: number): IntentLines {
  const insert = database.prepare(STATEMENTS.intend);
  const forget = database.prepare(STATEMENTS.forgetIntents);
  const lineOf = new Map<number, Line>();

  return {
    add(intents, at) {
      const entries = intents.map(({ seq, row, key, kind, rows }) => [seq, row, key, kind, packed(rows)]);
      const { lastInsertRowid } = insert.run(run, JSON.stringify(entries), at);
      const line = { batch: Number(lastInsertRowid), open: intents.length };
      for (const { seq } of intents) lineOf.set(seq, line);
    },
    settle(seq) {
      const line = lineOf.get(seq);
      if (!line) return;
      lineOf.delete(seq);
      line.open--;
      if (line.open === 0) forget.run(line.batch);
    },
  };
}
