import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { columnLetters } from '../../src/model/index.ts';
import { openSource } from '../../src/read/index.ts';
import { AGREEMENTS, type Agreement, agreementOf } from './compare.ts';
import { DIFFERENCES } from './differences.ts';
import { convert, type OfficeSheet, officeVersion, sheetsOf } from './libreoffice.ts';
import { madeWorkbooks, writeOwnWorkbook } from './made.ts';

const MOST_SHOWN = 15;

/** Reads a sheet as an import does, without a header. Rows are numbered as in the spreadsheet. */
async function readSheet(file: string, sheet: string): Promise<Map<number, readonly string[]>> {
  const rows = new Map<number, readonly string[]>();
  const source = await openSource(file, { sheet, noHeader: true });
  try {
    for await (const batch of source.batches) for (const { row, cells } of batch) rows.set(row, cells);
  } finally {
    await source.close();
  }
  return rows;
}

interface Comparison {
  readonly cells: Record<Agreement, number>;
  /** Number of cells in `DIFFERENCES`. */
  readonly known: number;
  readonly differences: string[];
}

function isEmpty(sheet: OfficeSheet): boolean {
  return sheet.every((row) => row.every(({ shown }) => shown === ''));
}

async function compareFile(file: string, name: string, folder: string): Promise<Comparison> {
  const cells = Object.fromEntries(AGREEMENTS.map((name) => [name, 0])) as Record<Agreement, number>;
  const differences: string[] = [];
  let known = 0;
  for (const [sheet, office] of sheetsOf(file, folder)) {
    // An empty sheet is refused with a sentence.
    if (isEmpty(office)) continue;
    const ours = await readSheet(file, sheet);
    const last = Math.max(office.length, ...ours.keys());
    for (let row = 1; row <= last; row++) {
      const theirs = office[row - 1] ?? [];
      const own = ours.get(row) ?? [];
      for (let column = 0; column < Math.max(theirs.length, own.length); column++) {
        const text = own[column] ?? '';
        const cell = theirs[column] ?? { shown: '', type: '', value: '' };
        if (text === '' && cell.shown === '') continue;
        const agreement = agreementOf(text, cell);
        const place = `${sheet}!${columnLetters(column)}${row}`;
        if (agreement) cells[agreement]++;
        else if (DIFFERENCES.some((known) => known.cell.test(`${name} ${place}`))) known++;
        else
          differences.push(
            `${place}: read as ${JSON.stringify(text)}, LibreOffice shows ${JSON.stringify(cell.shown)} (${cell.type} ${cell.value})`,
          );
      }
    }
  }
  return { cells, known, differences };
}

const version = officeVersion();
if (version === undefined) {
  console.error('soffice was not found: install LibreOffice Calc, and put soffice on the PATH.');
  process.exit(1);
}
console.log(version);
const folder = mkdtempSync(join(tmpdir(), 'storeport-workbooks-'));
try {
  const made = join(folder, 'made');
  mkdirSync(made);
  const files: string[] = [];
  for (const [name, bytes] of Object.entries(await madeWorkbooks())) {
    files.push(join(made, `${name}.xlsx`));
    writeFileSync(files.at(-1) as string, bytes);
  }
  files.push(join(made, 'errors.xlsx'));
  await writeOwnWorkbook(files.at(-1) as string);
  // LibreOffice writes workbooks in another way: shared texts, styles of its own, and sizes of sheets.
  for (const file of [...files]) {
    const saved = convert(file, 'xlsx:Calc MS Excel 2007 XML', join(folder, 'saved'));
    files.push(join(saved, basename(file)));
  }
  files.push(...process.argv.slice(2).map((file) => resolve(file)));

  let differing = 0;
  for (const [index, file] of files.entries()) {
    const name = file.startsWith(folder) ? file.slice(folder.length + 1) : file;
    const { cells, known, differences } = await compareFile(file, name, join(folder, String(index)));
    const counts = AGREEMENTS.flatMap((each) => (cells[each] > 0 ? [`${cells[each]} ${each}`] : []));
    const expected = known > 0 ? `, ${known} known differences` : '';
    console.log(`${name}: ${counts.join(', ')}${expected}, ${differences.length} differences`);
    for (const line of differences.slice(0, MOST_SHOWN)) console.log(`    ${line}`);
    differing += differences.length;
  }
  process.exitCode = differing === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
