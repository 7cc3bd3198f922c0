/** The reason for which a schedule could not fire, until it fires. */
export default `
alter table schedule
  add column trouble text,                      -- why it could not make the tasks of its latest slot
  add column trouble_at timestamptz;
`;
