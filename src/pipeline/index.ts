export type { CanaryRecord } from './canary.ts';
export { type ExportOptions, type ExportSummary, runExport } from './export.ts';
export {
  type Delivering,
  type ImportOptions,
  type Progress,
  runImport,
  runValidate,
  type Watcher,
} from './import.ts';
export { type Inputs, openInputs } from './sources.ts';
export type { Problem, Summary } from './summary.ts';
