import { openAtomicFile } from '../atomic-file.ts';
import { type CellNote, commentsXml, drawingXml } from './notes.ts';
import { COMMENTS_PART, DRAWING_PART, fixedParts, SHEET_PART } from './parts.ts';
import { type CellStyle, createRowText, sheetBegin, sheetEnd } from './sheet-text.ts';
import type { CellMark, MarkedRow, WorkbookFile, WorkbookOptions } from './types.ts';
import { zipInto } from './zip-sink.ts';

/**
 * Notes in one workbook. LibreOffice takes 2 s longer for 2,000 notes, 6 s for 5,000, and 17 s for 10,000. Further marked
 * cells only have their colour.
 */
const MOST_NOTES = 5000;
/** Rows that decide how wide the columns are. */
const ROWS_FOR_WIDTHS = 200;

/**
 * Opens a workbook for texts: no cell is a number or a formula. The header is bold and stays in view; marked cells are
 * coloured. Rows are packed as they arrive.
 */
export async function openWorkbookFile(
  path: string,
  { sheet, header, headerNotes, ownFrom }: WorkbookOptions,
): Promise<WorkbookFile> {
  const zip = zipInto(await openAtomicFile(path));
  const columns = header.map((_, index): CellStyle => (index < ownFrom ? 'text' : 'own'));
  const rowText = createRowText(columns);
  const notes: CellNote[] = [];
  let first: MarkedRow[] | undefined = [];
  let rows = 1;
  for (const [name, text] of Object.entries(fixedParts(sheet))) zip.add(name, text);
  addNotes(1, headerNotes);

  function addNotes(row: number, marks: readonly CellMark[]): void {
    for (const { column, note } of marks)
      if (note !== undefined && notes.length < MOST_NOTES) notes.push({ row, column, text: note });
  }

  function linesOf(batch: readonly MarkedRow[]): string {
    let text = '';
    for (const { cells, marks = [] } of batch) {
      rows++;
      addNotes(rows, marks);
      const marked = new Set(marks.map(({ column }) => column));
      text += rowText(rows, cells, (column) =>
        marked.has(column) ? 'marked' : (columns[column] as CellStyle),
      );
    }
    return text;
  }

  /** Writes the beginning of the sheet with the rows so far. */
  async function begin(): Promise<void> {
    if (first === undefined) return;
    const held = first;
    first = undefined;
    zip.beginPart(SHEET_PART);
    await zip.write(sheetBegin([header, ...held.map(({ cells }) => cells)], columns));
    await zip.write(rowText(1, header, () => 'header'));
    await zip.write(linesOf(held));
  }

  return {
    async write(batch) {
      if (first === undefined) return zip.write(linesOf(batch));
      first.push(...batch);
      if (first.length >= ROWS_FOR_WIDTHS) await begin();
    },
    async commit() {
      await begin();
      await zip.write(sheetEnd(columns.length, rows));
      zip.endPart();
      zip.add(COMMENTS_PART, commentsXml(notes));
      zip.add(DRAWING_PART, drawingXml(notes));
      await zip.commit();
    },
    abort: zip.abort,
  };
}
