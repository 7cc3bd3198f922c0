import { type KeptRow, originOf, type Row, type Table } from '../model/index.ts';
import { checkItem, isItemHeader, itemIn } from './item.ts';

/** Restores the table of a file from its header, and from rows that the ledger keeps if the table depends on them (JSON items). */
export function tableFrom(file: string, header: readonly string[], kept: readonly KeptRow[] = []): Table {
  if (!isItemHeader(header)) return { file, header };
  const values = kept.map(({ cells }) => checkItem(itemIn(header, cells), String).value);
  return { file, header, items: values.filter((value) => value !== undefined) };
}

/** Restores a kept row as if it were read again. Its line is unknown, so the row number is used as the line. */
export function rowFrom(table: Table, { row, cells }: KeptRow): Row {
  const plain = { table, row, line: row, cells };
  if (!table.items) return plain;
  const { value, problem } = checkItem(itemIn(table.header, cells), (at) => `character ${at + 1}`);
  return value === undefined
    ? { issues: [{ origin: originOf(plain), ...problem }], ...plain }
    : { value, ...plain };
}
