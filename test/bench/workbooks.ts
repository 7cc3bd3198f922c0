import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { columnLetters } from '../../src/model/index.ts';
import { openAtomicFile } from '../../src/write/atomic-file.ts';
import { csvHeader, csvText } from '../../src/write/index.ts';
import { fixedParts } from '../../src/write/workbook/parts.ts';
import { textElement } from '../../src/write/workbook/xml-text.ts';
import { zipInto } from '../../src/write/workbook/zip-sink.ts';

/** A table of 20 columns with products in the native form: twelve of texts, six unlike in each row, and eight of numbers. */
const HEADER = [
  ...['name', 'reference', 'description', 'status', 'tags', 'price.salePrice', 'price.comparePrice'],
  ...['quantity.instock', 'images.0.src', 'images.0.title', 'seo.title', 'html'],
  ...['colour', 'season', 'maker', 'warehouse', 'weight', 'width', 'height', 'depth'],
];

type Cell = string | number;

function cellsOf(n: number): Cell[] {
  const price = (n % 200) + 0.5;
  return [
    ...[`Product number ${n}`, `ref-${n}`, `A fine, quoted description of product ${n}`, 'PUBLISH'],
    ...['kitchen|blue|new', price, price + 10, n % 50, `https://img.example.com/${n}.png`, 'Front view'],
    ...[`Product ${n} | Shop`, `<p>Some <b>HTML</b> text\nover two lines for ${n}</p>`],
    ...[`colour ${n % 12}`, `season ${n % 4}`, `maker ${n % 300}`, `warehouse ${n % 5}`],
    ...[(n % 1000) / 8, n % 120, n % 90, n % 60],
  ];
}

const BATCH = 500;

/** Writes the same rows as CSV and as a workbook in the form of Excel, with shared texts. Resolves with both files. */
export async function writeTables(folder: string, records: number): Promise<{ csv: string; xlsx: string }> {
  const [csv, xlsx] = [join(folder, `wide-${records}.csv`), join(folder, `wide-${records}.xlsx`)];
  if (existsSync(xlsx)) return { csv, xlsx };
  const table = await openAtomicFile(csv);
  await table.write(csvHeader(HEADER));
  const zip = zipInto(await openAtomicFile(xlsx));
  for (const [name, text] of Object.entries(partsOfBook())) zip.add(name, text);
  const texts = createTexts();
  zip.beginPart('xl/worksheets/sheet1.xml');
  await zip.write(`<worksheet xmlns="${MAIN}"><sheetData>${rowXml(1, HEADER, texts.indexOf)}`);
  for (let from = 0; from < records; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, records - from) }, (_, index) => cellsOf(from + index));
    await table.write(csvText(rows.map((row) => row.map(String))));
    await zip.write(rows.map((row, index) => rowXml(from + index + 2, row, texts.indexOf)).join(''));
  }
  await zip.write('</sheetData></worksheet>');
  zip.endPart();
  zip.beginPart('xl/sharedStrings.xml');
  await zip.write(`<sst xmlns="${MAIN}">`);
  for (const part of texts.parts()) await zip.write(part);
  await zip.write('</sst>');
  zip.endPart();
  await table.commit();
  await zip.commit();
  return { csv, xlsx };
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** The parts of a workbook without notes. */
function partsOfBook(): Record<string, string> {
  const { 'xl/_rels/workbook.xml.rels': relations = '', ...parts } = fixedParts('Products');
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings';
  const shared = `<Relationship Id="rId3" Type="${type}" Target="sharedStrings.xml"/></Relationships>`;
  return {
    '_rels/.rels': parts['_rels/.rels'] ?? '',
    'xl/workbook.xml': parts['xl/workbook.xml'] ?? '',
    'xl/styles.xml': parts['xl/styles.xml'] ?? '',
    'xl/_rels/workbook.xml.rels': relations.replace('</Relationships>', shared),
  };
}

function rowXml(row: number, cells: readonly Cell[], indexOf: (text: string) => number): string {
  const xml = cells.map((cell, column) => {
    const name = `${columnLetters(column)}${row}`;
    return typeof cell === 'number'
      ? `<c r="${name}"><v>${cell}</v></c>`
      : `<c r="${name}" t="s"><v>${indexOf(cell)}</v></c>`;
  });
  return `<row r="${row}">${xml.join('')}</row>`;
}

function createTexts() {
  const indexes = new Map<string, number>();
  return {
    indexOf(text: string): number {
      const known = indexes.get(text);
      if (known !== undefined) return known;
      indexes.set(text, indexes.size);
      return indexes.size - 1;
    },
    *parts(): Generator<string> {
      let part = '';
      for (const text of indexes.keys()) {
        part += `<si>${textElement(text)}</si>`;
        if (part.length < 100_000) continue;
        yield part;
        part = '';
      }
      yield part;
    },
  };
}
