/** What a clean-up does to cells, and the count of it. */

export { cleanCell } from './cell.ts';
export { type Change, type Changes, createChanges } from './changes.ts';
export { readingOf } from './reading.ts';
