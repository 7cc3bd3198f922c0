/** What somebody has to look at: tasks that stopped and were not dismissed, and schedules that could not fire. */
export default `
alter table task add column dismissed_at timestamptz;     -- counts until it is queued again: a later stop is after it
create index task_open on task (store)
  where state = 'stopped' and (dismissed_at is null or dismissed_at < finished_at);

alter table schedule add column trouble text;   -- why it could not make the tasks of its latest slot
alter table schedule add column trouble_at timestamptz;
`;
