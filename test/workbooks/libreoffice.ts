import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { SaxesParser } from 'saxes';

/** A cell as LibreOffice has it. */
export interface OfficeCell {
  /** The text that a person sees. */
  readonly shown: string;
  /** `float`, `percentage`, `currency`, `date`, `time`, `string` or empty. */
  readonly type: string;
  /** The value without its format: a number, an ISO date, or a duration such as `PT13H45M00S`. */
  readonly value: string;
}

export type OfficeSheet = readonly (readonly OfficeCell[])[];

/** Comma, quote, UTF-8, from line 1, cells as shown, all sheets. */
const CSV_FILTER = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1';

export function officeVersion(): string | undefined {
  try {
    return execFileSync('soffice', ['--version'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

/** Converts a file. Returns the folder of the results. */
export function convert(file: string, to: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const profile = `-env:UserInstallation=file://${join(folder, '..', 'profile')}`;
  execFileSync('soffice', [profile, '--headless', '--convert-to', to, '--outdir', folder, file], {
    stdio: 'ignore',
  });
  return folder;
}

/** Reads all sheets of a workbook through LibreOffice, by name. */
export function sheetsOf(file: string, folder: string): Map<string, OfficeSheet> {
  const name = basename(file, '.xlsx');
  const csv = convert(file, CSV_FILTER, join(folder, 'csv'));
  const xml = readFileSync(join(convert(file, 'fods', join(folder, 'fods')), `${name}.fods`), 'utf8');
  const sheets = new Map<string, OfficeSheet>();
  const files = readdirSync(csv);
  for (const [sheet, types] of typesIn(xml)) {
    // LibreOffice writes no file for a sheet that is empty.
    const found = files.find((each) => each === `${name}-${sheet}.csv`);
    const rows =
      found === undefined ? [] : (parse(readFileSync(join(csv, found)), CSV_OPTIONS) as string[][]);
    sheets.set(
      sheet,
      rows.map((cells, row) =>
        cells.map((shown, column) => ({ shown, ...(types[row]?.[column] ?? { type: '', value: '' }) })),
      ),
    );
  }
  return sheets;
}

const CSV_OPTIONS = { relax_column_count: true, skip_empty_lines: false } as const;

type CellType = Pick<OfficeCell, 'type' | 'value'>;

/** More rows or columns are the empty rest of a sheet. */
const MOST_REPEATED = 2000;

function typesIn(xml: string): Map<string, CellType[][]> {
  const sheets = new Map<string, CellType[][]>();
  let rows: CellType[][] = [];
  let cells: CellType[] = [];
  let repeated = 1;
  const parser = new SaxesParser();
  const times = (text: string | undefined) => {
    const count = Number(text ?? 1);
    return count > MOST_REPEATED ? 0 : count;
  };
  parser.on('opentag', ({ name, attributes }) => {
    const of = attributes as Record<string, string>;
    if (name === 'table:table') {
      rows = [];
      sheets.set(of['table:name'] ?? '', rows);
    } else if (name === 'table:table-row') {
      cells = [];
      repeated = times(of['table:number-rows-repeated']);
    } else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
      const type = of['office:value-type'] ?? '';
      const value = of['office:value'] ?? of['office:date-value'] ?? of['office:time-value'] ?? '';
      for (let n = times(of['table:number-columns-repeated']); n > 0; n--) cells.push({ type, value });
    }
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'table:table-row') for (let n = repeated; n > 0; n--) rows.push(cells);
  });
  parser.write(xml).close();
  return sheets;
}
