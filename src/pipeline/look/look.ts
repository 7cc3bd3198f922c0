import { isObject, leadRowNumber, type OpenLook, type Table } from '../../model/index.ts';
import { type CheckedRecord, type WatchedNumber, watchedNumbers } from '../../plan/index.ts';
import { resourceNamed } from '../../resources/index.ts';
import { noteCurrency } from './currencies.ts';
import { lookFieldsOf } from './fields.ts';
import {
  addExtreme,
  addValue,
  createFigures,
  type Figures,
  isClose,
  mergeFigures,
  openFigures,
} from './figures.ts';
import { noteJumps } from './jumps.ts';
import { createMarks, type Marks, mergeMarks, notePayload, openMarks } from './marks.ts';

/** Figures and properties of the valid records of one file. Its size does not depend on the file. */
export interface FileLook {
  readonly figures: readonly Figures[];
  readonly numbers: readonly Figures[];
  readonly marks: Marks;
  readonly watched: readonly WatchedNumber[];
  /** Number of the last record of an earlier execution of the run, which has noted the records up to it. */
  readonly counted: number;
  records: number;
  /** Number of records that were looked at closely. */
  close: number;
  last: number;
}

/** `earlier`: the look in an earlier execution of the run. */
export function createLook(resource: string, earlier?: OpenLook): FileLook {
  const { records = 0, last = -1, close = 0 } = earlier ?? {};
  const figures = lookFieldsOf(resource).map((field) => createFigures(field, earlier?.figures[field.path]));
  return {
    figures,
    numbers: figures.filter(({ field }) => field.kind === 'number'),
    marks: createMarks(resource, earlier?.marks),
    watched: watchedNumbers(resourceNamed(resource)),
    counted: last,
    records,
    close,
    last,
  };
}

export function noteRecord(look: FileLook, { record, payload, issues, known, id }: CheckedRecord): void {
  if (record.seq <= look.counted || look.figures.length === 0) return;
  look.last = record.seq;
  if (issues.length > 0) return;
  const row = leadRowNumber(record);
  look.records++;
  for (const figures of look.numbers) {
    const value = figures.field.read(payload);
    if (typeof value === 'number') addExtreme(figures, value, row);
  }
  if (isClose(row)) {
    look.close++;
    for (const figures of look.figures) addValue(figures, figures.field.read(payload), row);
  }
  noteCurrency(look.marks, record, payload);
  notePayload(look.marks, payload, known === undefined && id === undefined, row);
  // If the file has another identifier, the known numbers belong to another record.
  if (known?.digests && (id === undefined || id === known.id))
    noteJumps(look.marks, { payload, watched: look.watched, row }, known.digests);
}

/** Adds the look at the records from `seq` on, which are numbered from 0 there. */
export function mergeLook(look: FileLook, found: OpenLook, seq: number): void {
  look.records += found.records;
  look.last = seq + found.last;
  look.close += found.close;
  for (const figures of look.figures) {
    const other = found.figures[figures.field.path];
    if (other) mergeFigures(figures, other);
  }
  mergeMarks(look.marks, found.marks);
}

export function openLook({ figures, marks, records, last, close }: FileLook): OpenLook {
  return {
    ...{ records, last, close },
    figures: Object.fromEntries(figures.map((each) => [each.field.path, openFigures(each)])),
    marks: openMarks(marks),
  };
}

/** Notes records in the look of the file that has their first row. */
export function looksNoter(
  files: readonly { readonly source: { readonly table: Table }; readonly look: FileLook }[],
): (checked: readonly CheckedRecord[]) => void {
  const byTable = new Map<Table, FileLook>(files.map(({ source, look }) => [source.table, look]));
  return (checked) => {
    for (const each of checked) {
      const table = each.record.rows[0]?.table;
      const look = table && byTable.get(table);
      if (look && isObject(each.payload)) noteRecord(look, each);
    }
  };
}
