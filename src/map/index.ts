export { bind, type FileBinding, type Mapped } from './bind/bind.ts';
export type { Disagreement } from './bind/disagreements.ts';
export { columnsByField } from './bind/field-columns.ts';
export { createRecordChecks } from './checks/record-checks.ts';
export { didYouMean } from './did-you-mean.ts';
export { editMapping, type MappingChange, rulesIn } from './edit/edit-mapping.ts';
export { ruleText } from './edit/entry-text.ts';
export { type RuleForm, ruleKind, ruleOf } from './edit/rule-form.ts';
export { type Cells, compileColumn, type ItemEvaluator } from './evaluate/compile-column.ts';
export { type ExportMapping, fieldsLeftOut, shownPaths } from './export-mapping.ts';
export type { Mapping, SourceRules } from './mapping.ts';
export {
  loadPreset,
  mappingAgain,
  mappingText,
  namedExportMapping,
  namedMapping,
  parseAnyMapping,
  presetNames,
} from './presets/load.ts';
export { type MissedColumns, missedColumns, type SampledColumn } from './presets/missed-columns.ts';
export { NATIVE } from './presets/native.ts';
export { platformOf, presetsByPlatform } from './presets/platforms.ts';
export { presetIndex } from './presets/preset-index.ts';
export { readsTable, recogniseJoined, recogniseMapping } from './presets/recognise.ts';
export { withConstants } from './presets/set-option.ts';
export { fold } from './rows/columns.ts';
export { hasIdColumn, ID_COLUMN, KEY_COLUMN } from './rows/own-columns.ts';
export { runIn } from './rows/report-columns.ts';
export { columnsIn } from './rows/used-columns.ts';
export { BOOLEAN_WORDS } from './steps/boolean.ts';
export { holdsAddress, withImageBase } from './steps/formats/whole-address.ts';
export {
  type Apply,
  type LookupResolver,
  type LookupResult,
  type LookupTable,
  STEPS,
} from './steps/index.ts';
export { type NumberArgs, numberSigns } from './steps/number.ts';
export { parseMapping } from './syntax/parse.ts';
export { parseExportMapping } from './syntax/parse-export.ts';
export { writtenReading } from './syntax/parse-reading.ts';
