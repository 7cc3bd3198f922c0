import { writeFileSync } from 'node:fs';
import { buffer, text } from 'node:stream/consumers';
import * as yauzl from 'yauzl';
import { ZipFile } from 'yazl';
import { openSource } from '../../src/read/index.ts';

export interface MadeSheet {
  readonly name?: string;
  readonly state?: string;
  /** The XML between the tags of `sheetData`. */
  readonly rows: string;
  /** The XML before `sheetData`, such as `<cols>`. */
  readonly before?: string;
  /** The XML behind `sheetData`, such as `<mergeCells>`. */
  readonly after?: string;
}

export interface MadeWorkbook {
  readonly sheets?: readonly MadeSheet[];
  /** The XML of one sheet. */
  readonly rows?: string;
  /** Shared texts, as XML inside `si`. */
  readonly shared?: readonly string[];
  /** Number formats; the style of a cell is the index in this list plus 1. */
  readonly formats?: readonly string[];
  readonly is1904?: boolean;
  /** More parts, or other content for those above; undefined leaves a part out. */
  readonly parts?: Readonly<Record<string, string | undefined>>;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Makes the bytes of a workbook from pieces of its XML. */
export async function makeWorkbook(made: MadeWorkbook): Promise<Buffer> {
  const { sheets = [{ rows: made.rows ?? '' }], shared, formats = [], is1904 = false } = made;
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const parts: Record<string, string | undefined> = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relations(relation('r1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml':
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr date1904="${is1904}"/><sheets>` +
      sheets
        .map(
          ({ name, state = 'visible' }, index) =>
            `<sheet name="${name ?? `Sheet${index + 1}`}" sheetId="${index + 1}" state="${state}" r:id="s${index + 1}"/>`,
        )
        .join('') +
      '</sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations(
      ...sheets.map((_, index) => relation(`s${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`)),
      relation('st', 'styles', 'styles.xml'),
      ...(shared ? [relation('sh', 'sharedStrings', '/xl/sharedStrings.xml')] : []),
    ),
    'xl/styles.xml':
      `<styleSheet xmlns="${MAIN}"><numFmts>` +
      formats
        .map((code, index) => `<numFmt numFmtId="${200 + index}" formatCode="${escaped(code)}"/>`)
        .join('') +
      '</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>' +
      formats.map((_, index) => `<xf numFmtId="${200 + index}"/>`).join('') +
      '</cellXfs></styleSheet>',
    ...(shared && {
      'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${shared.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    }),
  };
  for (const [index, { before = '', rows, after = '' }] of sheets.entries())
    parts[`xl/worksheets/sheet${index + 1}.xml`] =
      `<?xml version="1.0" encoding="UTF-8"?>\n<worksheet xmlns="${MAIN}">${before}<sheetData>${rows}</sheetData>${after}</worksheet>`;
  return zipOf({ ...parts, ...made.parts });
}

/** Makes a zip file. */
export async function zipOf(parts: Readonly<Record<string, string | Buffer | undefined>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(parts))
    if (content !== undefined) zip.addBuffer(Buffer.from(content as string), name);
  zip.end();
  return buffer(zip.outputStream);
}

/** A row of text cells, from column A on. */
export function textRow(number: number, ...texts: string[]): string {
  const cells = texts.map((text) => `<c t="inlineStr"><is><t>${escaped(text)}</t></is></c>`);
  return `<row r="${number}">${cells.join('')}</row>`;
}

function relations(...each: string[]): string {
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join('')}</Relationships>`;
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** The parts of a workbook, as text. */
export async function readParts(path: string): Promise<Record<string, string>> {
  const zip = await yauzl.openPromise(path, { autoClose: false });
  const parts: Record<string, string> = {};
  for await (const entry of zip.eachEntry())
    parts[entry.fileName] = await text(await zip.openReadStreamPromise(entry));
  zip.close();
  return parts;
}

/** The rows of a workbook as an import reads them, by header. */
export async function readWorkbookTable(path: string): Promise<Record<string, string>[]> {
  const source = await openSource(path, { onWarning: () => {} });
  const rows: Record<string, string>[] = [];
  try {
    for await (const batch of source.batches)
      for (const { cells } of batch)
        rows.push(Object.fromEntries(source.table.header.map((name, index) => [name, cells[index] ?? ''])));
  } finally {
    await source.close();
  }
  return rows;
}

/** References of the cells with the colour of wrong cells. */
export function markedCells(sheet: string): string[] {
  return [...sheet.matchAll(/<c r="([A-Z]+\d+)" s="4"/g)].map(([, cell = '']) => cell);
}

/** Notes by the reference of their cell. */
export function notesIn(comments = ''): Record<string, string> {
  const found = [...comments.matchAll(/<comment ref="([A-Z]+\d+)".*?<t(?: [^>]*)?>(.*?)<\/t>/gs)];
  return Object.fromEntries(found.map(([, cell = '', note = '']) => [cell, note]));
}

/** Changes the rows of a workbook, as in a spreadsheet; undefined deletes a row. */
export async function editWorkbook(
  path: string,
  change: (row: Record<string, string>) => Record<string, string> | undefined,
): Promise<void> {
  const rows = await readWorkbookTable(path);
  const lines = [
    Object.keys(rows[0] ?? {}),
    ...rows.flatMap((row) => {
      const changed = change(row);
      return changed ? [Object.values(changed)] : [];
    }),
  ];
  // A spreadsheet escapes text that looks like an escaped character.
  const saved = (cell: string) => cell.replaceAll(/_(?=x[0-9A-F]{4}_)/g, '_x005F_');
  const xml = lines.map((cells, at) => textRow(at + 1, ...cells.map(saved))).join('');
  writeFileSync(path, await makeWorkbook({ rows: xml }));
}
