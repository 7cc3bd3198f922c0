import { nativeColumns, REST_COLUMN, type Resource } from '../resources/index.ts';
import type { SourcedValue } from './mapping.ts';
import { sourceColumns } from './rows/used-columns.ts';

/** The mapping of an export after parsing and checking: what each column shows of a record of the store. */
export interface ExportMapping {
  /** File name. */
  readonly name: string;
  readonly title: string;
  readonly resource: Resource;
  readonly columns: readonly ExportColumn[];
  /** sha256 of the text. */
  readonly digest: string;
}

export interface ExportColumn {
  readonly name: string;
  /** The first that is not empty is used. Its sources and conditions name paths in the record; `*` is all of it. */
  readonly values: readonly SourcedValue[];
}

/** The paths that the columns show, each once. Paths in conditions are not shown. */
export function shownPaths({ columns }: ExportMapping): string[] {
  return [...new Set(columns.flatMap(({ values }) => values.flatMap(({ source }) => sourceColumns(source))))];
}

/** The fields of the API document that no column shows. */
export function fieldsLeftOut(mapping: ExportMapping): string[] {
  const shown = shownPaths(mapping);
  if (shown.includes(REST_COLUMN)) return [];
  const within = (path: string, outer: string) => path === outer || path.startsWith(`${outer}.`);
  return nativeColumns(mapping.resource).filter(
    (column) => !shown.some((path) => within(column, path) || within(path, column)),
  );
}
