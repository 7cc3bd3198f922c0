/** Runs, intents, settled records, and the source rows to return. */
export default `
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
  started_at integer not null,  -- milliseconds since 1970, as are all times here
  finished_at integer
) strict;

create table intent (
  run integer not null references run (number),
  seq integer not null,
  row integer not null,
  key text not null,
  kind text not null check (kind in ('create', 'update')),
  rows text not null,       -- JSON: [[row, [cell, …]], …]
  at integer not null,
  primary key (run, seq)
) strict, without rowid;

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
  primary key (run, seq)
) strict, without rowid;

create table kept (
  run integer not null references run (number),
  seq integer not null,
  rows text not null,       -- as in intent
  primary key (run, seq)
) strict, without rowid;
`;
