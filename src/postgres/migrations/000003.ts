/** The place of the files of tasks, so that processes that are not given one use that of the fleet. */
export default `
alter table cluster
  add column artifacts text,                    -- a folder, or s3://bucket/prefix; null: no worker has named one yet
  add column artifacts_id text,                 -- is also in a marker file in the place
  add column artifacts_owner text,              -- identity of the database when it got the place: a copy has another one
  add column artifacts_marked boolean not null default false;   -- the marker file was written
`;
