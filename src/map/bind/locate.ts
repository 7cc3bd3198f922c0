import { type Origin, originOf, type Row, type SourceRecord } from '../../model/index.ts';
import type { Trace } from '../evaluate/eval-context.ts';
import type { Mapping } from '../mapping.ts';
import { columnsFor } from '../rows/used-columns.ts';
import { NO_LOOKUPS } from '../steps/index.ts';
import type { CompleteOptions } from './complete-options.ts';
import type { RowView } from './row-view.ts';

/** Locates the value of a payload field, such as `images.2.src`, in the file: the cell it was or would be read from. */
export type Locate = (
  record: SourceRecord,
  field: string,
) => { readonly column?: string; readonly origin?: Origin };

/** A value of a payload with the cell that it was read from, as the mapping sees the row. */
export interface ReadCell {
  /** Such as `['images', '2', 'src']`. */
  readonly path: readonly string[];
  readonly row: Row;
  readonly column: number;
}

export interface Locator {
  readonly locate: Locate;
  /** Every cell that a value was read from. */
  cellsOf(record: SourceRecord): ReadCell[];
}

/**
 * Builds a record a second time and records the cell of each value. Only records with issues pay for this, and only
 * once however many issues they have.
 */
export function locator(
  { fields, isNativeJson, imageBase }: Mapping,
  { header, find, rowsOf, build }: RowView,
  completeOptions?: CompleteOptions,
): Locator {
  let last: { readonly record: SourceRecord; readonly trace: Trace } | undefined;
  const traceOf = (record: SourceRecord, row: Row): Trace => {
    if (last?.record === record) return last.trace;
    const rows = rowsOf(record.rows);
    const trace: Trace = { places: new Map(), numbers: new Map() };
    const beginning = { rows, row: rows[0] ?? row, prefix: '', at: { row, column: 0 } };
    const lookups = { ...NO_LOOKUPS, imageBase };
    const payload = build({ issues: [], blanks: [], lookups, warnings: undefined, trace, ...beginning });
    moveOptions(trace, payload && completeOptions?.(payload));
    last = { record, trace };
    return trace;
  };
  const columnToFill = (path: readonly string[]): string | undefined => {
    const positions = columnsFor(fields, path).map((name) => find(name));
    return header[positions.find((position) => position !== undefined) ?? -1];
  };

  const locate: Locate = (record, field) => {
    const [lead] = record.rows;
    if (!lead) return {};
    const { places, numbers } = traceOf(record, lead);
    const path: string[] = [];
    let place: { readonly row: Row; readonly column?: number } = { row: lead };
    for (const step of field.split('.')) {
      path.push(numbers.get(path.join('.'))?.[Number(step)] ?? step);
      place = places.get(path.join('.')) ?? place;
    }
    // In an object that is a payload already, the name of the field is its place.
    const own = isNativeJson ? field : undefined;
    const column = place.column === undefined ? (columnToFill(path) ?? own) : header[place.column];
    return { ...(column === undefined ? {} : { column }), origin: originOf(place.row) };
  };

  /** Replaces numbers of columns by positions in the list, as they are after gaps are closed. */
  const pathIn = (numbers: Trace['numbers'], path: string): string[] => {
    const steps = path.split('.');
    if (numbers.size === 0) return steps;
    let above = '';
    return steps.map((step) => {
      const known = numbers.get(above);
      above = above === '' ? step : `${above}.${step}`;
      return known ? String(known.indexOf(step)) : step;
    });
  };

  return {
    locate,
    cellsOf(record) {
      const [lead] = record.rows;
      if (!lead) return [];
      const { places, numbers } = traceOf(record, lead);
      const cells: ReadCell[] = [];
      for (const [path, { row, column }] of places)
        if (column !== undefined) cells.push({ path: pathIn(numbers, path), row, column });
      return cells;
    },
  };
}

/** Moves the places of options to the fields in which the payload has them. */
function moveOptions({ places, numbers }: Trace, moved: ReturnType<CompleteOptions>): void {
  if (!moved) return;
  const known = numbers.get('variants');
  const movesOf = new Map([...moved].map(([at, moves]) => [known?.[at] ?? String(at), moves]));
  const found = [...places].flatMap(([path, place]) => {
    const [list, item = '', field = '', ...rest] = path.split('.');
    const to = list === 'variants' ? movesOf.get(item)?.get(field) : undefined;
    return to === undefined ? [] : [{ path, to: [list, item, to, ...rest].join('.'), place }];
  });
  for (const { path } of found) places.delete(path);
  for (const { to, place } of found) places.set(to, place);
}
