export { type UnseenFields, unseenFields } from './columns.ts';
export { chosenColumns, filterQuery, nativeColumns } from './query.ts';
