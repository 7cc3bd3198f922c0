import { type KeptRow, originOf, type Row, type Table } from '../model/index.ts';
import { checkItem, isItemHeader, itemIn } from './item.ts';

/** A table as its file had it, from its header, and from rows that were kept, where they tell what is in it. */
export function tableFrom(file: string, header: readonly string[], kept: readonly KeptRow[] = []): Table {
  if (!isItemHeader(header)) return { file, header };
  const values = kept.map(({ cells }) => checkItem(itemIn(header, cells), String).value);
  return { file, header, items: values.filter((value) => value !== undefined) };
}

/** A row that was kept, as if it were read again. Which line it stood on is not known: its number stands for that. */
export function rowFrom(table: Table, { row, cells }: KeptRow): Row {
  const plain = { table, row, line: row, cells };
  if (!table.items) return plain;
  const { value, problem } = checkItem(itemIn(table.header, cells), (at) => `character ${at + 1}`);
  return value === undefined
    ? { issues: [{ origin: originOf(plain), ...problem }], ...plain }
    : { value, ...plain };
}
