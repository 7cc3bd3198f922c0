import type { Amendment } from '../ledger/engine.ts';
import { ConfigError, printedCommand } from '../model/index.ts';
import { amendAll, type ReleasedRun } from './queries/amend.ts';
import type { Sql } from './sql.ts';

/** A run whose former holder may still send what it had noted. */
export interface Quarantine {
  /** Id of the run. */
  readonly run: string;
  readonly until: Date;
  /** Names of the workers that may live. */
  readonly holders: readonly string[];
}

/** The quarantines of these runs, given by their numbers; of all runs if none are given. */
export function quarantinesOf(sql: Sql, runs?: readonly number[]): Promise<Quarantine[]> {
  return sql.query<Quarantine>(
    `
    select id as run, doubts_until as until, doubts_of as holders from run
    where doubts_until > clock_timestamp() and ($1::integer[] is null or number = any ($1)) order by number`,
    [runs ?? null],
  );
}

/**
 * Changes outcomes as `amendAll` does. During quarantine, no record becomes one that may be sent again: that it is not there is
 * certain only once nobody can send it any more. `sql`: a fenced transaction. Throws ConfigError.
 */
export async function amendUnlessQuarantined(
  sql: Sql,
  amendments: readonly Amendment[],
): Promise<ReleasedRun[]> {
  const runs = new Set(
    amendments.flatMap(({ run, outcome }) => (MAY_BE_SENT.has(outcome.outcome) ? [run] : [])),
  );
  const [quarantine] = runs.size > 0 ? await quarantinesOf(sql, [...runs]) : [];
  if (quarantine) throw quarantined(quarantine);
  return amendAll(sql, amendments);
}

const MAY_BE_SENT: ReadonlySet<Amendment['outcome']['outcome']> = new Set(['failed', 'unsent']);

function quarantined({ run, until, holders }: Quarantine): ConfigError {
  const isOne = holders.length === 1;
  return new ConfigError(
    `Records of run ${run} may still arrive in the store until ${until.toISOString()}: ${isOne ? 'the worker' : 'the workers'} ${holders.join(', ')} had noted them, and may live. So none of them is settled as not there.`,
    [
      'Records that are there can be settled now.',
      `Wait until then for others. If ${isOne ? 'its process or its machine is' : 'their processes or machines are'} certainly gone, say so:`,
      ...holders.map((holder) => printedCommand('fleet resume', [], { ended: holder })),
    ],
  );
}
