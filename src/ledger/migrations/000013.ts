/** From now on a log may have a second file (`run.log_format` 2), which an earlier version would not read. */
export default `
-- no table changes
`;
