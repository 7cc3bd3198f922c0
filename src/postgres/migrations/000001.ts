/** The ledger: as in SQLite, except for `lease`, `log` and `late_answer`. Times are milliseconds since 1970 unless timestamptz. */
export default `
create table cluster (
  one boolean primary key default true check (one),
  incarnation integer not null default 1,       -- incremented when the database was restored
  identity text,                                -- of server, table and timeline, when that was last seen
  swept_at timestamptz                          -- when files that no task has were removed last
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
  removed_at timestamptz
);
create unique index store_name on store (name) where removed_at is null;

create table lease (
  store integer primary key references store (number),
  epoch bigint not null default 0,
  holder text,                                  -- the worker; null: released
  expires timestamptz not null default '-infinity',
  released_at timestamptz not null default '-infinity',  -- last: other stores that wait go first
  takeovers bigint not null default 0           -- how often it was taken from a holder that had not released it
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
  doubts_of text[] not null default '{}'           -- workers that left them and may live
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
`;
