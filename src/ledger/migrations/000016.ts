/** Paths of a run below the folder that held its home are found again if that folder is moved or copied. */
export default `
alter table run add column base text;   -- absolute path of that folder; null: the run is of an earlier version
`;
