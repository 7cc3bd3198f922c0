export type { CanaryRecord } from './canary.ts';
export { type ExportOptions, type ExportSummary, runExport } from './export.ts';
export { type Delivering, runImport } from './import.ts';
export type { ImportOptions, Progress, Watcher } from './run.ts';
export { type Inputs, openInputs } from './sources.ts';
export type { Summary } from './summary.ts';
export { runValidate } from './validate.ts';
