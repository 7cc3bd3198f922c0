/** Work of a fleet: what is to be done at which store, when, and how fast. */
export default `
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
  last_slot timestamptz,                        -- the latest for which there are tasks
  added_at timestamptz not null default clock_timestamp()
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
  unique (schedule, slot, store)
);
create index task_due on task (store, not_before, number) where state = 'queued';
create index task_running on task (store) where state = 'running';
create index task_stopped on task (store) where state = 'stopped';
create index task_ended on task (finished_at) where state in ('done', 'stopped');
create index task_latest on task (number desc, state);

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
  commits jsonb                                 -- how long its commits took, as the worker counts them
);
`;
