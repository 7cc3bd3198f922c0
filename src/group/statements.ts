/**
 * `home`: of a row that shares a key with others, the key; of any other, the number of the row that it is part of,
 * mostly its own. A text never equals a number here, so a key of digits is no row.
 */
export const TABLES = `
create table row (number integer primary key, home, packed text not null);
create table name (name text not null, number integer not null);
create table part (number integer primary key, name text not null, field text);
create table claim (number integer not null, name text not null, field text);
`;

/** Done once, over all rows at once: looking each name up as it comes takes five times as long. */
export const RESOLVE = {
  kin: `
-- Of two rows with one name the first is meant; the second ends as a duplicate by its key.
create index name_name on name (name);
create table known (name text primary key, number integer not null) without rowid;
insert into known select name, min(number) from name group by name;
create table issue (number integer not null, code text not null, name text not null, field text, other integer);

-- Rows that say what they are part of.
update row set home = known.number from part join known using (name) where part.number = row.number;
insert into issue
  select part.number, 'no-parent', name, field, null from part left join known using (name) where known.number is null;

-- Rows that others say are part of them, and with these what is part of them already.
create table claimed as
  select row.home as parent, claim.name, claim.field, known.number as child
  from claim join row using (number) left join known using (name);
create index claimed_child on claimed (child);
create index claim_number on claim (number);
create table taken (child integer primary key, parent integer not null, parents integer not null);
insert into taken
  select child, min(parent), count(distinct parent) from claimed
  where child is not null and child <> parent and child not in (select number from claim)
  group by child;
update row set home = (select parent from taken where child = row.home) where home in (select child from taken);
insert into issue select parent, 'no-part', name, field, null from claimed where child is null;
insert into issue
  select parent, 'part-with-parts', name, field, child from claimed
  where child <> parent and child in (select number from claim);
insert into issue
  select claimed.parent, 'part-of-two', name, field,
    (select min(other.parent) from claimed other where other.child = taken.child and other.parent <> claimed.parent)
  from claimed join taken using (child) where taken.parents > 1;
create index issue_number on issue (number);
`,
  records: `
create index row_home on row (home);
create table record (first integer primary key, home);
insert into record select min(number), home from row group by home;
`,
  inOrder: `
select row.number, row.home, row.packed from record join row on row.home = record.home
order by record.first, row.number
`,
  issues: `
select issue.number, code, name, field, other.packed as other
from record join issue on issue.number = record.home left join row other on other.number = issue.other
order by record.first, issue.rowid
`,
} as const;
