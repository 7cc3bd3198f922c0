export { type UnseenFields, unseenFields } from './columns.ts';
export { chosenColumns, filterQuery } from './query.ts';
