/** CSV files to rows that know where they came from. */

export { type FileState, stateOf } from './digest.ts';
export type { Dialect } from './engine.ts';
export { openCsv } from './open-csv.ts';
export type { ReadOptions } from './options.ts';
export type { Source } from './source.ts';
