import { type Origin, originOf, type Row, type SourceRecord, type Table } from '../model/index.ts';
import type { Columns } from './columns.ts';
import type { FieldRule } from './mapping.ts';
import type { Scope, Trace } from './scope.ts';
import { NOTHING_OUTSIDE } from './steps/index.ts';
import { columnsFor } from './used-columns.ts';

/** Where the value of a payload field, such as `images.2.src`, stands in the file, or should stand. */
export type Locate = (
  record: SourceRecord,
  field: string,
) => { readonly column?: string; readonly origin?: Origin };

/**
 * Builds a record once more, this time noting what is read where: only records with issues pay for knowing it, and
 * only once however many they have.
 */
export function locator(
  fields: readonly FieldRule[],
  { header }: Table,
  columns: Columns,
  build: (scope: Scope) => unknown,
): Locate {
  let last: { readonly record: SourceRecord; readonly trace: Trace } | undefined;
  const traceOf = (record: SourceRecord, row: Row): Trace => {
    if (last?.record === record) return last.trace;
    const trace: Trace = { places: new Map(), numbers: new Map() };
    build({
      ...{ rows: record.rows, row, prefix: '', at: { row, column: 0 } },
      ...{ issues: [], blanks: [], outside: NOTHING_OUTSIDE, trace },
    });
    last = { record, trace };
    return trace;
  };
  const columnToFill = (path: readonly string[]): string | undefined => {
    const positions = columnsFor(fields, path).map((name) => columns.find(name));
    return header[positions.find((position) => position !== undefined) ?? -1];
  };

  return (record, field) => {
    const [lead] = record.rows;
    if (!lead) return {};
    const { places, numbers } = traceOf(record, lead);
    const path: string[] = [];
    let place: { readonly row: Row; readonly column?: number } = { row: lead };
    for (const step of field.split('.')) {
      path.push(numbers.get(path.join('.'))?.[Number(step)] ?? step);
      place = places.get(path.join('.')) ?? place;
    }
    const column = place.column === undefined ? columnToFill(path) : header[place.column];
    return { ...(column === undefined ? {} : { column }), origin: originOf(place.row) };
  };
}
