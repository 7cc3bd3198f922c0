import { identifierOf, type Row } from '../../model/index.ts';
import { type Columns, columnsOf } from './columns.ts';

/** Columns that an earlier run's report added to a row, in a report that is imported again. */
export interface EarlierRow {
  /** Id of the run. */
  readonly run: string;
  /** Row number in the original file; undefined if the cell holds no number. */
  readonly row: number | undefined;
  /** '' if somebody has cleared it. */
  readonly outcome: string;
  readonly code: string;
  readonly message: string;
}

/** Id of the run that wrote this row to a report; undefined for a row that is not from a report. */
export function runIn(row: Row): string | undefined {
  return earlierRowIn(columnsOf(row.table, new Map()))?.(row)?.run || undefined;
}

/** Reads the columns that reports add; undefined for a file that has none of them. */
export function earlierRowIn(columns: Columns): ((row: Row) => EarlierRow | undefined) | undefined {
  const names = [
    'storeport_run',
    'storeport_row',
    'storeport_outcome',
    'storeport_code',
    'storeport_message',
  ];
  const places = names.map(columns.find);
  if (places.every((place) => place === undefined)) return undefined;
  return ({ cells }) => {
    const [run = '', row = '', outcome = '', code = '', message = ''] = places.map((place) =>
      place === undefined ? '' : identifierOf(cells[place] ?? ''),
    );
    if (run === '' && outcome === '') return undefined;
    return { run, row: /^\d{1,15}$/.test(row) ? Number(row) : undefined, outcome, code, message };
  };
}
