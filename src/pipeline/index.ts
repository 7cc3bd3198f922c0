export type { ImageExample, ImageProgress } from '../images/index.ts';
export { type KnownRun, lockPage } from '../ledger/index.ts';
export { type FormatOptions, refuseUnknownEncoding, settingsOf as readSettings } from '../read/index.ts';
export { runClean } from './clean/clean.ts';
export type { CleanSummary } from './clean/summary.ts';
export { tableColumns } from './export/columns.ts';
export { runExport } from './export/export.ts';
export { fileName, nameParts } from './export/file-name.ts';
export { type ListJob, listJob } from './export/job.ts';
export type { ExportOptions, ExportSummary } from './export/options.ts';
export { type ListReading, readList } from './export/read-list.ts';
export type { ListSummary } from './export/totals.ts';
export { type AdoptOptions, runAdopt } from './import/adopt.ts';
export { runImport } from './import/import.ts';
export { resumeRun } from './import/resume.ts';
export { RETRYABLE_OUTCOMES, retryRun } from './import/retry.ts';
export { type ToUndo, undoRun } from './import/undo.ts';
export { type NamedStore, runValidate } from './import/validate.ts';
export type { ImportInputs, SourceOptions } from './inputs/inputs.ts';
export { openInputs } from './inputs/open-inputs.ts';
export { type ConnectStep, runMigration } from './migrate/migrate.ts';
export type {
  MigrationOptions,
  MigrationPhase,
  MigrationStep,
  MigrationWatcher,
} from './migrate/options.ts';
export { type MigrationToUndo, undoMigration } from './migrate/undo.ts';
export type { OwnRules } from './prepare/options.ts';
export type { ShownIssue, ShownRecord } from './prepare/preview.ts';
export { type Previewed, type PreviewedRecord, previewRecords } from './preview/preview-records.ts';
export {
  type KeptRunLine,
  type PrunedRunLine,
  type PruneSummary,
  pruneRuns,
} from './prune/prune-runs.ts';
export { answersIn } from './reconcile/answers.ts';
export { type AnswerByName, findingsByName, refuseWrongIds } from './reconcile/answers-by-name.ts';
export { askStore } from './reconcile/ask.ts';
export {
  type AskedStore,
  type ListedItem,
  readCalibratedList,
  sureRecords,
} from './reconcile/calibrated-list.ts';
export { type Doubtful, doubtIn, type Finding, type OpenDoubts, select } from './reconcile/doubts.ts';
export { type RecordedFindings, recordFindings } from './reconcile/record-findings.ts';
export { type Resolved, resolveRun } from './reconcile/resolve.ts';
export { type NotedActivity, noteActivity } from './run/activity.ts';
export type { CanaryRecord } from './run/canary.ts';
export type { StoreTarget } from './run/context.ts';
export { type DescribedRun, describeRun } from './run/described-run.ts';
export type { ImportOptions, Watcher } from './run/options.ts';
export { type CommandFiles, filesRead } from './run/own-files.ts';
export { refusePruned } from './run/pruned.ts';
export { rewriteRunReports, summaryOf } from './run/reports.ts';
export {
  openReturnedOf,
  type ReturnedOfRun,
  type ReturnedResult,
  type ReturnedState,
  returnedState,
  writeCorrectedRows,
} from './run/returned-rows.ts';
export {
  type ListedRun,
  listRuns,
  rewriteReports,
  runIds,
  runNamed,
  runsFrom,
  type ShownRun,
  showRun,
} from './run/runs.ts';
export type { Progress } from './summary/progress.ts';
export { causeKey } from './summary/statistics.ts';
export type { ExitCodeOf } from './summary/summary.ts';
