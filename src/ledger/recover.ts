import { INCOMPLETE, type Outcome, type Settled } from '../model/index.ts';
import type { Database } from './database.ts';
import { type Intent, type PackedIntent, unpackIntent } from './intents.ts';
import type { LogEntry } from './journal.ts';
import { readLog } from './log.ts';
import { STATEMENTS } from './statements.ts';

/** What a run that died left behind, beyond what its tables have. */
export interface Unfolded {
  readonly ended: readonly Settled[];
  /** Their requests may have been on the way. */
  readonly open: readonly Intent[];
}

/** Reads the log of a run together with the intents in its tables. Throws ConfigError where the log is damaged. */
export function unfoldedOf(database: Database.Database, run: number, logFile: string): Unfolded {
  const { epoch } = database.prepare(STATEMENTS.epoch).get(run) as { epoch: number };
  const lines = database.prepare(STATEMENTS.intents).all(run) as { entries: string }[];
  const intents = lines.flatMap(({ entries }) => (JSON.parse(entries) as PackedIntent[]).map(unpackIntent));
  const open = new Map(intents.map((intent) => [intent.seq, intent]));
  const ended: Settled[] = [];
  for (const entry of readLog<LogEntry>(logFile, epoch)) {
    for (const [seq, outcome] of entry.ends) {
      const intent = open.get(seq);
      if (!intent) continue;
      open.delete(seq);
      ended.push(settledAs(intent, outcome));
    }
    for (const intent of entry.intents.map(unpackIntent)) open.set(intent.seq, intent);
  }
  return { ended, open: [...open.values()] };
}

function settledAs({ seq, row, key, rows }: Intent, outcome: Outcome): Settled {
  const end = { seq, row, key, outcome };
  return INCOMPLETE.has(outcome.outcome) ? { ...end, rows } : end;
}
