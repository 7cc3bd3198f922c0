/** All issues of a record by kind, if it has more than one: `record` has the first. */
export default `
alter table kept add column kinds text;   -- JSON: [[code, field or null, count, example], …]
`;
