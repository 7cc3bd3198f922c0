import type { Issue } from '../row/row.ts';
import { cutText } from '../text/visible.ts';

/** Maximum length of a sentence. */
const MOST_IN_SENTENCE = 500;

/**
 * Says an issue with its place: `row 7, column "Variant Price": "abc" is not a number; …`, with the cell of a workbook:
 * `column "Price" (C7)`. `cellsIn` finds the place again.
 */
export function issueSentence({ origin, column, cell, message }: Issue, namesFile: boolean): string {
  const file = namesFile && origin && `"${origin.file}"`;
  const place = [
    file,
    origin && `row ${origin.row}`,
    column && `column "${column}"${cell ? ` (${cell})` : ''}`,
  ]
    .filter(Boolean)
    .join(', ');
  return cutText(place === '' ? message : `${place}: ${message}`, MOST_IN_SENTENCE);
}

/** Separates the sentences in the message of an outcome. */
export const SENTENCE_END = '; ';

/** A cell that a message names. */
export interface NamedCell {
  readonly row: number;
  /** Index in the header. */
  readonly column: number;
  /** The sentence without its place. */
  readonly says: string;
}

const PLACE = /(?:^|; )(?:"[^"]*", )?row (\d+), column "/g;
/** The end of a place, after the name of the column. */
const PLACE_END = /^"(?: \([A-Z]+\d+\))?: /;
/** The issues that a message only counts. */
const COUNTED = /; and \d+ more: [\s\S]*$/;

/** Finds the cells that a message of issues names. Names of columns are compared, since they may have any characters. */
export function cellsIn(message: string, header: readonly string[]): NamedCell[] {
  const places = [...message.matchAll(PLACE)];
  return places.flatMap(({ 0: found, 1: row, index }, at) => {
    const rest = message.slice(index + found.length, places[at + 1]?.index);
    const column = columnAt(rest, header);
    if (column === undefined) return [];
    const says = rest.slice(header[column]?.length).replace(PLACE_END, '').replace(COUNTED, '');
    return [{ row: Number(row), column, says }];
  });
}

/** Finds the longest name with which a text begins. */
function columnAt(text: string, header: readonly string[]): number | undefined {
  let found: number | undefined;
  for (const [index, name] of header.entries())
    if (text.startsWith(name) && PLACE_END.test(text.slice(name.length, name.length + 20)))
      if (found === undefined || name.length > (header[found]?.length ?? 0)) found = index;
  return found;
}
