export { type Binding, bind, type Mapped } from './bind.ts';
export { withConstants } from './constants.ts';
export { maskContacts } from './contacts.ts';
export type { Disagreement } from './disagreements.ts';
export { runIn } from './earlier.ts';
export { type ExportMapping, fieldsLeftOut, shownPaths } from './export-mapping.ts';
export type { Mapping } from './mapping.ts';
export { type MissedColumns, missedColumns, type SampledColumn } from './missed-columns.ts';
export { hasIdColumn, ID_COLUMN, KEY_COLUMN, NATIVE } from './native.ts';
export { didYouMean } from './nearest.ts';
export { parseMapping } from './parse.ts';
export { parseExportMapping } from './parse-export.ts';
export {
  loadPreset,
  mappingAgain,
  mappingText,
  namedExportMapping,
  namedMapping,
  parseAnyMapping,
  presetNames,
  readsTable,
  recogniseJoined,
  recogniseMapping,
} from './presets.ts';
export { type Answer, type LookupTable, type Outside, STEPS } from './steps/index.ts';
export { type Cells, type TakeItem, takeColumn } from './take-column.ts';
export { columnsIn } from './used-columns.ts';
export { withImageBase } from './whole-address.ts';
