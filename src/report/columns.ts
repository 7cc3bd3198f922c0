import {
  BEYOND,
  damageMark,
  damageMarkIn,
  defuse,
  isOwnColumn,
  type KeptRow,
  numberText,
  type RecordResult,
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

/** An empty column of in-doubt.csv. People enter the ID they found in the store, for `run resolve --from`. */
export const FOUND_COLUMN = 'storeport_found';

/** The cells of results.csv. They are values, not cells of the source: whoever reads the file restores each one. */
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
  ].map(defuse);
}

/** The table of returned rows, with the columns of the source and `RETURN_COLUMNS`. */
export interface ReturnTable {
  readonly header: readonly string[];
  /** Index of the first column that is not the source's. */
  readonly ownFrom: number;
  /** Returns the cells of a record that a person should correct, by row number. */
  marks(end: RecordResult): (row: number) => readonly CellMark[] | undefined;
  line(run: string, row: KeptRow, end: RecordResult): string[];
}

/** Columns that an earlier report added are written anew, not kept. */
export function returnTable(header: readonly string[]): ReturnTable {
  const columns = header.flatMap((name, index) => (isOwnColumn(name) ? [] : [index]));
  const names = columns.map((index) => header[index] ?? '');
  const earlierMessage = header.findIndex((name) => name.trim().toLowerCase() === 'storeport_message');
  return {
    header: [...names, ...RETURN_COLUMNS],
    ownFrom: names.length,
    marks(end) {
      const marks = marksOf(end, header);
      if (marks === undefined) return () => undefined;
      // A source of JSON objects has one column. Otherwise only the message says what is wrong with such a record.
      const whole =
        names.length === 1
          ? [{ column: 0, note: end.outcome.message }]
          : [{ column: names.length + RETURN_COLUMNS.indexOf('storeport_message') }];
      const placed = new Map(
        [...marks].map(([row, cells]) => [
          row,
          cells.flatMap(({ column, note }) => {
            const at = columns.indexOf(column);
            return at < 0 ? [] : [{ column: at, note }];
          }),
        ]),
      );
      return (row) => placed.get(row) ?? (placed.size === 0 ? whole : undefined);
    },
    line(run, row, { outcome }) {
      const cells = columns.map((index) => row.cells[index] ?? '');
      const beyond = row.cells.slice(header.length).filter((cell) => cell !== '');
      const behind = [
        outcome.message ?? '',
        // Cells beyond the header have no column. Keep them in the message, so that they are not lost.
        beyond.length === 0 ? '' : `${BEYOND}${beyond.join(' | ')})`,
        row.damage === undefined ? '' : beyondIn(row.cells[earlierMessage] ?? ''),
        row.damage === undefined ? '' : damageMark(row.damage, names, cells),
      ];
      return [
        ...cells,
        run,
        String(row.row),
        outcome.outcome,
        outcome.code ?? '',
        outcome.field ?? '',
        behind.filter((part) => part !== '').join(' '),
      ];
    },
  };
}

/** Returns such cells from the message of an earlier report, if the row was not corrected since. */
function beyondIn(message: string): string {
  const text = message.slice(0, damageMarkIn(message)?.at).trim();
  const at = text.indexOf(BEYOND);
  return at < 0 ? '' : text.slice(at);
}
