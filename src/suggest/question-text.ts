import { cutText, shownWord } from '../model/index.ts';
import type { Question, SeenCell } from './answer.ts';
import type { StraySkip } from './structure/stray-skip.ts';

/** A question about something uncertain, with the rows that show why it is asked. */
export function questionText(question: Question): string {
  switch (question.kind) {
    case 'skip':
      return skipQuestion(question.skip);
    case 'group': {
      const { column, cell, rows, records, joined } = question;
      return `${rowsNamed(rows)} belong together by ${quoted(cell)} in ${shownWord(column)}; ${joined} of ${records} records have several rows like that. Are such rows one record?`;
    }
    case 'choice':
      return `${cellNamed(question)}. ${question.asks}`;
    case 'currency':
      return `${cellNamed(question)}, and other rows have another currency. Is ${question.code} the currency of the store?`;
    case 'number': {
      const { value } = question;
      return `${cellNamed(question)}, which can be read in two ways. Is it ${value}?`;
    }
    case 'empty': {
      const { cells, rows } = question.words;
      return `${shownWord(question.field.columns.join(', '))} has ${cells.map(quoted).join(', ')} in ${rowsNamed(rows).toLowerCase()}, which is no number. Leave ${question.field.field} out there? Otherwise these records are invalid.`;
    }
    case 'keep': {
      const { field, columns, doubt } = question.field;
      return `Use ${columns.map(shownWord).join(', ')} for ${field}? (${doubt})${seenText(question.seen)}`;
    }
    case 'add':
      return `Use ${shownWord(question.leftOut.column)} for ${question.leftOut.field}?${seenText(question.seen)}`;
  }
}

function skipQuestion({ rows, why, isCut, lacks = [] }: StraySkip): string {
  const isOne = rows.length === 1;
  if (isCut)
    return `Below a blank row, another table seems to begin: ${rowsNamed(rows).toLowerCase()}. Leave ${isOne ? 'it' : 'them'} out?`;
  const reason = why.replace(/^it /, isOne ? '' : 'each ');
  const named = rowsNamed(rows);
  const says =
    lacks.length === 0
      ? `${named} ${reason}`
      : `Nearly all rows have a cell in ${lacks.map(shownWord).join(' and ')}. ${named} ${isOne ? 'does' : 'do'} not, and ${reason}`;
  return `${says}. Leave ${isOne ? 'it' : 'them'} out?`;
}

/** `Price has "12.50" in row 2` */
function cellNamed({
  column,
  cell,
  row,
}: {
  readonly column: string;
  readonly cell: string;
  readonly row: number;
}): string {
  return `${shownWord(column)} has ${quoted(cell)} in row ${row}`;
}

/** `Row 62`, `Rows 2, 3 and 7 more` */
function rowsNamed(rows: readonly number[]): string {
  if (rows.length === 1) return `Row ${rows[0]}`;
  const more = rows.length > MAX_ROWS ? ` and ${rows.length - MAX_ROWS} more` : '';
  return `Rows ${rows.slice(0, MAX_ROWS).join(', ')}${more}`;
}

const MAX_ROWS = 3;

function quoted(cell: string): string {
  return JSON.stringify(cutText(cell.replaceAll(/\s+/g, ' '), MAX_CELL_LENGTH));
}

const MAX_CELL_LENGTH = 60;

/** ` Row 2 has "Tea", row 3 "Coffee".` */
function seenText(seen: readonly SeenCell[]): string {
  const [first, ...others] = seen.map(({ row, cell }) => ({ row, text: quoted(cell) }));
  if (!first) return '';
  const rest = others.map(({ row, text }) => `, row ${row} ${text}`).join('');
  return ` Row ${first.row} has ${first.text}${rest}.`;
}
