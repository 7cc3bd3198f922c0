import { ConfigError } from '../../model/index.ts';

/**
 * The tables of a ledger. Times are milliseconds since 1970.
 *
 * The latest entries of a run are in a log beside the file until the run ends. `run.epoch` names the entries that the tables do
 * not have yet. `intents` has the intents that were open when the tables were last written.
 */
const SCHEMA = `
create table run (
  number integer primary key,
  id text not null unique,
  state text not null check (state in ('running', 'done', 'stopped')),
  stop_reason text,
  resource text not null,
  mode text not null,
  store text not null,
  mapping_name text not null,
  mapping_digest text not null,
  files text not null,      -- JSON: [{"file", "sha256"}]; sha256 once the file was read to its end
  header text not null,     -- JSON: column names of the source, for errors.csv
  out text not null,        -- folder of the reports
  version text not null,
  started_at integer not null,
  finished_at integer,
  epoch integer not null default 0,
  options text not null default '{}',     -- JSON: options of the command, without secrets
  stop_message text,
  not_read integer,         -- records behind the last one that was read; null: not known
  worked_ms integer not null default 0,   -- in all its executions
  remembered integer not null default 1,  -- 0: its store was gone when its command ended
  command text not null default 'import', -- or adopt, undo
  whole integer not null default 0,       -- 1: all its records are here, so its files are not needed
  identified integer not null default 0,  -- 1: its keys are in identity. A run that died is indexed on demand
  log_format integer not null default 0,  -- 0: it may have no log yet. 1: it has a log. 2: it has both files of the log
  activity text,            -- JSON: a short list of points of how fast it went, RunActivity in the model
  pruned_at integer,        -- when a prune last went through its lines
  pruned text,              -- JSON: {outcome: number of lines that were dropped}; null: none was
  prune_next integer,       -- the record at which an interrupted prune continues; null: it has ended
  base text                 -- absolute path of the folder that held the home. Paths below it move with it
) strict;

create table record (
  run integer not null references run (number),
  seq integer not null,
  row integer not null,
  key text not null,
  outcome text not null,
  id text,
  http_status integer,
  attempts integer not null,
  duration_ms integer not null,
  code text,
  field text,
  message text,
  shape integer references shape (number),
  digests text,             -- 8 characters for each field of the shape
  file integer,             -- position in run.files; null: the run has one file
  primary key (run, seq)
) strict, without rowid;
create index record_open on record (run, row)
  where outcome in ('invalid', 'rejected', 'failed', 'unsent', 'in-doubt');

create table kept (         -- source rows to return
  run integer not null references run (number),
  seq integer not null,
  rows text not null,       -- JSON: [[row, [cell, …]], …]
  kinds text,               -- JSON: [[code, field or null, count, example], …], if it has more than one kind of issue
  primary key (run, seq)
) strict, without rowid;

create table intents (      -- intents of one commit are one line
  batch integer primary key,
  run integer not null references run (number),
  entries text not null,    -- JSON: [[seq, row, key, kind, [[row, [cell, …]], …]], …]
  at integer not null
) strict;
create index intents_of_run on intents (run);

create table mark (         -- places in the files of a run from which it can be resumed
  run integer not null references run (number),
  seq integer not null,     -- the record that begins there
  file integer not null,    -- position in run.files
  at integer not null,      -- byte
  row integer not null,
  line integer not null,
  primary key (run, seq)
) strict, without rowid;

create table shape (        -- fields that many records have in common
  number integer primary key,
  fields text not null unique   -- with commas between
) strict;

create table target (
  number integer primary key,
  store text not null,
  resource text not null,
  unique (store, resource)
) strict;

create table identity (     -- the latest record that says what a key is at a store
  target integer not null references target (number),
  key text not null,        -- normalised
  run integer not null,
  seq integer not null,
  primary key (target, key)
) strict, without rowid;

create table sequel (       -- records that another run imported again: its record is the current one
  run integer not null,
  seq integer not null,
  by_run integer not null,  -- the last record of the chain
  by_seq integer not null,
  primary key (run, seq)
) strict, without rowid;
create index sequel_by on sequel (by_run, by_seq);

create table trash (        -- records that an undo put into the trash, or may have, until an update restores them
  target integer not null references target (number),
  id text not null,         -- some have no key
  run integer not null,     -- the undo
  seq integer not null,
  primary key (target, id)
) strict, without rowid;
`;

/** In order; append only. The last one brings a ledger to `FORMAT`. */
const MIGRATIONS: readonly string[] = [SCHEMA];

/** `user_version` of a ledger with the first of the migrations. A new file has 0. Lower numbers were never released. */
export const FIRST_FORMAT = 17;

/** `user_version` of a ledger with all migrations. */
export const FORMAT = FIRST_FORMAT + MIGRATIONS.length - 1;

/** The statements that a ledger of this format needs to get all migrations. */
export function migrationsAfter(format: number, migrations: readonly string[] = MIGRATIONS): string {
  return migrations.slice(Math.max(0, format - FIRST_FORMAT + 1)).join(' ');
}

/** Throws ConfigError if this version cannot read a ledger of this format. */
export function assertReadable(file: string, format: number): void {
  if (format > FORMAT)
    throw new ConfigError(
      `The ledger ${file} was written by a newer storeport (its format ${format}, ours ${FORMAT}).`,
      ['Update storeport, or choose another folder with --home.'],
    );
  if (format > 0 && format < FIRST_FORMAT)
    throw new ConfigError(
      `The ledger ${file} is from before the first release (its format ${format}, ours ${FORMAT}), and this version does not read it. Nothing was sent.`,
      [
        'Finish its runs with the version that made it.',
        'Then name a new folder with --home, and first record there what the store has, from results.csv of those runs. How: storeport run adopt --help',
      ],
    );
}
