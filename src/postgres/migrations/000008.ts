/** The folders that a worker reads, so that work on other files is refused when it is added. */
export default `
alter table worker add column sources text[];   -- null: any that its user can read
`;
