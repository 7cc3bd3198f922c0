export { runClean } from './clean/clean.ts';
export type { CleanSummary } from './clean/summary.ts';
export { runExport } from './export/export.ts';
export { fileName, nameParts } from './export/file-name.ts';
export type { ExportOptions, ExportSummary } from './export/options.ts';
export { type AdoptOptions, runAdopt } from './import/adopt.ts';
export { runImport } from './import/import.ts';
export { resumeRun } from './import/resume.ts';
export { RETRYABLE_OUTCOMES, retryRun } from './import/retry.ts';
export { type ToUndo, undoRun } from './import/undo.ts';
export { type NamedStore, runValidate } from './import/validate.ts';
export type { FormatOptions, ImportInputs } from './inputs/inputs.ts';
export { openInputs } from './inputs/open-inputs.ts';
export type { ShownIssue, ShownRecord } from './prepare/preview.ts';
export { answersIn } from './reconcile/answers.ts';
export { askStore } from './reconcile/ask.ts';
export {
  type Doubtful,
  doubtIn,
  type Finding,
  type OpenDoubts,
  resolveRun,
  select,
} from './reconcile/resolve.ts';
export type { CanaryRecord } from './run/canary.ts';
export type { StoreTarget } from './run/context.ts';
export type { ImportOptions, Watcher } from './run/options.ts';
export { type CommandFiles, filesRead } from './run/own-files.ts';
export { type ListedRun, listRuns, rewriteReports, runNamed, type ShownRun, showRun } from './run/runs.ts';
export { type AskPerson, runSuggest, type SuggestedMapping } from './suggest/suggest.ts';
export type { Progress } from './summary/progress.ts';
