import {
  identifierIn,
  isOwnColumn,
  type Json,
  mayBeNoValue,
  noValueIn,
  type Row,
  type SuspectCode,
  type Table,
} from '../model/index.ts';
import { checkedColumns } from './columns.ts';
import { faultOfGtin, hasLostZero, isRounded } from './digits.ts';
import { garbledIn, ungarbled } from './garbled.ts';

/** A cell that looks as if it was damaged before the import. */
export interface Suspect {
  readonly code: SuspectCode;
  /** Name of the column, or path in a JSON object. */
  readonly column: string;
  /** The part of the text that shows the damage. No more than that, since a text may be a password. */
  readonly text: string;
}

const NONE: readonly Suspect[] = [];

/**
 * Creates a function that inspects the rows of a table for damage that is visible without knowing their meaning. It
 * inspects all cells of rows that the reader marked (`Row.suspect`). In every row it inspects short cells that may mean
 * "no value", and columns whose names say that their digits can be checked. Digits in JSON are not checked, since no
 * spreadsheet writes it.
 *
 * `unused` lists columns that the mapping does not read; they are skipped.
 */
export function inspector(table: Table, unused: readonly string[]): (row: Row) => readonly Suspect[] {
  const passed = new Set(unused);
  if (table.items) return (row) => (row.suspect ? suspectsInItem(row, passed) : NONE);
  const { header } = table;
  const isRead = header.map((name) => !passed.has(name) && !isOwnColumn(name));
  const { gtins, postcodes } = checkedColumns(header, isRead);
  const hasChecked = gtins.length + postcodes.length > 0;
  return (row) => {
    // In a row that could not be read, cells have no certain column. Most rows of most files are also done here.
    if (row.issues || !(row.suspect || hasChecked || row.cells.some(mayBeNoValue))) return NONE;
    const suspects: Suspect[] = [];
    for (const [at, text] of row.cells.entries())
      if (isRead[at] && mayBeNoValue(text)) suspects.push(...noValues(header[at] ?? '', text));
    if (row.suspect)
      for (const [at, text] of row.cells.entries())
        if (isRead[at]) suspects.push(...suspectsIn(header[at] ?? '', text));
    for (const at of gtins) {
      const text = identifierIn(row, at);
      const code = faultOfGtin(text);
      if (code) suspects.push({ code, column: header[at] ?? '', text });
    }
    for (const { at, country } of postcodes) {
      const text = identifierIn(row, at);
      if (hasLostZero(text, row.cells[country] ?? ''))
        suspects.push({ code: 'lost-zero', column: header[at] ?? '', text });
    }
    return suspects;
  };
}

/** Returns the column names that were decoded twice, with their originals: no mapping finds such a column. */
export function garbledNames({ header, items }: Table): { readonly found: string; readonly meant: string }[] {
  return header
    .map((found) => ({ found, meant: ungarbled(found) }))
    .filter(({ found, meant }) => items === undefined && meant !== found);
}

function suspectsInItem(row: Row, passed: ReadonlySet<string>): readonly Suspect[] {
  return [...leavesOf(row.value ?? null)].flatMap(([path, text]) =>
    passed.has(path) ? NONE : [...noValues(path, text), ...suspectsIn(path, text)],
  );
}

function noValues(column: string, cell: string): readonly Suspect[] {
  const text = cell.trim();
  const code = noValueIn(text);
  return code ? [{ code, column, text }] : NONE;
}

const LOST = '\uFFFD';

function suspectsIn(column: string, cell: string): readonly Suspect[] {
  const suspects: Suspect[] = [];
  const garbled = garbledIn(cell);
  const text = cell.trim();
  if (garbled)
    suspects.push({ code: 'decoded-twice', column, text: `${garbled.found} for ${garbled.meant}` });
  if (text.includes(LOST)) suspects.push({ code: 'lost-letter', column, text: LOST });
  if (isRounded(text)) suspects.push({ code: 'rounded', column, text });
  return suspects;
}

/** Iterates over the texts of an object with their paths, as mappings write them: `images[].src`. */
function* leavesOf(value: Json, path = ''): Generator<readonly [string, string]> {
  if (typeof value === 'string') yield [path, value];
  else if (Array.isArray(value)) for (const item of value) yield* leavesOf(item, `${path}[]`);
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value))
      yield* leavesOf(inner, path === '' ? name : `${path}.${name}`);
}
