/** From now on an entry of a log has several lines, which an earlier version would not read. */
export default `
-- no table changes
`;
