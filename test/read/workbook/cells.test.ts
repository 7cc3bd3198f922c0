import { describe, expect, test } from 'vitest';
import { readText } from '../../support/read-text.ts';
import { escaped, makeWorkbook, textRow } from '../../support/workbook.ts';

/** Reads the cells of row 2 from their XML, below a header that is as wide. */
async function cellsOf(xml: string, made: Parameters<typeof makeWorkbook>[0] = {}) {
  const header = textRow(1, ...Array.from({ length: 12 }, (_, index) => `c${index}`));
  const bytes = await makeWorkbook({ ...made, rows: `${header}<row r="2">${xml}</row>` });
  const { rows } = await readText(bytes, {}, 1000, 'shop.xlsx');
  return (rows[0]?.cells ?? []).join('|').replace(/\|+$/, '');
}

describe('texts', () => {
  test.each([
    ['shared', '<c t="s"><v>1</v></c><c t="s"><v>0</v></c>', ' b & c |0017'],
    ['rich', '<c t="s"><v>2</v></c>', 'big small'],
    ['with readings of Japanese characters, which are left out', '<c t="s"><v>3</v></c>', '東京'],
    ['inline', '<c t="inlineStr"><is><t>1-2</t></is></c>', '1-2'],
    ['inline and rich', '<c t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is></c>', 'ab'],
    ['of a formula', '<c t="str"><f>A1</f><v>x &lt; y</v></c>', 'x < y'],
    ['with escaped characters', '<c t="s"><v>4</v></c>', 'a\rb_x0041_'],
    ['with line breaks and CDATA', '<c t="inlineStr"><is><t>a&#10;<![CDATA[<b>]]></t></is></c>', 'a\n<b>'],
  ])('%s', async (_, xml, text) => {
    const shared = [
      '<t>0017</t>',
      '<t xml:space="preserve"> b &amp; c </t>',
      '<r><rPr><b/></rPr><t xml:space="preserve">big </t></r><r><t>small</t></r>',
      '<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh>',
      '<t>a_x000D_b_x005F_x0041_</t>',
    ];
    expect(await cellsOf(xml, { shared })).toBe(text);
  });
});

describe('numbers', () => {
  test.each([
    ['12.5', '12.5'],
    ['0.30000000000000004', '0.3'],
    ['4.006381333931E12', '4006381333931'],
    ['1E-3', '0.001'],
    ['9007199254740993', '9007199254740993'],
    ['-0', '0'],
    ['1.5E300', `15${'0'.repeat(299)}`],
  ])('%s without a format is %s', async (value, text) => {
    expect(await cellsOf(`<c><v>${value}</v></c>`)).toBe(text);
  });

  test.each([
    ['0000', '17', '0017'],
    ['00000', '-5', '-00005'],
    ['0.00', '12.5', '12.50'],
    ['0.00', '1.005', '1.01'],
    ['0.0#', '2', '2.0'],
    ['#,##0.00', '1234567.891', '1234567.89'],
    ['#,##0.00\\ "€"', '1234.5', '1234.50'],
    ['[$€-407] #,##0.00', '-3', '-3.00'],
    ['_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)', '-12.5', '-12.50'],
    ['[Red]0', '12.5', '13'],
    ['0', '0.4', '0'],
    ['0', '-0.4', '0'],
    ['0%', '0.19', '19%'],
    ['0.0%', '0.055', '5.5%'],
    ['0.00E+00', '1234567890123', '1234567890123'],
    ['# ?/?', '1.5', '1.5'],
    ['0.0,', '1234', '1234'],
    ['@', '17', '17'],
    ['"SKU-"0000', '17', 'SKU-0017'],
    ['000-00-0000', '123456789', '123-45-6789'],
    ['0.0" kg"', '1.5', '1.5 kg'],
    ['General', '4006381333931', '4006381333931'],
    ['"broken', '17', '17'],
    ['[<100]0.0;0', '17', '17.0'],
    ['[<100]0.0;0', '1234.5', '1235'],
    ['[>=1000]#,##0;[=7]0.00;0.0', '7', '7.00'],
    ['[>=1000]#,##0;[=7]0.00;0.0', '8', '8.0'],
    ['0.00;-0.00;"zero"', '1.005', '1.01'],
    ['0.00" kg"', '1.0049', '1.00 kg'],
    ['"SKU-"0', '1E21', '1000000000000000000000'],
  ])('with the format %s: %s is %s', async (format, value, text) => {
    expect(await cellsOf(`<c s="1"><v>${value}</v></c>`, { formats: [format] })).toBe(text);
  });

  test('a built-in format applies without being listed', async () => {
    const styles =
      '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="2"/></cellXfs></styleSheet>';
    const parts = { 'xl/styles.xml': styles };
    expect(await cellsOf('<c s="1"><v>45000</v></c><c s="2"><v>1</v></c>', { parts })).toBe(
      '2023-03-15|1.00',
    );
  });
});

describe('dates', () => {
  test.each([
    ['yyyy-mm-dd', '46053', '2026-01-31'],
    ['[$-407]d. mmm yy;@', '46053', '2026-01-31'],
    ['mmm-yy', '46053', '2026-01-31'],
    ['dd/mm/yyyy hh:mm', '46053.5729166667', '2026-01-31T13:45:00'],
    ['dd/mm/yyyy hh:mm', '46053', '2026-01-31T00:00:00'],
    ['d.m.yy', '46053.9999999999', '2026-02-01'],
    ['h:mm AM/PM', '0.5729166667', '13:45:00'],
    ['[h]:mm', '1.52083333333', '36:30:00'],
    ['mm:ss', '0.0423611111111', '01:01:00'],
    ['mm:ss.0', '0.0007', '00:01:00.480'],
    ['mm/dd', '46053', '2026-01-31'],
    ['yyyy-mm-dd', '1', '1900-01-01'],
    ['yyyy-mm-dd', '59', '1900-02-28'],
    ['yyyy-mm-dd', '60', '1900-02-29'],
    ['yyyy-mm-dd', '61', '1900-03-01'],
    ['yyyy-mm-dd', '-1', '-1'],
    ['yyyy-mm-dd', '3000000', '3000000'],
    ['yyyy-mm-dd', '1e400', '1e400'],
    ['yyyy-mm-dd', 'NaN', 'NaN'],
    ['h:mm', '1e400', '1e400'],
    ['[h]:mm', '123456789012345678', '123456789012345678'],
  ])('with the format %s: %s is %s', async (format, value, text) => {
    expect(await cellsOf(`<c s="1"><v>${value}</v></c>`, { formats: [format] })).toBe(text);
  });

  test('are counted from 1904 in some workbooks', async () => {
    const made = { formats: ['yyyy-mm-dd'], is1904: true };
    expect(await cellsOf('<c s="1"><v>44591</v></c><c s="1"><v>0</v></c>', made)).toBe(
      '2026-01-31|1904-01-01',
    );
    const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
    const office = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
    const later = 'xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"';
    const workbook =
      `<workbook ${main} ${office} ${later}><workbookPr date1904="1"/>` +
      '<sheets><sheet name="S" sheetId="1" r:id="s1"/></sheets>' +
      '<extLst><ext><x14:workbookPr defaultImageDpi="32767"/></ext></extLst></workbook>';
    const parts = { 'xl/workbook.xml': workbook };
    expect(await cellsOf('<c s="1"><v>44591</v></c>', { ...made, parts })).toBe('2026-01-31');
  });

  test('may be ISO text', async () => {
    const xml = '<c t="d" s="1"><v>2026-01-31T00:00:00</v></c><c t="d"><v>2026-01-31T13:45:00.000Z</v></c>';
    expect(await cellsOf(xml, { formats: ['d/m/yy'] })).toBe('2026-01-31|2026-01-31T13:45:00');
  });
});

describe('other cells', () => {
  test('truth values and errors have their words', async () => {
    expect(await cellsOf('<c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><v>#N/A</v></c>')).toBe(
      'TRUE|FALSE|#N/A',
    );
  });

  test('the value of a formula is the one that was saved with it', async () => {
    expect(await cellsOf('<c><f>1+1</f><v>2</v></c><c t="str"><f>""</f><v></v></c>')).toBe('2');
  });

  test('a formula without a value is an issue', async () => {
    const rows = `${textRow(1, 'a', 'Price')}<row r="2"><c t="inlineStr"><is><t>x</t></is></c><c><f>1+1</f><v></v></c></row>`;
    const { rows: read } = await readText(await makeWorkbook({ rows }));
    expect(read[0]?.issues).toMatchObject([{ code: 'formula-without-value', column: 'Price' }]);
    expect(read[0]?.issues?.[0]?.message).toContain('The formula in B2 has no value');
  });

  test('cells and rows without a name follow the one before', async () => {
    const rows =
      '<row><c><v>1</v></c><c r="D1"><v>4</v></c><c><v>5</v></c></row><row r="7"/><row><c r="B8"><v>2</v></c></row>';
    const { header, rows: read } = await readText(
      await makeWorkbook({ rows: rows.replaceAll('<v>', '<v>') }),
    );
    expect(header).toEqual(['1', '', '', '4', '5']);
    expect(read.map(({ row, line, cells }) => [row, line, cells.join('|')])).toEqual([[8, 8, '|2|||']]);
  });

  test('elements and types that are called like what objects inherit have no meaning', async () => {
    const odd = '<__defineGetter__ a="b"/><toString/><constructor>x</constructor>';
    const rows = `<row>${odd}<c r="A1"><v>1</v>${odd}</c><c r="B1" t="constructor"><v>2</v></c></row>`;
    const { header } = await readText(await makeWorkbook({ rows }));
    expect(header).toEqual(['1', '2']);
  });

  test('a prefix of the namespace changes nothing', async () => {
    const sheet = `<x:worksheet xmlns:x="m"><x:sheetData><x:row r="1"><x:c t="inlineStr"><x:is><x:t>${escaped('a & b')}</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>`;
    const { header } = await readText(await makeWorkbook({ parts: { 'xl/worksheets/sheet1.xml': sheet } }));
    expect(header).toEqual(['a & b']);
  });
});
