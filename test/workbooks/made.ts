import { openWorkbook } from '../../src/write/index.ts';
import { escaped, type MadeWorkbook, makeWorkbook, textRow } from '../support/workbook.ts';

/** Rows of numbers: one for each format, with a name and each number in that format. */
function formatted(formats: readonly string[], numbers: readonly number[]): MadeWorkbook {
  const rows = formats.map((format, index) => {
    const cells = numbers.map((value) => `<c s="${index + 1}"><v>${value}</v></c>`);
    return `<row r="${index + 2}"><c t="inlineStr"><is><t>${escaped(format)}</t></is></c>${cells.join('')}</row>`;
  });
  return { formats, rows: textRow(1, 'format', ...numbers.map(String)) + rows.join('') };
}

/** Rows of plain cells, given as XML. */
function rowsOf(...rows: readonly string[][]): string {
  return rows.map((cells, index) => `<row r="${index + 1}">${cells.join('')}</row>`).join('');
}

const DATES = [
  ...[
    'yyyy-mm-dd',
    'm/d/yy',
    'dd.mm.yyyy',
    'd-mmm-yy',
    '[$-407]d. mmmm yyyy',
    'mmm-yy',
    'yyyy/mm/dd hh:mm:ss',
  ],
  ...[
    'm/d/yy h:mm',
    '[$-F800]dddd, mmmm dd, yyyy',
    'dddd',
    'yyyy',
    '[$-411]yyyy"年"m"月"d"日"',
    'yyyy-mm-dd;@',
  ],
];
const TIMES = ['h:mm', 'h:mm:ss AM/PM', 'hh:mm:ss', '[h]:mm:ss', 'mm:ss', 'mm:ss.0', '[mm]:ss', '[hh]:mm'];
/** Excel counts a day that did not exist in 1900, so days before day 61 differ. */
const MOMENTS = [46053, 46053.5, 46053.9999884259, 44197.0423611111, 61, 367.75];
const CLOCKS = [0, 0.25, 0.5, 0.0423611111, 1.5, 46053.75];

const NUMBERS = [
  ...['General', '0', '0.00', '#,##0', '#,##0.00', '0%', '0.00%', '0.0%', '0000', '00000000', '"SKU-"0000'],
  ...['0000000000000', '# ?/?', '# ??/??', '0.00E+00', '##0.0E+0', '#,##0.00 "€"', '[$€-407] #,##0.00'],
  ...[
    '"$"#,##0.00',
    '$#,##0.00_);($#,##0.00)',
    '_-* #,##0.00\\ "kr"_-',
    '#,##0.00\\ [$zł-415]',
    '[$CHF] #,##0.00',
  ],
  ...['#,##0;[Red]-#,##0', '0.00;-0.00;"zero"', '0.0" kg"', '0\\ "pcs"', '(000) 000-0000', '000\\-000', '#'],
  ...['#.##', '0.###', '[<100]0.0;0', '[>=1000]#,##0;0.00', '0,', '0.0,,"M"', '+0;-0;0', '@', '0.00;(0.00)'],
];
const VALUES = [0, 17, -17, 0.5, 1234.5, -1234.567, 0.19, 1.005, 123456789012, 0.1234567, 1e21, 1.5e-7];

const TEXTS = [
  ...[
    '0017',
    '12345678901234567890',
    '  blanks  ',
    'two\nlines',
    '=1+1',
    "'quoted",
    '1-2',
    'é漢字😀',
    'TRUE',
  ],
  ...['1,234.50', '#N/A', '"a","b"', '<b>&amp;</b>', 'tab\there'],
];

const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** LibreOffice reads only parts with a type. */
const TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>` +
  `<Override PartName="/xl/sharedStrings.xml" ContentType="${TYPE}.sharedStrings+xml"/>` +
  [1, 2, 3, 4]
    .map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPE}.worksheet+xml"/>`)
    .join('') +
  '</Types>';

function make({ parts, ...made }: MadeWorkbook): Promise<Buffer> {
  return makeWorkbook({ ...made, parts: { '[Content_Types].xml': TYPES, ...parts } });
}

/** Workbooks for the comparison, by name. */
export async function madeWorkbooks(): Promise<Record<string, Buffer>> {
  return {
    dates: await make(formatted(DATES, MOMENTS)),
    'dates from 1904': await make({ ...formatted(DATES, MOMENTS), is1904: true }),
    times: await make(formatted(TIMES, CLOCKS)),
    numbers: await make(formatted(NUMBERS, VALUES)),
    texts: await make({
      shared: [
        ...TEXTS.map((text) => `<t xml:space="preserve">${escaped(text)}</t>`),
        '<r><t>rich </t></r><r><rPr><b/></rPr><t>text</t></r>',
        '<t>漢字</t><rPh sb="0" eb="2"><t>かんじ</t></rPh>',
        '<t>a_x000A_b</t>',
      ],
      rows: rowsOf(
        ...Array.from({ length: TEXTS.length + 3 }, (_, index) => [
          `<c t="s"><v>${index}</v></c>`,
          `<c t="inlineStr"><is><t xml:space="preserve">${escaped(TEXTS[index] ?? 'x')}</t></is></c>`,
          `<c t="str"><f>B${index + 1}</f><v>${escaped(TEXTS[index] ?? 'x')}</v></c>`,
        ]),
      ),
    }),
    formulas: await make({
      formats: ['0.00', 'yyyy-mm-dd'],
      rows: rowsOf(
        ['<c><v>2</v></c>', '<c><f>A1*2</f><v>4</v></c>', '<c s="1"><f>A1/3</f><v>0.666666666666667</v></c>'],
        ['<c t="b"><v>1</v></c>', '<c t="b"><v>0</v></c>', '<c t="b"><f>A1&gt;1</f><v>1</v></c>'],
        [
          '<c t="e"><v>#N/A</v></c>',
          '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>',
          '<c t="e"><f>x</f><v>#NAME?</v></c>',
        ],
        [
          '<c t="str"><f>"00"&amp;17</f><v>0017</v></c>',
          '<c s="2"><f>DATE(2026,1,31)</f><v>46053</v></c>',
          '<c/>',
        ],
        [
          '<c t="str"><f>""</f><v></v></c>',
          '<c t="d" s="2"><v>2026-01-31T00:00:00</v></c>',
          '<c><v>1</v></c>',
        ],
      ),
    }),
    layout: await make({
      sheets: [
        {
          name: 'Goods',
          before: '<cols><col min="2" max="2" hidden="1" width="9"/></cols>',
          rows:
            '<row r="2"><c r="B2" t="inlineStr"><is><t>b</t></is></c><c r="D2"><v>17</v></c></row>' +
            '<row r="5" hidden="1"><c r="A5" t="inlineStr"><is><t>hidden row</t></is></c></row>' +
            '<row><c t="inlineStr"><is><t>without a number</t></is></c><c><v>1</v></c></row>',
        },
        { name: 'Hidden', state: 'hidden', rows: textRow(1, 'x', 'y') },
        { name: 'Empty', rows: '' },
        { name: 'Last one', rows: textRow(3, 'a', '', 'c') },
      ],
    }),
    merged: await make({
      parts: {
        'xl/worksheets/sheet1.xml':
          '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>' +
          `${textRow(1, 'a', '', 'c')}${textRow(2, '', 'b')}${textRow(3, 'x', 'y', 'z')}</sheetData>` +
          '<mergeCells count="2"><mergeCell ref="A1:B1"/><mergeCell ref="C1:C2"/></mergeCells></worksheet>',
      },
    }),
  };
}

/** Writes a workbook as `--errors-as xlsx` does. */
export async function writeOwnWorkbook(path: string): Promise<void> {
  const header = ['sku', 'text', 'message'];
  const headerNotes = [{ column: 2, note: 'How to correct' }];
  const book = await openWorkbook(path, { sheet: 'errors', header, headerNotes, ownFrom: 2 });
  await book.write(TEXTS.map((text, index) => ({ cells: [`00${index}`, text, ''], marks: [{ column: 1 }] })));
  await book.commit();
}
