import { cellsIn, type IssueKind, type RecordResult } from '../model/index.ts';
import type { CellMark } from '../write/index.ts';

/** Outcomes whose rows have something to correct. */
const WRONG: ReadonlySet<string> = new Set(['invalid', 'rejected']);

/** Wrong cells by row number. */
export type RowMarks = ReadonlyMap<number, readonly CellMark[]>;

/**
 * Finds the wrong cells of a record by its outcome, each with its reason. `header` and its indexes are those of the
 * source. Empty if the outcome names no cell; undefined if there is nothing to correct.
 */
export function marksOf({ row, outcome }: RecordResult, header: readonly string[]): RowMarks | undefined {
  const marks = new Map<number, CellMark[]>();
  const { outcome: status, message = '', field, kinds = [] } = outcome;
  if (!WRONG.has(status)) return undefined;
  const add = (at: number, column: number, note: string) => {
    if (column < 0) return;
    const list = marks.get(at) ?? [];
    const known = list.findIndex((mark) => mark.column === column);
    if (known < 0) list.push({ column, note });
    else if (!list[known]?.note?.includes(note))
      list[known] = { column, note: `${list[known]?.note}\n${note}` };
    marks.set(at, list);
  };
  for (const { row: at, column, says } of cellsIn(message, header)) add(at, column, says);
  for (const kind of kinds)
    for (const [at, name] of kind.cells ?? []) add(at, header.indexOf(name), kindNote(kind));
  // The store names fields, and a table in the native form has them as columns.
  if (marks.size === 0 && field !== undefined) add(row, header.indexOf(field), message);
  return marks;
}

/** The reason of a cell that the message only counts. */
function kindNote({ code, field, example }: IssueKind): string {
  return `${code}${field === undefined ? '' : ` (${field})`}, as in: ${example}`;
}
