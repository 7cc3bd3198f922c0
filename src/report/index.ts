export { FOUND_COLUMN, RESULT_COLUMNS, RETURN_COLUMNS, returnTable } from './columns.ts';
export { openReports, REPORT_FILES, type Reports, type ReportsOptions } from './reports.ts';
