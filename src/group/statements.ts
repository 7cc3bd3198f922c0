/**
 * `home` is the key if a row shares one with others, otherwise the number of the row that it is part of, mostly its
 * own. A text never equals a number here, so a key of digits is not mistaken for a row.
 *
 * `name` has the names of rows that do not say that they are part of another. The names of the others are a list in
 * `part.names`, since they are seldom needed.
 */
export const TABLES = `
create table row (number integer primary key, home, packed text not null);
create table name (name text not null, number integer not null);
create table part (number integer primary key, name text not null, field text, names text not null, is_own integer not null);
create table claim (number integer not null, name text not null, field text);
`;

/** Collects the rows of a part that belongs to other records besides its home. */
const SHARED = `
create table shared (home integer not null, number integer not null);
insert into shared
  select distinct claimed.parent, row.number
  from taken join claimed using (child) join row on row.home = taken.child
  where taken.parents > 1 and claimed.parent <> taken.parent;
`;

const PART_OF_TWO = `
insert into issue
  select claimed.parent, 'part-of-two', name, field,
    (select min(other.parent) from claimed other where other.child = taken.child and other.parent <> claimed.parent)
  from claimed join taken using (child) where taken.parents > 1;
`;

/**
 * Resolves all references at once, after the last row: looking up each name as it is added takes five times as long.
 */
export const RESOLVE = {
  /** `shares`: a row may be part of several others, as a mapping says with `shared`. */
  links: (shares: boolean) => `
-- If rows share a name, it refers to the first that is not a part of another, or else to the first part. The others
-- become duplicates by their keys.
create index name_name on name (name);
create table known (name text primary key, number integer not null, is_part integer not null) without rowid;
insert into known select name, min(number), 0 from name group by name;
create table wanted (name text primary key) without rowid;
insert or ignore into wanted select name from part where name not in (select name from known);
insert or ignore into wanted select name from claim where name not in (select name from known);
insert into known
  select own.value, min(part.number), 1 from part, json_each(part.names) own
  where exists (select 1 from wanted) and own.value in (select name from wanted) group by own.value;
create table issue (number integer not null, kind text not null, name text not null, field text, other integer);

-- Resolve rows that name the row they are part of.
update row set home = known.number
  from part join known using (name) where part.number = row.number and not (part.is_own and known.is_part);
insert into issue
  select part.number, iif(known.number is null, 'no-parent', 'own-name'), name, field, null
  from part left join known using (name)
  where name in (select name from wanted) and (known.number is null or part.is_own);

-- The named row may be a part itself. Follow each such chain once, from its end; a circle has no end.
create table chain (number integer primary key, parent integer not null);
insert into chain
  select part.number, known.number from part join known using (name)
  where name in (select name from wanted) and not part.is_own;
create index chain_parent on chain (parent);
create table ended (number integer primary key, home integer not null);
insert into ended
  with recursive along (number, home) as (
    select chain.number, row.home from chain join row on row.number = chain.parent
      where chain.parent not in (select number from chain)
    union all
    select chain.number, along.home from along join chain on chain.parent = along.number
  )
  select number, home from along;
update row set home = ended.home from ended where ended.number = row.number;
update row set home = number
  where number in (select number from chain) and number not in (select number from ended);
insert into issue
  select number, 'circle', name, field, null from chain join part using (number)
  where number not in (select number from ended);

-- Resolve rows that name their parts; the parts of a claimed row move with it. Claims that the part itself confirms,
-- and claims of a row on itself, need no resolution.
create table claimed as
  select row.home as parent, claim.number as by, claim.name, claim.field, known.number as child,
    coalesce(known.is_part, 0) as is_part
  from claim join row using (number) left join known using (name);
delete from claimed
  where child = by or is_part and parent = (select home from row where row.number = claimed.child);
create index claimed_child on claimed (child);
create index claimed_parent on claimed (parent);
create table taken (child integer primary key, parent integer not null, parents integer not null);
insert into taken
  select child, min(parent), count(distinct parent) from claimed
  where child is not null and not is_part and child <> parent and child not in (select parent from claimed)
  group by child;
${shares ? SHARED : ''}
update row set home = (select parent from taken where child = row.home) where home in (select child from taken);
insert into issue select parent, 'no-part', name, field, null from claimed where child is null;
insert into issue select parent, 'part-of-part', name, field, by from claimed where child = parent;
insert into issue
  select parent, 'part-with-parts', name, field, child from claimed
  where child <> parent and not is_part and child in (select parent from claimed);
${shares ? '' : PART_OF_TWO}
insert into issue select distinct parent, 'part-elsewhere', name, field, child from claimed where is_part;
insert into issue
  select distinct row.home, 'part-of-two', name, null, claimed.parent
  from claimed join row on row.number = claimed.child
  where claimed.is_part and row.home <> row.number;
create index issue_number on issue (number);
`,
  records: `
create index row_home on row (home);
create table record (first integer primary key, home);
insert into record select min(number), home from row group by home;
`,
  asAdded: `
select packed from row order by number
`,
  inOrder: `
select row.number, row.home, row.packed, 0 as shared from record join row on row.home = record.home
order by record.first, row.number
`,
  /** The order of rows that are in several records: sorted by numbers alone, without the rows themselves. */
  members: `
create table member (place integer primary key, number integer not null, home integer not null, shared integer not null);
insert into member (number, home, shared)
  with each (number, home, shared) as (
    select number, home, number in (select number from shared) from row
    union all select number, home, 1 from shared
  )
  select number, home, shared from record join each using (home) order by first, number;
`,
  membersInOrder: `
select number, member.home, row.packed, shared from member join row using (number) order by place
`,
  issues: `
select issue.number, kind, name, field, other.packed as other
from record join issue on issue.number = record.home left join row other on other.number = issue.other
order by record.first, issue.rowid
`,
} as const;
