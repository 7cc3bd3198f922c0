import { xmlText } from './xml-text.ts';

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Paths of the parts that grow with the table. */
export const SHEET_PART = 'xl/worksheets/sheet1.xml';
export const COMMENTS_PART = 'xl/comments1.xml';
export const DRAWING_PART = 'xl/drawings/vmlDrawing1.vml';

/** Styles of cells, as indexes of `cellXfs` below. All are texts, so that `0017` stays if a person types it. */
export const STYLES = { text: 1, header: 2, own: 3, marked: 4 } as const;

export function xmlDocument(root: string): string {
  return XML + root;
}

function relationships(...each: readonly [id: string, type: string, target: string][]): string {
  const list = each.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return xmlDocument(`<Relationships xmlns="${PACKAGE}/relationships">${list.join('')}</Relationships>`);
}

const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The parts that do not depend on the rows: types, relations, the list of sheets, and styles. */
export function fixedParts(sheet: string): Readonly<Record<string, string>> {
  const override = (part: string, type: string) =>
    `<Override PartName="/${part}" ContentType="${TYPE}.${type}+xml"/>`;
  return {
    '[Content_Types].xml': xmlDocument(
      `<Types xmlns="${PACKAGE}/content-types">` +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        '<Default Extension="xml" ContentType="application/xml"/>' +
        '<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>' +
        override('xl/workbook.xml', 'sheet.main') +
        override(SHEET_PART, 'worksheet') +
        override('xl/styles.xml', 'styles') +
        override(COMMENTS_PART, 'comments') +
        '</Types>',
    ),
    '_rels/.rels': relationships(['rId1', 'officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': xmlDocument(
      `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>` +
        `<sheet name="${xmlText(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': relationships(
      ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
      ['rId2', 'styles', 'styles.xml'],
    ),
    'xl/worksheets/_rels/sheet1.xml.rels': relationships(
      ['rId1', 'vmlDrawing', '../drawings/vmlDrawing1.vml'],
      ['rId2', 'comments', '../comments1.xml'],
    ),
    'xl/styles.xml': xmlDocument(STYLES_XML),
  };
}

/** 49 is the number format of texts (`@`). */
const cellStyle = (font: number, fill: number) =>
  `<xf numFmtId="49" fontId="${font}" fillId="${fill}" borderId="0" xfId="0" applyNumberFormat="1"` +
  ' applyFont="1" applyFill="1" applyAlignment="1"><alignment vertical="top"/></xf>';

const FONT = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
const solid = (colour: string) =>
  `<fill><patternFill patternType="solid"><fgColor rgb="FF${colour}"/><bgColor indexed="64"/></patternFill></fill>`;

const STYLES_XML =
  `<styleSheet xmlns="${MAIN}">` +
  `<fonts count="3"><font>${FONT}</font><font><b/>${FONT}</font>` +
  '<font><sz val="11"/><color rgb="FF595959"/><name val="Calibri"/><family val="2"/></font></fonts>' +
  '<fills count="4"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  `${solid('E7E6E6')}${solid('FFC7CE')}</fills>` +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  `${cellStyle(0, 0)}${cellStyle(1, 2)}${cellStyle(2, 0)}${cellStyle(0, 3)}</cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
  '</styleSheet>';
