import {
  CRASH_MESSAGE,
  followEntries,
  type Intent,
  outcomeAfterCrash,
  type RunCommand,
  unpackIntent,
} from '../../ledger/engine.ts';
import { mayBeInStore, type RecordResult } from '../../model/index.ts';
import { fenced } from '../fence.ts';
import { noteLostCommits } from '../incarnation.ts';
import type { Lease } from '../lease.ts';
import { tablesOfRun } from '../queries/runs.ts';
import type { RowSeal } from '../row-seal.ts';
import type { Sql } from '../sql.ts';
import { storedText } from '../text.ts';
import { openRecordTables } from './record-tables.ts';
import { openedEntry, openedIntents } from './sealed-intents.ts';

interface LostRun {
  readonly number: number;
  readonly id: string;
  readonly command: RunCommand;
  readonly fold: number;
  /** Of the lease under which its intents were written. */
  readonly epoch: number;
  /** True if its holder may live. */
  readonly quarantined: boolean;
}

/**
 * Settles the runs at a store whose holder is gone, or only lost the lease. Moves their logs into the tables: creates without an
 * outcome are in doubt, updates without one count as not sent. The lease proves that none of them can commit any more. Returns
 * their ids. Throws RunStopped if the lease is lost meanwhile.
 */
export async function settleLostRuns(
  sql: Sql,
  lease: Lease,
  { baseUrl, seal }: { readonly baseUrl: string; readonly seal: RowSeal },
): Promise<string[]> {
  const lost = await sql.query<LostRun>(
    `
    select number, id, command, fold, epoch, coalesce(doubts_until > clock_timestamp(), false) as quarantined
    from run where store = $1 and state = 'running' order by number`,
    [baseUrl],
  );
  for (const run of lost) await settleLostRun(sql, lease, run, seal);
  return lost.map(({ id }) => id);
}

async function settleLostRun(sql: Sql, lease: Lease, run: LostRun, seal: RowSeal): Promise<void> {
  const { number, command, epoch } = run;
  const log = await readLineLog(sql, run, seal);
  if (log.isIncomplete) await noteLostCommits(sql);
  const brokenOff = log.open.flatMap((intent): RecordResult[] => {
    const outcome = outcomeAfterCrash(command, intent);
    const digests = outcome && mayBeInStore(outcome) ? intent.digests : undefined;
    return outcome ? [{ ...intent, outcome, digests }] : [];
  });
  const ended = [...log.ended, ...brokenOff]
    .map((end) => (log.lostRows.has(end.seq) ? { ...end, rows: undefined } : end))
    .sort((a, b) => a.seq - b.seq);
  const { files } = await tablesOfRun(sql, number);
  // The run may be a resumed one, so its unsent records are replaced.
  const tables = openRecordTables({ run: number, isResumed: true, files, seal });
  await tables.prepare(sql, ended);
  await fenced(sql, lease, async (inside) => {
    // The next fold is beyond all that the former holder may have begun.
    await tables.fold(inside, { ended, open: [], next: run.fold + 2, epoch });
    const doubts = brokenOff.filter(({ outcome }) => outcome.outcome === 'in-doubt');
    await inside.query(NOTE_DOUBTS, [number, epoch, doubts.map(({ seq }) => seq)]);
    if (run.quarantined) await restUpdates(inside, lease, log.open);
    await inside.query(CRASH, [number, CRASH_MESSAGE, log.lastAt]);
  });
}

interface LostLog {
  readonly ended: readonly RecordResult[];
  readonly open: readonly Intent[];
  /** Milliseconds since 1970 of its last entry; null if it has none. */
  readonly lastAt: number | null;
  /** True if entries are missing between others. */
  readonly isIncomplete: boolean;
  /** Records whose rows cannot be read any more. */
  readonly lostRows: ReadonlySet<number>;
}

async function readLineLog(sql: Sql, { number, fold }: LostRun, seal: RowSeal): Promise<LostLog> {
  const [noted] = await sql.query<{ entries: string }>('select entries from intents where run = $1', [
    number,
  ]);
  const lines = await sql.query<{ fold: number; entry: number; body: Buffer; at: number }>(
    `
    select fold, entry, body, floor(extract(epoch from at) * 1000)::float8 as at
    from log where run = $1 and fold >= $2 order by fold, entry`,
    [number, fold],
  );
  const lostRows = new Set<number>();
  const onLost = (seq: number) => lostRows.add(seq);
  const before = openedIntents(noted?.entries ?? '[]', seal, onLost);
  const { ended, open } = followEntries(
    before,
    lines.map(({ body }) => openedEntry(body, seal, onLost)),
  );
  const isIncomplete = lines.some((line, index) => {
    const previous = lines[index - 1];
    return line.entry !== (previous?.fold === line.fold ? previous.entry + 1 : 0);
  });
  return { ended, open: open.map(unpackIntent), lastAt: lines.at(-1)?.at ?? null, isIncomplete, lostRows };
}

/** An update of the lost holder may arrive after a later one of the same key, which must wait until it cannot any more. */
async function restUpdates(sql: Sql, { store, timing }: Lease, open: readonly Intent[]): Promise<void> {
  const updates = open.filter(({ kind, key }) => kind === 'update' && key !== '');
  const keys = new Set(updates.map(({ key }) => storedText(key)));
  if (keys.size > 0) await sql.query(REST, [store, [...keys], timing.requestMs / 1000]);
}

const REST = `
  insert into rest (store, key, until)
  select $1::integer, key, clock_timestamp() + make_interval(secs => $3) from unnest($2::text[]) as resting (key)
  on conflict (store, key) do update set until = greatest(rest.until, excluded.until)`;

const NOTE_DOUBTS = `
  insert into doubt (run, seq, epoch)
  select $1::integer, seq, $2::bigint from unnest($3::integer[]) as found (seq)
  on conflict (run, seq) do update set epoch = excluded.epoch`;

const CRASH = `
  with gone as (delete from log where run = $1)
  update run set state = 'stopped', stop_reason = 'crashed', stop_message = $2, not_read = case when whole then 0 end,
    finished_at = greatest(coalesce($3::bigint, started_at), started_at),
    worked_ms = case when worked_ms = 0 then greatest(0, coalesce($3::bigint, started_at) - started_at) else worked_ms end
  where number = $1`;
