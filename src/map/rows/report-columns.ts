import type { Row } from '../../model/index.ts';
import { type Columns, columnsOf } from './columns.ts';

/** What an earlier run wrote beside a row, where the file is a report that comes back. */
export interface EarlierRow {
  /** Id of the run. */
  readonly run: string;
  /** Where the row stood there; undefined where the cell holds no number. */
  readonly row: number | undefined;
  /** '' where somebody has cleared it. */
  readonly outcome: string;
  readonly code: string;
  readonly message: string;
}

/** The id of the run that wrote a row into a report; undefined where it is no row of one. */
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
      place === undefined ? '' : (cells[place] ?? '').trim(),
    );
    if (run === '' && outcome === '') return undefined;
    return { run, row: /^\d{1,15}$/.test(row) ? Number(row) : undefined, outcome, code, message };
  };
}
