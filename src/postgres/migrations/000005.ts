/** Which workers were gone in the middle of a task, so that those that live are not counted. */
export default `
alter table task
  add column begun_by text,                     -- the worker under whose lease it runs, or ran last
  add column lost_to text[] not null default '{}',   -- workers in \`lost\` that gave no sign of life since
  add column settled bigint not null default 0; -- records that were settled when a worker was gone last
create index task_lost on task (number) where lost > 0;
`;
