import { isFew } from '../evidence.ts';
import type { Dictionary } from '../names/dictionary.ts';
import { readName, says } from '../names/read-name.ts';
import { wordsIn } from '../names/tokens.ts';
import { isBlankCell } from '../profile/profile.ts';
import type { ReadColumn } from '../sample.ts';
import { differsIn } from './grouping.ts';

/** Fewer columns may begin with one word by chance. */
const MIN_COLUMNS = 3;

/**
 * Reads a word of no dictionary that begins the names of several columns as "line" if these columns are what tells the rows of one
 * order apart: `Rida_name`, `Rida_price`. Columns of the order itself and of its customer have one value in an order.
 */
export function readLineNames(
  columns: readonly ReadColumn[],
  records: readonly (readonly number[])[],
  dictionary: Dictionary,
): readonly ReadColumn[] {
  const several = records.filter((rows) => rows.length > 1);
  const isKnown = columns.some(({ reading }) => says(reading, 'line') || says(reading, 'product'));
  if (several.length === 0 || isKnown) return columns;
  const ofWord = new Map<string, ReadColumn[]>();
  for (const column of columns) {
    const [first = '', ...rest] = wordsIn(column.name);
    if (rest.length > 0 && !dictionary.concepts(first))
      ofWord.set(first, [...(ofWord.get(first) ?? []), column]);
  }
  const rows = several.flat();
  const isOfLines = (members: readonly ReadColumn[]) =>
    members.length >= MIN_COLUMNS &&
    isFew(
      several.filter((each) => !members.some(({ cells }) => differsIn([each], cells))).length,
      several.length,
    ) &&
    isFew(
      rows.filter((row) => members.every(({ cells }) => isBlankCell(cells[row] ?? ''))).length,
      rows.length,
    );
  const found = [...ofWord.values()].filter(isOfLines);
  const [lines] = found;
  // Two such words are ambiguous: one may begin the columns of parcels or payments.
  if (lines === undefined || found.length > 1) return columns;
  return columns.map((column) => (lines.includes(column) ? asLine(column, dictionary) : column));
}

function asLine(column: ReadColumn, dictionary: Dictionary): ReadColumn {
  const [first = ''] = wordsIn(column.name);
  const { terms, ...reading } = readName(column.name, dictionary, new Set([first]));
  return { ...column, reading: { ...reading, terms: [['line'], ...terms] } };
}
