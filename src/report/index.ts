export {
  ERROR_COLUMNS,
  FOUND_COLUMN,
  type PlanLine,
  RESULT_COLUMNS,
  type ReturnTable,
  returnTable,
} from './columns.ts';
export {
  CSV_REPORTS,
  REPORT_FILES,
  type ReportCommands,
  type ReportFormat,
  type ReportNames,
  type ReportSettings,
  reportNames,
  WORKBOOK_FILES,
} from './format.ts';
export { IMAGE_WORDS, imageText } from './image-text.ts';
export { importArguments, importWords } from './import-words.ts';
export { type FigureWords, figureWords, findingRows, listedFindings, shownNumber } from './look-text.ts';
export { migrationSteps } from './migration-steps.ts';
export type { MigrationStepSummary, MigrationStop, MigrationSummary } from './migration-summary.ts';
export { type NextStep, nextSteps } from './next-steps.ts';
export { type CleanPage, cleanPage } from './page/clean-page.ts';
export { type ExportPage, exportPage } from './page/export-page.ts';
export { migrationPage, migrationSentence } from './page/migration-page.ts';
export { hostOf, runSentence, unreadText } from './page/page.ts';
export { collectReturned } from './page/returned-records.ts';
export { openReports, type Reports, type ReportsOptions } from './reports.ts';
export { openCsvReport } from './returned-rows.ts';
export { PLAIN_REPORT_COMMANDS } from './run-commands.ts';
export { type SettledBatch, settledBatches } from './settled-batches.ts';
export type {
  NeverHeld,
  PlanSummary,
  Problem,
  ShownFormat,
  Summary,
  SummaryFile,
  UnusedColumn,
} from './summary.ts';
export { SUSPECT_ADVICE } from './suspect-advice.ts';
