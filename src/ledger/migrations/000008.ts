/** The file of a record: its index in run.files. Null if the run has one file. */
export default `
alter table record add column file integer;
`;
