import type { Amendment } from '../ledger/engine.ts';
import { ConfigError } from '../model/index.ts';
import { amendAll } from './queries/amend.ts';
import type { Sql } from './sql.ts';

/** A run whose former holder may still send what it had noted. */
export interface Quarantine {
  /** Id of the run. */
  readonly run: string;
  readonly until: Date;
  /** Names of the workers, with commas between. */
  readonly holder: string;
}

/** The quarantines of these runs, given by their numbers; of all runs if none are given. */
export function quarantinesOf(sql: Sql, runs?: readonly number[]): Promise<Quarantine[]> {
  return sql.query<Quarantine>(
    `
    select id as run, doubts_until as until, array_to_string(doubts_of, ', ') as holder from run
    where doubts_until > clock_timestamp() and ($1::integer[] is null or number = any ($1)) order by number`,
    [runs ?? null],
  );
}

/**
 * Changes outcomes as `amendAll` does. During quarantine, no record becomes one that may be sent again: that it is not there is
 * certain only once nobody can send it any more. `sql`: a fenced transaction. Throws ConfigError.
 */
export async function amendUnlessQuarantined(sql: Sql, amendments: readonly Amendment[]): Promise<void> {
  const runs = new Set(
    amendments.flatMap(({ run, outcome }) => (MAY_BE_SENT.has(outcome.outcome) ? [run] : [])),
  );
  const [quarantine] = runs.size > 0 ? await quarantinesOf(sql, [...runs]) : [];
  if (quarantine) throw quarantined(quarantine);
  await amendAll(sql, amendments);
}

const MAY_BE_SENT: ReadonlySet<Amendment['outcome']['outcome']> = new Set(['failed', 'unsent']);

function quarantined({ run, until, holder }: Quarantine): ConfigError {
  return new ConfigError(
    `Records of run ${run} may still arrive in the store until ${until.toISOString()}: worker ${holder} had noted them, and may live. So none of them is settled as not there.`,
    [
      'Wait until then. If the process or the machine of that worker is certainly gone, say so with storeport fleet resume --ended WORKER.',
      'Records that are there can be settled now.',
    ],
  );
}
