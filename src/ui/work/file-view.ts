import type { Row } from '../../model/index.ts';
import { ownValue } from '../../model/index.ts';
import type { FoundFile } from '../api/index.ts';
import { MOST_TEXT } from '../limits.ts';
import { cut } from './cut.ts';
import type { WorkSample } from './samples.ts';

const HEAD_ROWS = 50;
const MOST_FAULTS = 20;
const LONGEST_CELL = 500;

/** How a file was read, with its first rows. */
export function foundFile({ sample, warnings }: WorkSample): FoundFile {
  const { reading, head, headPart } = sample;
  const { format, packed, encoding, guessed, undecided, delimiter, quote, sheet, otherSheets = [] } = reading;
  const faulty = head.flatMap(({ row, issues = [] }) =>
    issues.slice(0, 1).map(({ message }) => ({ row, message })),
  );
  const columns = sampledColumns(sample);
  const rows = head.slice(0, HEAD_ROWS);
  const longest = Math.min(LONGEST_CELL, Math.floor(MOST_TEXT / Math.max(1, rows.length * columns.length)));
  return {
    ...{ format, encoding, isGuessed: guessed === true, isUndecided: undecided === true, otherSheets },
    ...(packed === undefined ? {} : { packed }),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(quote === undefined ? {} : { quote }),
    ...(sheet === undefined ? {} : { sheet }),
    columns,
    rows: rowCount(head.length, headPart),
    head: rows.map((row) => ({
      row: row.row,
      cells: cellsOf(row, columns).map((cell) => cut(cell, longest)),
    })),
    skippedLines: reading.skippedLines ?? 0,
    faulty: faulty.slice(0, MOST_FAULTS),
    faultyCount: faulty.length,
    warnings,
  };
}

/** Columns of a table, or the fields of its first objects. */
export function sampledColumns({
  table,
  head,
}: Pick<WorkSample['sample'], 'table' | 'head'>): readonly string[] {
  if (table.items === undefined) return table.header;
  const names = new Set<string>();
  for (const { value } of head.slice(0, HEAD_ROWS))
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const name of Object.keys(value)) names.add(name);
  return [...names];
}

function cellsOf({ cells, value }: Row, columns: readonly string[]): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return cells;
  return columns.map((name) => {
    const found = ownValue(value, name);
    return found === undefined || found === null
      ? ''
      : typeof found === 'string'
        ? found
        : JSON.stringify(found);
  });
}

function rowCount(rows: number, part: number | undefined): FoundFile['rows'] {
  const isExact = part === 1;
  return { count: isExact || !part ? rows : Math.round(rows / part), isExact };
}
