export { chosenColumns } from './chosen-columns.ts';
export { type UnseenFields, unseenFields, unseenReader } from './columns.ts';
export { fileName, type NameParts, nameParts } from './file-name.ts';
export { type Filters, type Match, readFilters } from './filters.ts';
export { type Age, ageOf, sinceMoment } from './since.ts';
