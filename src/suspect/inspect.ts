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

/** A cell that looks as if something had damaged it before it came here. */
export interface Suspect {
  readonly code: SuspectCode;
  /** Name of the column, or path in an object of JSON. */
  readonly column: string;
  /** What shows it, and no more of a text than that: it may be a password. */
  readonly text: string;
}

const NONE: readonly Suspect[] = [];

/**
 * Looks at the rows of a table for damage that is seen without knowing what they mean: at all cells where the reader says that
 * there may be something (`Row.suspect`), in every row at short cells that may say that there is no value, and at at columns whose names say that their digits can be checked. In JSON,
 * which no spreadsheet writes, digits are not checked.
 *
 * `unused`: columns that nobody reads, so nobody asks what is in them.
 */
export function inspector(table: Table, unused: readonly string[]): (row: Row) => readonly Suspect[] {
  const passed = new Set(unused);
  if (table.items) return (row) => (row.suspect ? suspectsInItem(row, passed) : NONE);
  const { header } = table;
  const isRead = header.map((name) => !passed.has(name) && !isOwnColumn(name));
  const { gtins, postcodes } = checkedColumns(header, isRead);
  const hasChecked = gtins.length + postcodes.length > 0;
  return (row) => {
    // Of a row that could not be read it is not known which cells they are. Most rows of most files end here as well.
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

/** Names of columns that were decoded twice, and what they were: no mapping finds such a column. */
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

/** The texts of an object with their paths: `images[].src`, as mappings write them. */
function* leavesOf(value: Json, path = ''): Generator<readonly [string, string]> {
  if (typeof value === 'string') yield [path, value];
  else if (Array.isArray(value)) for (const item of value) yield* leavesOf(item, `${path}[]`);
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value))
      yield* leavesOf(inner, path === '' ? name : `${path}.${name}`);
}
