import {
  damageMark,
  isOwnColumn,
  type KeptRow,
  numberText,
  type RecordResult,
  SURPLUS_COLUMN,
  surplusColumnOf,
  surplusIn,
} from '../model/index.ts';
import type { CellMark } from '../write/index.ts';
import { marksOf } from './marks.ts';

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

/** Columns of plan.csv: a contract. */
export const PLAN_COLUMNS = ['row', 'key', 'action', 'id', 'fields'] as const;

/** The plan for a record. */
export interface PlanLine {
  readonly row: number;
  readonly key: string;
  /** `create`, `update`, or the outcome of a record that is not sent. */
  readonly action: string;
  /** Identifier in the store, if it is known. */
  readonly id?: string | undefined;
  /** Top-level fields that an update sends. */
  readonly fields: readonly string[];
}

export function planCells({ row, key, action, id = '', fields }: PlanLine): string[] {
  return [String(row), key, action, id, fields.join('|')];
}

/** Columns of errors.csv and in-doubt.csv after those of the source: a contract. */
export const RETURN_COLUMNS = [
  'storeport_run',
  'storeport_row',
  'storeport_outcome',
  'storeport_code',
  'storeport_field',
  'storeport_message',
] as const;

/**
 * Columns of errors.csv after those of the source, if a row has surplus cells: without any, the last column is left out. Rows
 * in doubt were sent, so they have none.
 */
export const ERROR_COLUMNS = [...RETURN_COLUMNS, SURPLUS_COLUMN] as const;

/** An empty column of in-doubt.csv. People enter the ID they found in the store, for `run resolve --from`. */
export const FOUND_COLUMN = 'storeport_found';

/** The texts of a line of results.csv. */
export function resultCells({ row, key, outcome }: RecordResult): string[] {
  return [
    numberText(row),
    key,
    outcome.outcome,
    outcome.id ?? '',
    outcome.httpStatus === undefined ? '' : numberText(outcome.httpStatus),
    numberText(outcome.attempts),
    numberText(Math.round(outcome.durationMs)),
    outcome.code ?? '',
    outcome.field ?? '',
    outcome.message ?? '',
  ];
}

/** The table of returned rows, with the columns of the source and `ERROR_COLUMNS`. Surplus cells are in the last one. */
export interface ReturnTable {
  readonly header: readonly string[];
  /** Index of the first column that is not the source's. */
  readonly ownFrom: number;
  /** Returns the cells of a record that a person should correct, by row. */
  marks(end: RecordResult): (row: KeptRow) => readonly CellMark[] | undefined;
  line(run: string, row: KeptRow, end: RecordResult): string[];
}

/** Columns that an earlier report added are written anew, not kept. */
export function returnTable(source: readonly string[]): ReturnTable {
  const columns = source.flatMap((name, index) => (isOwnColumn(name) ? [] : [index]));
  const names = columns.map((index) => source[index] ?? '');
  const header = [...names, ...ERROR_COLUMNS];
  const ownIndex = (name: (typeof ERROR_COLUMNS)[number]) => names.length + ERROR_COLUMNS.indexOf(name);
  const surplusAt = surplusColumnOf(source);
  const surplusOf = ({ cells }: KeptRow) => surplusIn(source, cells, surplusAt);
  return {
    header,
    ownFrom: names.length,
    marks(end) {
      const marks = marksOf(end, source);
      if (marks === undefined) return () => undefined;
      const { message } = end.outcome;
      const placed = new Map(
        [...marks].map(([row, cells]) => [
          row,
          cells.flatMap(({ column, note }) => {
            const at = columns.indexOf(column);
            return at < 0 ? [] : [{ column: at, note }];
          }),
        ]),
      );
      // A source of JSON objects has one column. Otherwise only the message says what is wrong with such a record.
      const whole: CellMark[] =
        names.length === 1 ? [{ column: 0, note: message }] : [{ column: ownIndex('storeport_message') }];
      return (row) => {
        const found = placed.get(row.row);
        if (surplusOf(row) !== '')
          return [...(found ?? []), { column: ownIndex(SURPLUS_COLUMN), note: message }];
        return found ?? (placed.size === 0 ? whole : undefined);
      };
    },
    line(run, row, { outcome }) {
      const cells = columns.map((index) => row.cells[index] ?? '');
      const surplus = surplusOf(row);
      const { damage } = row;
      const mark =
        damage === undefined ? [] : [damageMark(damage, [...names, SURPLUS_COLUMN], [...cells, surplus])];
      return [
        ...cells,
        run,
        String(row.row),
        outcome.outcome,
        outcome.code ?? '',
        outcome.field ?? '',
        [...(outcome.message ? [outcome.message] : []), ...mark].join(' '),
        surplus,
      ];
    },
  };
}
