/** Keys of encrypted source rows. Their secrets are beside the files of tasks, never here. */
export default `
create table row_key (
  number integer generated always as identity primary key,   -- the last one that is not lost encrypts
  id text not null unique,                      -- derived from the secret; rows begin with it
  made_at timestamptz not null default clock_timestamp(),
  is_lost boolean not null default false        -- a user said so: its rows are not read any more
);
`;
