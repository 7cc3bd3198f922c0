import { join } from 'node:path';
import { unlink } from '../model/files/fs.ts';
import { RunStopped } from '../model/index.ts';
import {
  type CellMark,
  type CsvForm,
  type CsvTextOptions,
  type MarkedRow,
  openTableText,
  openTwoForms,
  openWorkbook,
  rowsText,
  SHEET_LIMITS,
} from '../write/index.ts';
import { REPORT_FILES, type ReportFormat, WORKBOOK_FILES } from './format.ts';

/** A report of rows that were gathered in batches. */
export interface RowsReport<T> {
  push(item: T): void;
  full(): boolean;
  drain(): Promise<void>;
  commit(): Promise<void>;
  abort(): Promise<void>;
}

/** Rows that are formatted together: few, see the invariant on memory in ARCHITECTURE.md. */
const BATCH = 50;
/** Cells that are formatted together: a sheet may have 16,384 columns. */
const MAX_BATCH_CELLS = 50_000;

/** A report of rows, which are pushed as cells or appended as text. */
export interface CsvReport extends RowsReport<readonly string[]> {
  /** Appends whole lines. To be awaited. */
  append(lines: string): Promise<void>;
}

/** Opens a CSV report. */
export async function openCsvReport(
  path: string,
  columns: readonly string[],
  { areCells, delimiter, bom }: CsvForm & Pick<CsvTextOptions, 'areCells'>,
): Promise<CsvReport> {
  const text = rowsText(columns, { areCells, delimiter, bom });
  const sink = await openTableText(path, text);
  const report = gathered({
    write: (batch: readonly (readonly string[])[]) => sink.write(text.of(batch)),
    commit: sink.commit,
    abort: sink.abort,
    sizeOf: (cells) => cells.length,
  });
  return {
    ...report,
    async append(lines) {
      await report.drain();
      await sink.write(lines);
    },
  };
}

interface Batches<T> {
  write(batch: readonly T[]): Promise<void>;
  commit(): Promise<void>;
  abort(): Promise<void>;
  /** Cells of an item; left out, items are not measured. */
  readonly sizeOf?: (item: T) => number;
}

function gathered<T>(file: Batches<T>): RowsReport<T> {
  let items: T[] = [];
  let cells = 0;
  const drain = () => {
    const full = items;
    [items, cells] = [[], 0];
    return file.write(full);
  };
  return {
    push(item) {
      items.push(item);
      cells += file.sizeOf?.(item) ?? 0;
    },
    full: () => items.length >= BATCH || cells > MAX_BATCH_CELLS,
    drain,
    async commit() {
      await drain();
      await file.commit();
    },
    abort: () => file.abort(),
  };
}

/** A report of source rows. Takes all rows of a record at once, since an import needs them in one file. */
export interface ReturnedRows extends RowsReport<readonly MarkedRow[]> {
  /** Names of the files that have rows so far, or will be written without any. */
  files(): readonly string[];
}

export interface ReturnedRowsOptions {
  readonly folder: string;
  readonly kind: keyof typeof WORKBOOK_FILES;
  readonly columns: readonly string[];
  /** Notes at the header of a workbook. */
  readonly headerNotes: readonly CellMark[];
  /** Index of the first column that the tool adds. */
  readonly ownFrom: number;
  /** Smaller in tests. */
  readonly mostRows?: number | undefined;
}

/** Opens a report of source rows. A report in the other form, of an earlier run, is removed when this one appears. */
export async function openReturnedRows(
  format: ReportFormat,
  options: ReturnedRowsOptions,
): Promise<ReturnedRows> {
  const { kind, columns } = options;
  const isTooWide =
    columns.length > SHEET_LIMITS.columns || columns.some((name) => name.length > SHEET_LIMITS.cellLength);
  return format.errorsAs === 'csv' || isTooWide
    ? withoutOther(await openCsvRows(format, options), options, WORKBOOK_FILES[kind])
    : openWorkbookRows(format, options);
}

/** Opens a report whose last column is left out if all its cells are empty. */
export async function openSurplusRows(
  format: ReportFormat,
  options: ReturnedRowsOptions,
): Promise<ReturnedRows> {
  const columns = options.columns.slice(0, -1);
  const forms = await openTwoForms(
    () => openReturnedRows(format, options),
    () => openReturnedRows(format, { ...options, columns }),
  );
  let needsLong = false;
  const drain = async () => {
    if (needsLong) await forms.needLong();
    await forms.long.drain();
    await forms.short()?.drain();
  };
  return {
    push(rows) {
      needsLong ||= rows.some(({ cells }) => cells[columns.length] !== '');
      forms.long.push(rows);
      if (!needsLong) forms.short()?.push(rows.map((row) => ({ ...row, cells: row.cells.slice(0, -1) })));
    },
    full: () => forms.long.full(),
    drain,
    async commit() {
      await drain();
      await forms.commit();
    },
    abort: () => forms.abort(),
    files: () => (needsLong ? forms.long : (forms.short() ?? forms.long)).files(),
  };
}

async function openCsvRows(
  form: CsvForm,
  { folder, kind, columns }: ReturnedRowsOptions,
): Promise<ReturnedRows> {
  const name = REPORT_FILES[kind];
  const file = await openCsvReport(join(folder, name), columns, { ...form, areCells: true });
  return {
    ...file,
    push: (rows) => rows.forEach(({ cells }) => void file.push(cells)),
    files: () => [name],
  };
}

/** Opens a workbook. Records that do not fit into it are written to a CSV file beside it. */
async function openWorkbookRows(form: CsvForm, options: ReturnedRowsOptions): Promise<ReturnedRows> {
  const { folder, kind, columns, headerNotes, ownFrom, mostRows = SHEET_LIMITS.rows } = options;
  const sheet = kind === 'errors' ? 'errors' : 'in-doubt';
  const name = WORKBOOK_FILES[kind];
  const book = await openWorkbook(join(folder, name), { sheet, header: columns, headerNotes, ownFrom });
  let rows = 1;
  const fitting = gathered<readonly MarkedRow[]>({ ...book, write: (records) => book.write(records.flat()) });
  const beyond: (readonly MarkedRow[])[] = [];
  let csv: Promise<ReturnedRows> | undefined;
  const drainBeyond = async () => {
    csv ??= openCsvRows(form, options);
    const file = await csv;
    for (const each of beyond.splice(0)) file.push(each);
    await file.drain();
  };
  const drain = async () => {
    await fitting.drain();
    if (beyond.length > 0) await drainBeyond();
  };
  let hasBeyond = false;
  return {
    push(record) {
      if (rows + record.length <= mostRows && record.every(fits)) {
        rows += record.length;
        fitting.push(record);
      } else {
        hasBeyond = true;
        beyond.push(record);
      }
    },
    full: () => fitting.full() || beyond.length >= BATCH,
    drain,
    async commit() {
      await drain();
      await fitting.commit();
      if (csv) await (await csv).commit();
      else await removeOther(join(folder, REPORT_FILES[kind]));
    },
    async abort() {
      await fitting.abort();
      if (csv)
        await csv.then(
          (file) => file.abort(),
          () => {},
        );
    },
    files: () => (hasBeyond ? [name, REPORT_FILES[kind]] : [name]),
  };
}

function fits({ cells }: MarkedRow): boolean {
  return cells.every((cell) => cell.length <= SHEET_LIMITS.cellLength);
}

function withoutOther(report: ReturnedRows, { folder }: ReturnedRowsOptions, other: string): ReturnedRows {
  return {
    ...report,
    async commit() {
      await report.commit();
      await removeOther(join(folder, other));
    },
  };
}

/** Removes a report of an earlier run: beside the new one it would be misleading. */
async function removeOther(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT')
      throw new RunStopped('output-failed', `${path}, of an earlier run, cannot be removed: ${message}.`);
  }
}
