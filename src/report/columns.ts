import { isOwnColumn, type KeptRow, type Settled } from '../model/index.ts';

/** Columns of results.csv: a contract. */
export const RESULT_COLUMNS = [
  'row',
  'key',
  'outcome',
  'id',
  'http_status',
  'attempts',
  'duration_ms',
  'code',
  'field',
  'message',
] as const;

/** What errors.csv and in-doubt.csv have behind the columns of the source: a contract. */
export const RETURN_COLUMNS = [
  'storeport_run',
  'storeport_row',
  'storeport_outcome',
  'storeport_code',
  'storeport_field',
  'storeport_message',
] as const;

/** What in-doubt.csv has besides, empty: people write there what they found in the store, for `run resolve --from`. */
export const FOUND_COLUMN = 'storeport_found';

export function resultLine({ row, key, outcome }: Settled): string[] {
  return [
    String(row),
    key,
    outcome.outcome,
    outcome.id ?? '',
    outcome.httpStatus === undefined ? '' : String(outcome.httpStatus),
    String(outcome.attempts),
    String(Math.round(outcome.durationMs)),
    outcome.code ?? '',
    outcome.field ?? '',
    outcome.message ?? '',
  ];
}

/** Positions of the source's own columns: those that an earlier report added are written anew, not kept. */
export function sourceColumns(header: readonly string[]): number[] {
  return header.flatMap((name, index) => (isOwnColumn(name) ? [] : [index]));
}

/** A source row as it was, and why it comes back. */
export function returnLine(
  run: string,
  columns: readonly number[],
  width: number,
  row: KeptRow,
  end: Settled,
): string[] {
  const { outcome } = end;
  const beyond = row.cells.slice(width).filter((cell) => cell !== '');
  const message = outcome.message ?? '';
  return [
    ...columns.map((index) => row.cells[index] ?? ''),
    run,
    String(row.row),
    outcome.outcome,
    outcome.code ?? '',
    outcome.field ?? '',
    // Cells beyond the header have no column to stand in; here they are at least not lost.
    beyond.length === 0 ? message : `${message} (beyond the last column: ${beyond.join(' | ')})`,
  ];
}
