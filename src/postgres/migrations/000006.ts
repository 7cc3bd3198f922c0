/** Knowledge of the records at a store since the database was restored, which comes before anything is created there. */
export default `
alter table store add column known integer not null default 1;  -- the incarnation since which all that was sent is known
update store set known = reviewed;
create table review (
  store integer not null references store (number),
  resource text not null,
  incarnation integer not null,                 -- in which its records were adopted
  complete boolean not null,                    -- a list of the store had all of them, as records show that are surely there
  primary key (store, resource)
);
`;
