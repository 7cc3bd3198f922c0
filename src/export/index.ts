export { REST_COLUMN, type UnseenFields, unseenFields, unseenReader } from './columns.ts';
export { fileName, type NameParts, nameParts } from './file-name.ts';
export { chosenColumns, filterQuery, nativeColumns } from './query.ts';
export { type Age, ageOf, sinceMoment } from './since.ts';
