import type { FileBinding } from '../../map/index.ts';
import { type Issue, originOf, type Row } from '../../model/index.ts';

/** The value of a column for the rows below: a text, or the unreadable row that may have changed it. */
type Carried = string | Row;

/**
 * Fills the empty cells of the columns that a mapping carries down, with the last value above them. The cells themselves
 * are filled: error reports lack the heading rows, and must be complete without them. Rows of such a report are left
 * unchanged for the same reason.
 */
export function carriedDown(
  batches: AsyncIterable<Row[]>,
  { carried, earlierRowOf, isSkipped }: FileBinding,
): AsyncIterable<Row[]> {
  if (!carried || earlierRowOf) return batches;
  const { columns, header } = carried;
  let above: readonly Carried[] = columns.map(() => '');
  const fill = (row: Row): Row => {
    if (row.issues) {
      above = columns.map(() => row);
      return row;
    }
    above = valuesBelow(row, columns, above);
    const empty = columns.flatMap((column, level) => {
      const value = above[level] ?? '';
      return value !== '' && isBlank(row, column) ? [{ column, value }] : [];
    });
    if (empty.length === 0) return row;
    const cells = [...row.cells];
    const issues: Issue[] = [];
    for (const { column, value } of empty)
      if (typeof value === 'string') cells[column] = value;
      else issues.push(unknownAbove(row, value, header[column] ?? ''));
    const filled = { ...row, cells };
    // A heading row may lack narrower values, and is left out.
    return issues.length === 0 || isSkipped?.(filled) ? filled : { ...filled, issues };
  };
  async function* filledBatches(): AsyncGenerator<Row[]> {
    for await (const rows of batches) yield rows.map(fill);
  }
  return filledBatches();
}

/**
 * The values that hold from this row on. The columns are levels, from the widest to the narrowest: a new category ends
 * the subcategory above it.
 */
function valuesBelow(row: Row, columns: readonly number[], above: readonly Carried[]): readonly Carried[] {
  let isNew = false;
  return columns.map((column, level) => {
    const before = above[level] ?? '';
    if (isBlank(row, column)) return isNew ? '' : before;
    const value = row.cells[column] ?? '';
    if (typeof before === 'string' && value.trim() !== before.trim()) isNew = true;
    return value;
  });
}

function isBlank({ cells }: Row, column: number): boolean {
  return (cells[column] ?? '').trim() === '';
}

function unknownAbove(row: Row, unread: Row, column: string): Issue {
  return {
    code: 'required',
    message: `row ${unread.row} could not be read, and may have the value that is carried down to this cell: correct that row, or fill this cell`,
    column,
    origin: originOf(row),
  };
}
