import { hasIdColumn, ID_COLUMN, KEY_COLUMN } from '../../map/index.ts';
import {
  ConfigError,
  firstOfShared,
  isOwnColumn,
  type JsonObject,
  type PlannedRecord,
} from '../../model/index.ts';
import { fieldType, leafPaths, type Resource } from '../../resources/index.ts';
import {
  type CsvForm,
  openRows,
  openTable,
  pathColumn,
  type TableFormat,
  type TableOptions,
} from '../../write/index.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import { overlap } from '../inputs/warnings.ts';

/** The output of a clean-up for valid records. */
export interface CleanTable {
  write(records: readonly PlannedRecord[]): Promise<void>;
  commit(): Promise<void>;
  abort(): Promise<void>;
}

export interface CleanTableOptions extends Pick<TableOptions, 'raw'> {
  /** Form of CSV files. Default of the delimiter: a comma, or that of the source if its columns are kept. */
  readonly csv?: CsvForm | undefined;
  /** Name of the file; undefined for standard output. */
  readonly out?: string | undefined;
  readonly format: TableFormat;
  readonly resource: Resource;
}

/** Writes payloads in the native form, with a column for each field that the files can fill. */
export async function openNative(inputs: ImportInputs, options: CleanTableOptions): Promise<CleanTable> {
  const { out, format, raw, csv, resource } = options;
  const about = aboutColumns(inputs);
  const given = inputs.files.flatMap(({ binding }) => binding.fillablePaths);
  const leaves = leafPaths(fieldType(resource.schema)).filter(
    (leaf) => inputs.mapping.isNativeJson || given.some((path) => overlap(path, leaf.split('.'))),
  );
  const columns = [...about.keys(), ...leaves].map(pathColumn);
  const table = await openTable(out ?? process.stdout, { format, columns, raw, ...csv });
  const itemOf = (planned: PlannedRecord): JsonObject => {
    const item: JsonObject = {};
    for (const [name, read] of about) {
      const text = read(planned);
      if (text !== '') item[name] = text;
    }
    return Object.assign(item, planned.operation?.payload);
  };
  return { ...table, write: (records) => table.write(records.map(itemOf)) };
}

/** The columns for identifier and key, which are no part of the payload, if the files have them. */
function aboutColumns({ files }: ImportInputs): Map<string, (planned: PlannedRecord) => string> {
  const about = new Map<string, (planned: PlannedRecord) => string>();
  if (files.some(({ source }) => hasIdColumn(source.table)))
    about.set(ID_COLUMN, ({ operation }) => (operation?.kind === 'update' ? operation.id : ''));
  if (files.some(({ binding }) => binding.keyColumn !== undefined)) about.set(KEY_COLUMN, ({ key }) => key);
  return about;
}

/**
 * Writes the source's rows with clean cells and the same delimiter. Columns that an earlier report added are left out.
 */
export async function openKept(
  inputs: ImportInputs,
  { out, format, raw, csv }: CleanTableOptions,
): Promise<CleanTable> {
  if (format !== 'csv')
    throw new ConfigError('--keep-columns writes the columns of the source, which is CSV.', [
      'Leave out --format, or give --out a name that ends in .csv.',
    ]);
  const { header } = inputs;
  const columns = header.flatMap((name, index) => (isOwnColumn(name) ? [] : [index]));
  const isFirst = firstOfShared();
  const rows = await openRows(
    out ?? process.stdout,
    columns.map((index) => header[index] ?? ''),
    { raw, delimiter: inputs.files[0]?.source.reading().delimiter, ...csv },
  );
  return {
    ...rows,
    write: (records) =>
      rows.write(
        records.flatMap(({ record }) =>
          record.rows.filter(isFirst).map(({ cells }) => columns.map((index) => cells[index] ?? '')),
        ),
      ),
  };
}
