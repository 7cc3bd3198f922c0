import { hasIdColumn, ID_COLUMN, KEY_COLUMN } from '../../map/index.ts';
import {
  ConfigError,
  firstOfShared,
  isOwnColumn,
  type JsonObject,
  leadRowNumber,
  type PlannedRecord,
} from '../../model/index.ts';
import { returnTable } from '../../report/index.ts';
import { fieldType, leafPaths, type Resource } from '../../resources/index.ts';
import {
  type CsvForm,
  itemsText,
  pathColumn,
  rowsText,
  type TableFormat,
  type TableOptions,
  type TableText,
} from '../../write/index.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import { overlap } from '../inputs/warnings.ts';
import { rowAsRead } from './clean-rows.ts';

/** Plain data, which another thread can take. */
export interface CleanTextOptions extends Pick<TableOptions, 'raw'> {
  /** Form of CSV files. Default of the delimiter: a comma, or that of the source if its columns are kept. */
  readonly csv?: CsvForm | undefined;
  /** The same for the rows of rejected records. */
  readonly rejectsCsv?: CsvForm | undefined;
  readonly format: TableFormat;
  /** Writes the source's own columns in place of the native form. */
  readonly keepColumns: boolean;
}

/** Rows of rejected records as text. Their column for surplus cells is needed only if a row has some. */
export interface Rejected {
  readonly long: string;
  /** Without that column; undefined if a row needs it. */
  readonly short: string | undefined;
}

/** The text of the file of rejects, in both forms. */
export interface RejectsText {
  readonly long: TableText<readonly string[]>;
  readonly short: TableText<readonly string[]>;
  of(records: readonly PlannedRecord[]): Rejected;
}

/** The texts of the files that a clean-up writes. */
export interface CleanTexts {
  /** Of valid records. */
  readonly clean: TableText<PlannedRecord>;
  /** Of the rows of all others. */
  readonly rejects: RejectsText;
}

/** `run`: identifier of the clean-up in the file of rejects. Throws ConfigError if columns cannot be kept. */
export function cleanTexts(
  inputs: ImportInputs,
  resource: Resource,
  run: string,
  options: CleanTextOptions,
): CleanTexts {
  const clean = options.keepColumns ? keptText(inputs, options) : nativeText(inputs, resource, options);
  return { clean, rejects: rejectsText(inputs, run, options) };
}

/** Payloads in the native form, with a column for each field that the files can fill. */
function nativeText(
  inputs: ImportInputs,
  resource: Resource,
  { format, raw, csv }: CleanTextOptions,
): TableText<PlannedRecord> {
  const about = aboutColumns(inputs);
  const given = inputs.files.flatMap(({ binding }) => binding.fillablePaths);
  const leaves = leafPaths(fieldType(resource.schema)).filter(
    (leaf) => inputs.mapping.isNativeJson || given.some((path) => overlap(path, leaf.split('.'))),
  );
  const columns = [...about.keys(), ...leaves].map(pathColumn);
  const text = itemsText({ format, columns, raw, ...csv });
  const itemOf = (planned: PlannedRecord): JsonObject => {
    const item: JsonObject = {};
    for (const [name, read] of about) {
      const cell = read(planned);
      if (cell !== '') item[name] = cell;
    }
    return Object.assign(item, planned.operation?.payload);
  };
  return { ...text, of: (records) => text.of(records.map(itemOf)) };
}

/** The columns for identifier and key, which are no part of the payload, if the files have them. */
function aboutColumns({ files }: ImportInputs): Map<string, (planned: PlannedRecord) => string> {
  const about = new Map<string, (planned: PlannedRecord) => string>();
  if (files.some(({ source }) => hasIdColumn(source.table)))
    about.set(ID_COLUMN, ({ operation }) => (operation?.kind === 'update' ? operation.id : ''));
  if (files.some(({ binding }) => binding.keyColumn !== undefined)) about.set(KEY_COLUMN, ({ key }) => key);
  return about;
}

/** The source's rows with clean cells and the same delimiter. Columns that an earlier report added are left out. */
function keptText(
  { header, files }: ImportInputs,
  { format, raw, csv }: CleanTextOptions,
): TableText<PlannedRecord> {
  if (format !== 'csv')
    throw new ConfigError('--keep-columns writes the columns of the source, which is CSV.', [
      'Leave out --format, or give --out a name that ends in .csv.',
    ]);
  const columns = header.flatMap((name, index) => (isOwnColumn(name) ? [] : [index]));
  const isFirst = firstOfShared();
  const text = rowsText(
    columns.map((index) => header[index] ?? ''),
    { raw, areCells: true, delimiter: files[0]?.source.reading().delimiter, ...csv },
  );
  const linesOf = ({ record }: PlannedRecord) =>
    record.rows.filter(isFirst).map(({ cells }) => columns.map((index) => cells[index] ?? ''));
  return { ...text, of: (records) => text.of(records.flatMap(linesOf)) };
}

/** The rows of rejected records as they were read, with the reasons. */
function rejectsText(
  { header }: ImportInputs,
  run: string,
  { rejectsCsv: csv }: CleanTextOptions,
): RejectsText {
  const returned = returnTable(header);
  const long = rowsText(returned.header, { areCells: true, ...csv });
  const short = rowsText(returned.header.slice(0, -1), { areCells: true, ...csv });
  const isFirst = firstOfShared();
  const linesOf = ({ record, key, outcome }: PlannedRecord): string[][] => {
    if (outcome === undefined) return [];
    const settled = { seq: record.seq, row: leadRowNumber(record), key, outcome };
    return record.rows.filter(isFirst).map((row) => returned.line(run, rowAsRead(row), settled));
  };
  return {
    ...{ long, short },
    of(records) {
      const lines = records.flatMap(linesOf);
      const needsLong = lines.some((cells) => cells.at(-1) !== '');
      return {
        long: long.of(lines),
        short: needsLong ? undefined : short.of(lines.map((cells) => cells.slice(0, -1))),
      };
    },
  };
}
