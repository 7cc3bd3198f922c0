import { columnLetters } from '../../model/index.ts';
import { MAIN, RELATIONS, STYLES, xmlDocument } from './parts.ts';
import { textElement } from './xml-text.ts';

export type CellStyle = keyof typeof STYLES;

/** Widths of columns, in characters. */
const LEAST_WIDTH = 9;
const MOST_WIDTH = 50;

/** The beginning of a sheet, up to its first row: the header stays in view, and columns are as wide as `rows` need. */
export function sheetBegin(rows: readonly (readonly string[])[], columns: readonly CellStyle[]): string {
  const cols = columns.map((style, index) => {
    const lengths = rows.map((row) => longestLine(row[index] ?? ''));
    const width = Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, ...lengths) + 2);
    const [at, id] = [index + 1, STYLES[style]];
    return `<col min="${at}" max="${at}" width="${width}" style="${id}" customWidth="1"/>`;
  });
  return xmlDocument(
    `<worksheet xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheetViews><sheetView workbookViewId="0">` +
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
      '<selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews>' +
      `<sheetFormatPr defaultRowHeight="15"/><cols>${cols.join('')}</cols><sheetData>`,
  );
}

/** The end of a sheet. Numbers are texts on purpose, so that spreadsheets need not warn of them. */
export function sheetEnd(columns: number, rows: number): string {
  const all = `A1:${columnLetters(columns - 1)}${Math.max(1, rows)}`;
  return (
    `</sheetData><ignoredErrors><ignoredError sqref="${all}" numberStoredAsText="1"/></ignoredErrors>` +
    '<legacyDrawing r:id="rId1"/></worksheet>'
  );
}

/** Returns a function that writes rows. An empty cell with the style of its column is left out. */
export function createRowText(
  columns: readonly CellStyle[],
): (row: number, cells: readonly string[], styleOf: (column: number) => CellStyle) => string {
  const letters = columns.map((_, index) => columnLetters(index));
  return (row, cells, styleOf) => {
    let text = `<row r="${row}" ht="15" customHeight="1">`;
    for (let column = 0; column < columns.length; column++) {
      const cell = cells[column] ?? '';
      const style = styleOf(column);
      if (cell === '' && style === columns[column]) continue;
      const begin = `<c r="${letters[column]}${row}" s="${STYLES[style]}"`;
      text += cell === '' ? `${begin}/>` : `${begin} t="inlineStr"><is>${textElement(cell)}</is></c>`;
    }
    return `${text}</row>`;
  };
}

function longestLine(text: string): number {
  return Math.max(
    ...text
      .slice(0, 1000)
      .split('\n', 20)
      .map((line) => line.length),
  );
}
