/** Writes files that appear whole or not at all, and tables in them. */

export { type AtomicFile, openAtomicFile, syncNamesIn } from './atomic-file.ts';
export {
  type Column,
  type CsvForm,
  type CsvTextOptions,
  csvHeader,
  csvLine,
  csvText,
  pathColumn,
} from './csv-text.ts';
export { type Destination, destinationOf, openDestination } from './destination.ts';
export { formatOfName } from './format-of-name.ts';
export { removeLeftovers } from './leftovers.ts';
export { type NamedFile, refuseOverwriting } from './overwriting.ts';
export type { Sink } from './sink.ts';
export {
  itemsText,
  openRows,
  openTable,
  openTableText,
  rowsText,
  type TableFormat,
  type TableOptions,
  type TableText,
  type Writer,
} from './table.ts';
export { openTwoForms, type TwoForms } from './two-forms.ts';
export { openWorkbook } from './workbook/open-workbook.ts';
export {
  type CellMark,
  type MarkedRow,
  SHEET_LIMITS,
  type WorkbookFile,
  type WorkbookOptions,
} from './workbook/types.ts';
