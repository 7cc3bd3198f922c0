export { REST_COLUMN, type UnseenFields, unseenFields, unseenReader } from './columns.ts';
export { chosenColumns, filterQuery } from './query.ts';
