import { MistypedError, type Row, type Table } from '../model/index.ts';
import { nameOf } from './messages.ts';
import type { RowSelection } from './options.ts';
import type { OpenedContent, Source } from './source.ts';

/**
 * Leaves out the rows that are not selected, and counts them. Whether a row counts can depend on those above, so there are no
 * blocks then. Throws ConfigError if a column is unknown.
 */
export function selectRows(
  { table, batches }: Pick<OpenedContent, 'table' | 'batches'>,
  selection: RowSelection | undefined,
): Pick<Source, 'leftOutRows'> & { readonly batches: AsyncGenerator<Row[], void> } {
  if (selection === undefined) return { batches };
  const isSelected = rowTest(table, selection);
  let count = 0;
  async function* selected(): AsyncGenerator<Row[], void> {
    for await (const rows of batches) {
      const left = rows.filter(isSelected);
      count += rows.length - left.length;
      yield left;
    }
  }
  return { batches: selected(), leftOutRows: () => count };
}

/** Creates a test of rows, to be called with each row of the file in order. */
function rowTest(table: Table, { ranges, skipRows, untilBlankRow }: RowSelection): (row: Row) => boolean {
  const rules = skipRows.map((rule) => cellRule(table, rule));
  const isInRange = (from: number, to: number) =>
    ranges === undefined || ranges.some((range) => range.from <= to && range.to >= from);
  /** Number of the row above; undefined until a row was selected. */
  let above: number | undefined;
  let isOver = false;
  return (row) => {
    const { row: number, cells } = row;
    if (untilBlankRow && above !== undefined) {
      // The reader passes no empty lines on: only the numbers show them.
      const isBelowBlank = number > above + 1 && isInRange(above + 1, number - 1);
      isOver ||= isBelowBlank || (isInRange(number, number) && isEmpty(row));
      above = number;
    }
    if (isOver || !isInRange(number, number)) return false;
    if (above === undefined && !isEmpty(row)) above = number;
    return !rules.some(({ index, text }) => folded(cells[index] ?? '') === text);
  };
}

function isEmpty({ cells }: Row): boolean {
  return cells.every((cell) => cell.trim() === '');
}

/** Resolves `column=text`. The name of a column may have a `=` too. */
function cellRule({ file, header }: Table, rule: string): { index: number; text: string } {
  const names = header.map(folded);
  for (let at = rule.indexOf('='); at !== -1; at = rule.indexOf('=', at + 1)) {
    const index = names.indexOf(folded(rule.slice(0, at)));
    if (index !== -1) return { index, text: folded(rule.slice(at + 1)) };
  }
  const word = rule.slice(0, rule.indexOf('='));
  const shown = header.filter((name) => name.trim() !== '').slice(0, MAX_SHOWN);
  throw new MistypedError(
    `${nameOf(file)} has no column "${word}", and --skip-rows names it.`,
    [`Its columns: ${shown.map((name) => `"${name}"`).join(', ')}${header.length > MAX_SHOWN ? ', …' : ''}.`],
    { word, names: () => header },
  );
}

/** Columns that a message lists. */
const MAX_SHOWN = 20;

function folded(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}
