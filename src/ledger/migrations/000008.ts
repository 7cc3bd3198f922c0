/** Which file a record stands in: its position in run.files. Null where the run has one. */
export default `
alter table record add column file integer;
`;
