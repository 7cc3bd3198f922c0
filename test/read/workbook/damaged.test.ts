import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readSource } from '../../../src/read/open-source.ts';
import { settingsOf } from '../../../src/read/options.ts';
import { readZip } from '../../../src/read/workbook/zip.ts';
import { scaledRuns } from '../../support/property-tests.ts';
import { readText } from '../../support/read-text.ts';
import { makeWorkbook, textRow, zipOf } from '../../support/workbook.ts';

const SHEET = `${textRow(1, 'SKU', 'Name')}${textRow(2, 'A1', 'Mug')}`;

const read = (bytes: Buffer) => readText(bytes, {}, 1000, 'shop.xlsx');

describe('files that are no workbook', () => {
  test.each([
    ['a binary Excel workbook (.xlsb)', { 'xl/workbook.bin': '' }],
    ['a Numbers document', { 'Index/Document.iwa': '' }],
    ['a Word document', { 'word/document.xml': '<a/>' }],
    ['an OpenDocument file (.ods)', { mimetype: 'x', 'content.xml': '<a/>' }],
    ['a zip file, and not an Excel workbook (.xlsx)', { 'products.csv': 'a,b' }],
  ])('%s is refused with advice', async (is, parts) => {
    const failure = await read(await zipOf(parts)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ConfigError', message: expect.stringContaining(is) });
    expect((failure as { hints: string[] }).hints).toHaveLength(1);
  });

  test.each([
    ['EncryptedPackage', 'shop.xlsx is an Excel workbook with a password, which cannot be read.'],
    ['Workbook', 'shop.xlsx is an old Excel workbook (.xls), which cannot be read.'],
  ])('a compound file with the part %s is refused', async (part, message) => {
    const bytes = Buffer.alloc(2048);
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0]).copy(bytes);
    bytes.writeUInt16LE(9, 30);
    bytes.writeUInt32LE(1, 48);
    Buffer.from(part, 'utf16le').copy(bytes, 1024);
    await expect(read(bytes)).rejects.toThrow(message);
    await expect(read(bytes.subarray(0, 20))).rejects.toThrow('old Excel workbook');
  });
});

describe('a damaged workbook', () => {
  test.each([100, 300, 1000])('that is cut off after %d bytes is refused', async (length) => {
    const bytes = await makeWorkbook({ rows: SHEET });
    await expect(read(bytes.subarray(0, length))).rejects.toThrow(
      'shop.xlsx is a zip file, such as a workbook, that is cut off or damaged',
    );
  });

  test('stops the run, with a sentence that names the part', async () => {
    const parts = {
      broken: { 'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row>' },
      'not XML': { 'xl/worksheets/sheet1.xml': 'plain text' },
      missing: { 'xl/worksheets/sheet1.xml': undefined },
      'without a text': {
        'xl/worksheets/sheet1.xml': '<w><sheetData><row r="1"><c t="s"><v>7</v></c></row></sheetData></w>',
      },
      'out of order': {
        'xl/worksheets/sheet1.xml': `<w><sheetData>${textRow(3, 'a')}${textRow(2, 'b')}</sheetData></w>`,
      },
      'too wide': {
        'xl/worksheets/sheet1.xml':
          '<w><sheetData><row r="1"><c r="ZZZZ1"><v>7</v></c></row></sheetData></w>',
      },
    };
    for (const [what, changed] of Object.entries(parts)) {
      const failure = await read(await makeWorkbook({ rows: SHEET, parts: changed })).catch(
        (error: unknown) => error,
      );
      expect(failure, what).toMatchObject({
        name: 'RunStopped',
        reason: 'source-failed',
        message: expect.stringMatching(/^shop\.xlsx is damaged: .*xl\/worksheets\/sheet1\.xml/),
      });
    }
  });

  test('is noticed by the checksums of its parts', async () => {
    const bytes = await makeWorkbook({ rows: SHEET });
    // The checksum of the sheet, in the index at the end.
    const entry = bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 46;
    bytes.writeUInt32LE(bytes.readUInt32LE(entry + 16) ^ 1, entry + 16);
    await expect(read(bytes)).rejects.toThrow('its part xl/worksheets/sheet1.xml has an incorrect checksum');
  });

  test('with random changes never ends in an unknown error', async () => {
    const bytes = await makeWorkbook({ rows: SHEET, shared: ['<t>a</t>'] });
    const changes = scaledRuns(bytes.length / 7);
    for (let n = 0; n < changes; n++) {
      const at = Math.floor((n * bytes.length) / changes);
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x55;
      const failure = await read(changed).catch((error: unknown) => error);
      if (failure instanceof Error) expect(['ConfigError', 'RunStopped']).toContain(failure.name);
    }
  });

  test('without its sheets or its list of sheets is refused', async () => {
    await expect(read(await makeWorkbook({ sheets: [] }))).rejects.toThrow('without a sheet of cells');
    const parts = { '_rels/.rels': undefined, 'xl/_rels/workbook.xml.rels': undefined };
    await expect(read(await makeWorkbook({ rows: SHEET, parts }))).rejects.toThrow(
      'without a sheet of cells',
    );
  });

  test('that is made to fill a disk stops the run', async () => {
    const bytes = await zipOf({ 'xl/workbook.xml': Buffer.alloc(3_000_000) });
    const access = {
      size: bytes.length,
      read: async (position: number, length: number) => bytes.subarray(position, position + length),
      digest: async () => '',
      close: async () => {},
    };
    const part = (await readZip('shop.xlsx', access, { freeBytes: 1_000_000 })).get('xl/workbook.xml');
    const reading = (async () => {
      for await (const _ of part?.bytes() ?? []);
    })();
    await expect(reading).rejects.toThrow('and more than 200 times is not a sheet');
  });
});

describe('a workbook that is made to fill the memory', () => {
  const sheetOf = (inside: string) => `<worksheet><sheetData>${SHEET}${inside}</sheetData></worksheet>`;
  const attributes = Array.from({ length: 30_000 }, (_, at) => `a${at}=""`).join(' ');

  test.each([
    ['nested elements', 'xl/worksheets/sheet1.xml', sheetOf('<a>'.repeat(200)), 'more than 100 deep'],
    ['attributes', 'xl/worksheets/sheet1.xml', sheetOf(`<row ${attributes}/>`), 'has no end'],
    [
      'parts of a text',
      'xl/worksheets/sheet1.xml',
      sheetOf(`<row><c t="inlineStr"><is>${`<t>${'x'.repeat(100_000)}</t>`.repeat(50)}</is></c></row>`),
      'a text in it has more than 4194304 characters',
    ],
    ['sheets', 'xl/workbook.xml', `<w>${'<sheet/>'.repeat(10_002)}</w>`, 'more than 10000 sheets'],
    [
      'links',
      'xl/_rels/workbook.xml.rels',
      `<w>${'<Relationship/>'.repeat(10_002)}</w>`,
      'more than 10000 links',
    ],
    [
      'styles',
      'xl/styles.xml',
      `<w><cellXfs>${'<xf/>'.repeat(100_002)}</cellXfs></w>`,
      'more than 100000 styles',
    ],
    [
      'number formats',
      'xl/styles.xml',
      `<w>${Array.from({ length: 5002 }, (_, at) => `<numFmt numFmtId="${at}"/>`).join('')}</w>`,
      'more than 5000 number formats',
    ],
  ])('is refused for its %s', async (_what, part, xml, message) => {
    const bytes = await makeWorkbook({ rows: SHEET, formats: ['0'], parts: { [part]: xml } });
    await expect(read(bytes)).rejects.toThrow(`its part ${part} is not the XML of a workbook: `);
    await expect(read(bytes)).rejects.toThrow(message);
  });

  test('has hidden columns only as far as a sheet has columns', async () => {
    const before = `<cols>${'<col min="-100000000000" max="16383" hidden="1"/>'.repeat(10)}</cols>`;
    const bytes = await makeWorkbook({ sheets: [{ rows: SHEET, before }] });
    const { warnings } = await read(bytes);
    expect(JSON.stringify(warnings)).toContain('16384 hidden columns');
  });

  test('has batches of few rows if they are wide', async () => {
    const rows = Array.from(
      { length: 200 },
      (_, at) => `<row r="${at + 3}"><c r="XFD${at + 3}"><v>1</v></c></row>`,
    );
    const bytes = await makeWorkbook({ rows: SHEET + rows.join('') });
    const source = await readSource('wide.xlsx', Readable.from([bytes]), settingsOf({}));
    const batches: number[] = [];
    for await (const batch of source.batches) batches.push(batch.length);
    // Fifty rows are read before the first batch, to find the width of the table.
    expect(Math.max(...batches.slice(1))).toBeLessThan(40);
    expect(batches.reduce((sum, length) => sum + length, 0)).toBe(201);
  });
});
