export { FOUND_COLUMN, RESULT_COLUMNS, RETURN_COLUMNS, returnLine, sourceColumns } from './columns.ts';
export { openReports, REPORT_FILES, type Reports, type ReportsOptions } from './reports.ts';
