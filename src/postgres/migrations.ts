/**
 * A step of the schema. Workers of several versions share one database, so a step only adds what earlier versions can ignore
 * (expand). A later one removes what no version uses any more (contract), and then raises `minVersion`.
 */
export interface SchemaStep {
  readonly script: string;
  /** The lowest schema version that a worker must know to continue after this step. A version is the number of its last step. */
  readonly minVersion: number;
}

/** The version of the first step. Lower ones were never released. */
export const FIRST_SCHEMA = 10;

/**
 * The ledger, as in SQLite except for `lease`, `log` and `late_answer`, and the work of a fleet: what is to be done at which
 * store, when, and how fast. Times are milliseconds since 1970 unless timestamptz.
 */
const SCHEMA = `
create table cluster (
  one boolean primary key default true check (one),
  incarnation integer not null default 1,       -- incremented when the database was restored
  identity text,                                -- of server, table and timeline, when that was last seen
  swept_at timestamptz,                         -- when files that no task has were removed last
  artifacts text,                               -- place of files: a folder, or s3://bucket/prefix; null: no worker has named one
  artifacts_id text,                            -- is also in a marker file in the place
  artifacts_owner text,                         -- identity of the database when it got the place: a copy has another one
  artifacts_marked boolean not null default false   -- the marker file was written
);
insert into cluster default values;

create table store (
  number integer generated always as identity primary key,
  name text not null,
  base_url text not null unique,                -- effective, without credentials; the ledger's name of the store
  settings jsonb not null default '{}',         -- plain settings; secrets only by reference
  tags text[] not null default '{}',
  rate_key text,
  reviewed integer not null,                    -- the incarnation whose doubts were looked at
  added_at timestamptz not null default clock_timestamp(),
  removed_at timestamptz,
  known integer not null default 1              -- since this incarnation, all that was sent is known
);
create unique index store_name on store (name) where removed_at is null;

create table lease (
  store integer primary key references store (number),
  epoch bigint not null default 0,
  holder text,                                  -- the worker; null: released
  expires timestamptz not null default '-infinity',
  released_at timestamptz not null default '-infinity',  -- last: other stores that wait go first
  takeovers bigint not null default 0,          -- how often it was taken from a holder that had not released it
  token text,                                   -- is also noted outside the database, so that an older copy in its place is noticed
  token_before text,                            -- still noted if a process ended between the database and the note
  token_in integer                              -- the incarnation in which it was replaced last
);

create table review (                           -- stores whose records were adopted since the database was restored
  store integer not null references store (number),
  resource text not null,
  incarnation integer not null,                 -- in which its records were adopted
  complete boolean not null,                    -- a list of the store had all of them, as records show that are surely there
  primary key (store, resource)
);

create table run (
  number integer generated always as identity primary key,
  id text not null unique,
  state text not null check (state in ('running', 'done', 'stopped')),
  command text not null,
  whole boolean not null default false,
  stop_reason text,
  stop_message text,
  resource text not null,
  mode text not null,
  store text not null,                          -- base URL
  remembered boolean not null,
  mapping_name text not null,
  mapping_digest text not null,
  files text not null,                          -- JSON as text, with its escapes: jsonb refuses U+0000
  header text not null,
  options text not null,
  out text not null,
  version text not null,
  not_read integer,
  started_at bigint not null,
  finished_at bigint,
  worked_ms bigint not null default 0,
  activity text,
  identified boolean not null default false,
  epoch bigint not null default 0,              -- of the lease under which it last wrote
  fold integer not null default 0,              -- the fold of the log that is being written
  doubts_until timestamptz,                     -- until then, the process that left its doubts may still send them
  doubts_of text[] not null default '{}'        -- workers that left them and may live
);
create index run_at_store on run (store, resource);

create table log (
  run integer not null,                         -- no reference: it would be locked with each commit
  fold integer not null,
  entry integer not null,
  epoch bigint not null,                        -- of the lease
  at timestamptz not null default clock_timestamp(),
  body bytea not null,                          -- as in the log of a home
  primary key (run, fold, entry)
);

create table intents (                          -- open when the fold of the tables began
  run integer primary key,
  entries text not null
);

create table shape (
  number integer generated always as identity primary key,
  fields text not null unique
);

create table record (
  run integer not null,
  seq integer not null,
  row integer not null,
  file integer,
  key text not null,
  outcome text not null,
  id text,
  http_status integer,
  attempts integer not null,
  duration_ms integer not null,
  code text,
  field text,
  message text,
  shape integer,
  digests text,
  primary key (run, seq)
);
create index record_open on record (run, row)
  where outcome in ('invalid', 'rejected', 'failed', 'unsent', 'in-doubt');
create index record_in_doubt on record (run) where outcome = 'in-doubt';

create table kept (
  run integer not null,
  seq integer not null,
  rows text not null,
  kinds text,
  primary key (run, seq)
);

create table mark (
  run integer not null,
  seq integer not null,
  file integer not null,
  at bigint not null,
  row integer not null,
  line integer not null,
  primary key (run, seq)
);

create table sequel (
  run integer not null,
  seq integer not null,
  by_run integer not null,
  by_seq integer not null,
  primary key (run, seq)
);
create index sequel_by on sequel (by_run, by_seq);

create table target (
  number integer generated always as identity primary key,
  store text not null,
  resource text not null,
  unique (store, resource)
);

create table identity (
  target integer not null,
  key text collate "C" not null,
  run integer not null,
  seq integer not null,
  primary key (target, key)
);

create table trash (
  target integer not null,
  id text not null,
  run integer not null,
  seq integer not null,
  primary key (target, id)
);

create table doubt (                            -- a create without an outcome when its lease was taken over
  run integer not null,
  seq integer not null,
  epoch bigint not null,                        -- of the lease under which its intent was written
  primary key (run, seq)
);

create table rest (                             -- updates of these keys may still arrive from a lost holder
  store integer not null references store (number),
  key text not null,
  until timestamptz not null,
  primary key (store, key)
);

create table late_answer (                      -- what a process learned after it had lost its lease: evidence
  run integer not null,
  seq integer not null,
  epoch bigint not null,
  answer text not null,                         -- the outcome as JSON
  at timestamptz not null default clock_timestamp(),
  primary key (run, seq, epoch)
);

create table schedule (
  number integer generated always as identity primary key,
  name text not null unique,
  cron text not null,
  zone text not null default 'UTC',
  spread_s integer not null default 0,          -- each store begins at a moment of its own within this many seconds
  stores text not null,                         -- which stores: all, a name, or tag:NAME
  command text not null check (command in ('import', 'export')),
  resource text not null,
  options jsonb not null,
  is_paused boolean not null default false,
  since timestamptz not null default clock_timestamp(),   -- earlier slots are left out: it was added then, or ended a pause
  last_slot timestamptz,                        -- the latest that has tasks
  added_at timestamptz not null default clock_timestamp(),
  trouble text,                                 -- why it could not make the tasks of its latest slot
  trouble_at timestamptz
);

create table task (                             -- one command for one store; an import has the id of its run
  number bigint generated always as identity primary key,
  id text not null unique,
  store integer not null references store (number),
  schedule integer references schedule (number) on delete set null,
  slot timestamptz,                             -- the moment of the schedule that it is for
  command text not null check (command in ('import', 'export')),
  resource text not null,
  options jsonb not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'stopped')),
  next text not null default 'begin' check (next in ('begin', 'resume', 'retry')),
  not_before timestamptz not null default clock_timestamp(),
  stop_wanted boolean not null default false,
  epoch bigint,                                 -- of the lease under which it runs, or ran last
  lost integer not null default 0,              -- leases in a row that ended in the middle of it
  exit_code integer,
  stop_reason text,
  stop_message text,                            -- masked
  summary jsonb,
  added_at timestamptz not null default clock_timestamp(),
  queued_at timestamptz not null default clock_timestamp(),   -- last
  started_at timestamptz,
  finished_at timestamptz,
  begun_by text,                                -- the worker under whose lease it runs, or ran last
  lost_to text[] not null default '{}',         -- workers counted in lost that gave no sign of life since
  settled bigint not null default 0,            -- records that were settled when a worker was gone last
  unique (schedule, slot, store)
);
create index task_due on task (store, not_before, number) where state = 'queued';
create index task_running on task (store) where state = 'running';
create index task_stopped on task (store) where state = 'stopped';
create index task_ended on task (finished_at) where state in ('done', 'stopped');
create index task_latest on task (number desc, state);
create index task_lost on task (number) where lost > 0;

create table artifact (                         -- the manifest: a file that counts. Written last, under the lease
  task bigint not null references task (number),
  name text not null,
  location text not null,                       -- path under the folder, or key in the bucket; has task and epoch in it
  epoch bigint not null,
  bytes bigint not null,
  sha256 text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (task, name)
);

create table rate (                             -- one limit for all stores that share a rate_key
  key text primary key,
  per_second double precision not null,
  next_at timestamptz not null default '-infinity'   -- when the next request that nobody has leased may be sent
);

create table worker (
  id text primary key,
  host text not null,
  version text not null,
  schema_version integer not null,              -- that it knows
  slots integer not null,
  started_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  draining boolean not null default false,
  commits jsonb,                                -- how long its commits took, as the worker counts them
  sources text[]                                -- folders that it reads; null: any that its user can read
);

create table row_key (                          -- keys of encrypted source rows. Their secrets are beside the files of tasks
  number integer generated always as identity primary key,   -- the last one that is not lost encrypts
  id text not null unique,                      -- derived from the secret; rows begin with it
  made_at timestamptz not null default clock_timestamp(),
  is_lost boolean not null default false        -- a user said so: its rows are not read any more
);
`;

/** In order; append only. */
export const SCHEMA_STEPS: readonly SchemaStep[] = [{ script: SCHEMA, minVersion: FIRST_SCHEMA }];
