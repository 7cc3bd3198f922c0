export { type UnseenFields, unseenFields, unseenReader } from './columns.ts';
export { fileName, type NameParts, nameParts } from './file-name.ts';
export { chosenColumns, filterQuery } from './query.ts';
export { type Age, ageOf, sinceMoment } from './since.ts';
