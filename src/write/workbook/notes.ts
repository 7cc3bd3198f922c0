import { columnLetters } from '../../model/index.ts';
import { MAIN, xmlDocument } from './parts.ts';
import { SHEET_LIMITS } from './types.ts';
import { textElement } from './xml-text.ts';

/** A note at a cell. */
export interface CellNote {
  /** From 1, as the spreadsheet numbers it. */
  readonly row: number;
  /** From 0. */
  readonly column: number;
  readonly text: string;
}

/** Spreadsheets read notes in the order of rows. */
export function commentsXml(notes: readonly CellNote[]): string {
  const list = notes.map(
    ({ row, column, text }) =>
      `<comment ref="${columnLetters(column)}${row}" authorId="0"><text><r>${textElement(text)}</r></text></comment>`,
  );
  return xmlDocument(
    `<comments xmlns="${MAIN}"><authors><author>storeport</author></authors>` +
      `<commentList>${list.join('')}</commentList></comments>`,
  );
}

/** Shapes have numbers from 1025 on; each block of 1,024 numbers must be listed. */
const BLOCK = 1024;

/** The boxes in which Excel shows the notes. Without them it shows none. */
export function drawingXml(notes: readonly CellNote[]): string {
  const blocks = Array.from({ length: Math.floor(notes.length / BLOCK) + 1 }, (_, index) => index + 1);
  return (
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"' +
    ' xmlns:x="urn:schemas-microsoft-com:office:excel">' +
    `<o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="${blocks.join(',')}"/></o:shapelayout>` +
    '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe">' +
    '<v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>' +
    `${notes.map(shapeOf).join('')}</xml>`
  );
}

/** Size of a box in columns and rows, and the characters on one of its lines. */
const WIDTH = 3;
const MOST_HEIGHT = 20;
const LINE = 30;

function shapeOf({ row, column, text }: CellNote, index: number): string {
  const height = Math.min(MOST_HEIGHT, Math.max(4, Math.ceil(text.length / LINE) + 2));
  // A box beyond the last column or row would be damage.
  const left = Math.min(column + 1, SHEET_LIMITS.columns - 1 - WIDTH);
  const top = Math.min(Math.max(0, row - 2), SHEET_LIMITS.rows - 1 - MOST_HEIGHT);
  // Left column, offset, top row, offset, right column, offset, bottom row, offset; offsets in pixels.
  const anchor = [left, 15, top, 10, left + WIDTH, 15, top + height, 4].join(', ');
  return (
    `<v:shape id="_x0000_s${BLOCK + 1 + index}" type="#_x0000_t202" fillcolor="#ffffe1" o:insetmode="auto"` +
    ' style="position:absolute;z-index:1;visibility:hidden"><v:fill color2="#ffffe1"/>' +
    '<v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/>' +
    '<v:textbox style="mso-direction-alt:auto"><div style="text-align:left"></div></v:textbox>' +
    `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor}</x:Anchor>` +
    `<x:AutoFill>False</x:AutoFill><x:Row>${row - 1}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`
  );
}
