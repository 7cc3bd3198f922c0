export { type Binding, bind, columnsIn, type Mapped } from './bind.ts';
export { group } from './group.ts';
export type { Mapping } from './mapping.ts';
export { ID_COLUMN } from './native.ts';
export { didYouMean } from './nearest.ts';
export { parseMapping } from './parse.ts';
export { loadPreset, mappingText, namedMapping, presetNames, recogniseMapping } from './presets.ts';
