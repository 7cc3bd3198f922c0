/** Reads source files of any dialect into rows that know their origin. */

export { refuseUnknownEncoding } from './bytes/decode.ts';
export { type FileState, stateOf } from './bytes/digest.ts';
export { headerCures } from './header-cures.ts';
export { rowFrom, tableFrom } from './kept.ts';
export { nameOf } from './messages.ts';
export { openSource, readSource } from './open-source.ts';
export { FORMATS, type Format, type FormatOptions, type ReadOptions, settingsOf } from './options.ts';
export type { Block, BlockReader, Reread, Source } from './source.ts';
